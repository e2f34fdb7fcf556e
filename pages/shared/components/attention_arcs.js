// One query's row: arcs from it to the tokens that it attends to, over a ribbon of all tokens, and
// under each token its score at every stage, down to its weight.

const MOST = 72 // height of the tallest arc, where the place has no height of its own
const LOWEST = 40 // and where it has one, at least so high
const LEAST = 0.004 // weights below get no arc
const drawnAt = new WeakMap() // the observer of a place's size

function describe(data, key) {
  const weight = data.weights[key]
  const pair = `${data.tokens[data.query]} → ${data.tokens[key]}`
  if (weight === null) return `${pair}: masked`
  const scores = data.stages.filter((stage) => !stage.is_weight && stage.values[key] !== null)
  const steps = scores.map((stage) => `${stage.title} ${stage.values[key].toFixed(2)}`)
  return [`${pair}: weight ${percent(weight)}`, ...steps].join(", ")
}

function summary(data) {
  const order = data.weights.map((weight, key) => [weight ?? 0, key]).sort((a, b) => b[0] - a[0])
  const most = order.slice(0, 5).filter(([weight]) => weight >= 0.005)
  const list = most.map(([weight, key]) => `${data.tokens[key]} ${percent(weight)}`).join(", ")
  return `${data.tokens[data.query]} attends to: ${list || "nothing"}. ${byHand(data.hint)}`
}

// Where everything lies: cells as wide as their letters need, wider where there is room.
function layout(data, room, height) {
  const size = data.text_size
  const least = data.letters.map((text) => Math.max(0.78 * size, 0.61 * size * [...text].length + 3))
  const spare = Math.max(0, room - least.reduce((a, b) => a + b, 0)) / least.length
  const widths = least.map((width) => width + Math.min(spare, size))
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((a, b) => a + b, 0))
  const [first, numbers] = [size + 12, Math.round(0.75 * size) + 6] // the tokens, and their numbers
  const n = data.stages.length
  const room_of_stages = height ? Math.floor((height - LOWEST - first - 8) / Math.max(1, n)) - 3 : Infinity
  const line = Math.max(12, Math.min(size + 10, room_of_stages))
  const spared = height ? height - LOWEST - first - 8 - n * (line + 3) : Infinity
  const below = first + (spared >= numbers ? numbers : 2)
  const arcs = height ? Math.max(LOWEST, height - below - n * (line + 3) - 8) : MOST
  const width = lefts.at(-1) + widths.at(-1)
  return { size, widths, lefts, line, arcs, token: first - 2, has_numbers: spared >= numbers,
    first: arcs + below, width, height: arcs + below + n * (line + 3) + 4 }
}

const middleOf = (at, i) => at.lefts[i] + at.widths[i] / 2
const topOf = (at, stage) => at.first + stage * (at.line + 3)

function arc(data, key, at, ink) {
  const weight = data.weights[key]
  if (weight === null || weight < LEAST) return null
  const look = { fill: "none", stroke: `rgb(${ink.weight})`, "stroke-width": 0.6 + 7 * weight, opacity: 0.35 + 0.65 * weight }
  const [from, to, floor] = [middleOf(at, data.query), middleOf(at, key), at.arcs]
  if (key === data.query) {
    const loop = `M${from - 3} ${floor}C${from - 16} ${floor - 30} ${from + 16} ${floor - 30} ${from + 3} ${floor}`
    return drawn("path", { d: loop, ...look })
  }
  const lift = floor - (4 / 3) * Math.min(floor - 10, 14 + Math.abs(from - to) * 0.42)
  return drawn("path", { d: `M${from} ${floor}C${from} ${lift} ${to} ${lift} ${to} ${floor}`, ...look })
}

function words(text, x, y, size, ink, more = {}) {
  const element = drawn("text", { x, y, "text-anchor": "middle", "font-family": "monospace", "font-size": size, fill: ink, ...more })
  element.textContent = text
  return element
}

function token(data, i, at, ink) {
  const weight = data.weights[i]
  const isQuery = i === data.query
  const amount = weight === null ? 0 : 0.75 * Math.sqrt(weight)
  const box = drawn("rect", {
    class: "box",
    x: at.lefts[i] + 0.5,
    y: at.arcs + 2,
    width: at.widths[i] - 1,
    height: at.token,
    fill: `rgb(${ink.weight})`,
    "fill-opacity": amount,
    stroke: isQuery ? ink.chosen : "#808080",
    "stroke-width": isQuery ? 2.5 : 0.4,
    "stroke-dasharray": weight === null ? "2 2" : "none",
  })
  const group = drawn("g", { class: "token", "data-index": i, role: "button", tabindex: isQuery ? 0 : -1 }, box)
  const middle = middleOf(at, i)
  group.append(words(data.letters[i], middle, at.arcs + at.size + 5, at.size, inkOn(ink.weight, amount, ink.paper), { "font-weight": isQuery ? 700 : 400 }))
  const small = Math.round(0.75 * at.size)
  const isNumbered = i % 10 === 0 || data.letters[i].length > 1
  if (isNumbered && at.has_numbers) {
    const number = data.tokens[i].split(" ")[0]
    group.append(words(number, middle, at.arcs + at.token + small + 3, small, ink.text, { opacity: 0.8 }))
  }
  group.setAttribute("aria-label", describe(data, i))
  return group
}

// A stage's cell: a weight in one colour, a score by its sign, by the square root; masked ones crossed.
function cell(stage, row, i, at, reach, ink) {
  const value = stage.values[i]
  const place = { x: at.lefts[i] + 0.5, y: topOf(at, row), width: at.widths[i] - 1, height: at.line }
  if (value === null) {
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2]
    const cross = drawn("path", { class: "masked", d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`, stroke: "#808080", "stroke-width": 1.2 })
    return [drawn("rect", { ...place, fill: "none", stroke: "#808080", "stroke-width": 0.4, "stroke-dasharray": "2 2" }), cross]
  }
  const shade = stage.is_weight ? Math.sqrt(value) : Math.sqrt(Math.abs(value) / reach)
  const hue = stage.is_weight ? ink.weight : value < 0 ? ink.negative : ink.positive
  const amount = 0.9 * Math.min(1, shade)
  const rect = drawn("rect", { ...place, fill: `rgb(${hue})`, "fill-opacity": amount, stroke: "#808080", "stroke-width": 0.4 })
  const small = Math.min(Math.round(0.75 * at.size), at.line - 4)
  const text = stage.is_weight ? percent(value).replace(" ", "") : value.toFixed(1)
  const fits = (small > 9 && text.length * 0.6 * small + 4 < at.widths[i]) || (stage.is_weight && value >= 0.45)
  if (!fits || (stage.is_weight && value < 0.01)) return [rect]
  const isWide = text.length * 0.6 * small > at.widths[i]
  const look = isWide ? { stroke: `rgb(${hue})`, "stroke-width": 4, "paint-order": "stroke" } : {}
  const middle = place.y + at.line / 2 + 0.36 * small
  return [rect, words(text, middleOf(at, i), middle, small, inkOn(hue, isWide ? 1 : amount, ink.paper), look)]
}

function strip(data, at, ink) {
  const [width, height] = [at.width + 8, at.height]
  const svg = drawn("svg", { xmlns: SVG, width, height, viewBox: `-4 0 ${width} ${height}` })
  const heavy = [...data.weights.keys()].sort((a, b) => data.weights[a] - data.weights[b])
  svg.append(...heavy.map((key) => arc(data, key, at, ink)).filter(Boolean))
  data.letters.forEach((_, i) => svg.append(token(data, i, at, ink)))
  const scores = data.stages.filter((stage) => !stage.is_weight).flatMap((stage) => stage.values)
  const reach = Math.max(1e-6, ...scores.map((value) => Math.abs(value ?? 0)))
  data.stages.forEach((stage, row) => {
    const parts = data.letters.map((_, i) => cell(stage, row, i, at, reach, ink))
    svg.append(...parts.map(([box]) => box), ...parts.flatMap(([, ...above]) => above))
  })
  return svg
}

// The names of the stages, beside their rows; what can be switched off is a switch.
function names(box, data, at, tell) {
  const shown = data.stages.map((stage, row) => {
    const element = document.createElement(stage.switch ? "button" : "span")
    element.textContent = stage.switch ? `${stage.is_on ? "☑" : "☐"} ${stage.title}` : stage.title
    if (stage.switch) {
      element.type = "button"
      element.setAttribute("role", "switch")
      element.setAttribute("aria-checked", String(stage.is_on))
      element.setAttribute("aria-label", stage.title)
      element.onclick = () => tell(stage.switch)
    }
    element.style.top = `${topOf(at, row)}px`
    element.style.height = `${at.line}px`
    return element
  })
  const hadFocus = [...box.children].findIndex((element) => element.matches(":focus"))
  const longest = Math.max(0, ...data.stages.map((stage) => stage.title.length + (stage.switch ? 3 : 0)))
  box.style.width = `${longest * 0.52 * at.size + 14}px`
  box.style.fontSize = `${Math.round(0.85 * at.size)}px`
  box.replaceChildren(...shown)
  if (hadFocus >= 0) shown[hadFocus]?.focus()
}

function bringIntoView(scroll, data, at) {
  const [first, last] = [scroll.scrollLeft, scroll.scrollLeft + scroll.clientWidth]
  const middle = middleOf(at, data.query)
  if (middle < first + at.size || middle > last - at.size) scroll.scrollLeft = middle - 0.7 * scroll.clientWidth
}

function draw(data, parentElement, setTriggerValue) {
  const [labels, scroll, readout] = [".labels", ".scroll", ".readout"].map((name) => parentElement.querySelector(name))
  const ink = inks(scroll)
  parentElement.querySelector(".row").classList.toggle("fills", data.fills)
  names(labels, data, layout(data, 0, 0), (name) => setTriggerValue("switched", name))
  const room = (scroll.clientWidth || 800) - 8
  const at = layout(data, room, data.fills ? parentElement.querySelector(".picture").clientHeight : 0)
  names(labels, data, at, (name) => setTriggerValue("switched", name))
  const svg = strip(data, at, ink)
  const hadFocus = scroll.querySelector(".token:focus") !== null
  svg.setAttribute("role", "group")
  svg.setAttribute("aria-label", `${data.label}. Arrow keys move, Enter chooses the query token.`)
  scroll.replaceChildren(svg)
  bringIntoView(scroll, data, at)
  const tokens = [...svg.querySelectorAll(".token")]
  if (hadFocus) tokens[data.query].focus()
  readout.textContent = summary(data)

  const indexOf = (event) => Number(event.target.closest?.(".token")?.dataset.index ?? NaN)
  const choose = (index) => {
    if (!Number.isNaN(index)) setTriggerValue("chosen", index)
  }
  svg.onpointerover = (event) => {
    const index = indexOf(event)
    readout.textContent = Number.isNaN(index) ? summary(data) : describe(data, index)
  }
  svg.onpointerleave = () => { readout.textContent = summary(data) }
  svg.onclick = (event) => choose(indexOf(event))
  svg.onkeydown = (event) => {
    const index = indexOf(event)
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      choose(index)
      return
    }
    const step = stepOf(event.key, 10)
    if (step === undefined || Number.isNaN(index)) return
    event.preventDefault()
    event.stopPropagation()
    const wanted = Math.min(tokens.length - 1, Math.max(0, index + step))
    tokens[index].setAttribute("tabindex", "-1")
    tokens[wanted].setAttribute("tabindex", "0")
    tokens[wanted].focus()
    readout.textContent = describe(data, wanted)
  }
  offerFiles(parentElement.querySelector(".files"), data.name, () => strip(data, at, ink))
}

export default function ({ data, parentElement, setTriggerValue }) {
  draw(data, parentElement, setTriggerValue)
  const box = parentElement.querySelector(".picture")
  drawnAt.get(parentElement)?.disconnect()
  let seen = `${box.clientWidth} ${data.fills ? box.clientHeight : ""}`
  const observer = new ResizeObserver(() => {
    const now = `${box.clientWidth} ${data.fills ? box.clientHeight : ""}`
    if (now === seen) return
    seen = now
    draw(data, parentElement, setTriggerValue)
  })
  observer.observe(box)
  drawnAt.set(parentElement, observer)
  return () => observer.disconnect()
}
