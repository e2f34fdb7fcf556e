// One query's row: arcs from it to the tokens that it attends to, over a ribbon of all tokens.

const MOST = 96 // height of the tallest arc
const LEAST = 0.004 // weights below get no arc

function describe(data, key) {
  const weight = data.weights[key]
  if (weight === null) return `${data.tokens[data.query]} does not attend to ${data.tokens[key]}: masked`
  return `${data.tokens[data.query]} attends to ${data.tokens[key]}: ${percent(weight)}`
}

function summary(data) {
  const order = data.weights.map((weight, key) => [weight ?? 0, key]).sort((a, b) => b[0] - a[0])
  const most = order.slice(0, 5).filter(([weight]) => weight >= 0.005)
  const list = most.map(([weight, key]) => `${data.tokens[key]} ${percent(weight)}`).join(", ")
  return `${data.tokens[data.query]} attends to: ${list || "nothing"}. ${data.hint}`
}

const middleOf = (i, cell) => (i + 0.5) * cell

function arc(data, key, cell, ink) {
  const weight = data.weights[key]
  if (weight === null || weight < LEAST) return null
  const look = { fill: "none", stroke: `rgb(${ink.weight})`, "stroke-width": 0.6 + 7 * weight, opacity: 0.35 + 0.65 * weight }
  const [from, to] = [middleOf(data.query, cell), middleOf(key, cell)]
  if (key === data.query) {
    const loop = `M${from - 3} ${MOST + 4}C${from - 16} ${MOST - 26} ${from + 16} ${MOST - 26} ${from + 3} ${MOST + 4}`
    return drawn("path", { d: loop, ...look })
  }
  const height = Math.min(MOST - 6, 14 + Math.abs(from - to) * 0.42)
  const lift = MOST + 4 - (4 / 3) * height
  return drawn("path", { d: `M${from} ${MOST + 4}C${from} ${lift} ${to} ${lift} ${to} ${MOST + 4}`, ...look })
}

function token(data, i, cell, ink) {
  const weight = data.weights[i]
  const size = data.text_size
  const box = { x: i * cell + 0.5, y: MOST + 6, width: cell - 1, height: size + 12 }
  const isQuery = i === data.query
  const group = drawn(
    "g",
    { class: "token", "data-index": i, role: "button", tabindex: isQuery ? 0 : -1 },
    drawn("rect", {
      ...box,
      fill: `rgb(${ink.weight})`,
      "fill-opacity": weight === null ? 0 : 0.75 * Math.sqrt(weight),
      stroke: isQuery ? ink.chosen : "#808080",
      "stroke-width": isQuery ? 2.5 : 0.4,
      "stroke-dasharray": weight === null ? "2 2" : "none",
    }),
  )
  const letter = (y, text, look) => {
    const element = drawn("text", { x: middleOf(i, cell), y, "text-anchor": "middle", "font-family": "monospace", fill: ink.text, ...look })
    element.textContent = text
    group.append(element)
  }
  letter(MOST + size + 11, data.letters[i], { "font-size": size, "font-weight": isQuery ? 700 : 400 })
  const small = Math.round(0.75 * size)
  if (i % 10 === 0) letter(MOST + size + 21 + small, data.tokens[i].split(" ")[0], { "font-size": small, opacity: 0.8 })
  if (weight !== null && weight >= 0.095) {
    letter(MOST + size + 23 + 2 * small, percent(weight).replace(" ", ""), { "font-size": small })
  }
  group.setAttribute("aria-label", describe(data, i))
  return group
}

function strip(data, cell, ink) {
  const n = data.letters.length
  const [width, height] = [n * cell + 8, MOST + Math.round(2.6 * data.text_size) + 28]
  const svg = drawn("svg", { xmlns: SVG, width, height, viewBox: `-4 0 ${width} ${height}` })
  const heavy = [...data.weights.keys()].sort((a, b) => data.weights[a] - data.weights[b])
  svg.append(...heavy.map((key) => arc(data, key, cell, ink)).filter(Boolean))
  data.letters.forEach((_, i) => svg.append(token(data, i, cell, ink)))
  return svg
}

function bringIntoView(scroll, data, cell) {
  const [first, last] = [scroll.scrollLeft, scroll.scrollLeft + scroll.clientWidth]
  const at = middleOf(data.query, cell)
  if (at < first + cell || at > last - cell) scroll.scrollLeft = at - 0.7 * scroll.clientWidth
}

export default function ({ data, parentElement, setTriggerValue }) {
  const scroll = parentElement.querySelector(".scroll")
  const readout = parentElement.querySelector(".readout")
  const ink = inks(scroll)
  const room = (scroll.clientWidth || 800) - 8
  const cell = Math.max(0.78 * data.text_size, Math.min(30, room / data.letters.length))
  const svg = strip(data, cell, ink)
  const hadFocus = scroll.querySelector(".token:focus") !== null
  svg.setAttribute("role", "group")
  svg.setAttribute("aria-label", `${data.label}. Arrow keys move, Enter chooses the query token.`)
  scroll.replaceChildren(svg)
  bringIntoView(scroll, data, cell)
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
  offerFiles(parentElement.querySelector(".files"), data.name, () => strip(data, cell, ink))
}
