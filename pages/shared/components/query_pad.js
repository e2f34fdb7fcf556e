// A query that is dragged, or moved by the arrow keys, among two-dimensional keys and values. The
// weights follow in the browser; the server hears where it was let go.

const REACH = 3
const STEP = 0.1
const QUIET_MS = 500 // after the last arrow key
const SVG = "http://www.w3.org/2000/svg"
const held = new WeakMap() // what the visitor has in hand, which the server does not know yet

function attention(query, keys, values, divisor) {
  const scores = keys.map(([x, y]) => x * query[0] + y * query[1])
  const highest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp((score - highest) / divisor))
  const sum = powers.reduce((a, b) => a + b)
  const weights = powers.map((power) => power / sum)
  const mix = [0, 1].map((axis) => values.reduce((s, v, i) => s + weights[i] * v[axis], 0))
  return { scores, weights, mix }
}

function add(parent, tag, attributes, text) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (text !== undefined) element.textContent = text
  parent.append(element)
  return element
}

function arrow(parent, [x, y], name, label) {
  const length = Math.hypot(x, y)
  if (length > 0.05) {
    add(parent, "line", { class: name, x1: 0, y1: 0, x2: x, y2: -y })
    const degrees = (Math.atan2(-y, x) * 180) / Math.PI
    const place = `translate(${x} ${-y}) rotate(${degrees})`
    add(parent, "path", { class: name, d: "M0 0 L-0.26 0.1 L-0.26 -0.1 Z", transform: place })
  }
  const off = length > 0.05 ? 0.24 / length : 0
  const middle = { "text-anchor": "middle", "dominant-baseline": "middle" }
  add(parent, "text", { x: x * (1 + off), y: -y * (1 + off), ...middle }, label)
}

function diamond(parent, [x, y], name, label, size) {
  const d = `M${x} ${-y - size} L${x + size} ${-y} L${x} ${-y + size} L${x - size} ${-y} Z`
  add(parent, "path", { class: name, d })
  add(parent, "text", { x: x + size + 0.06, y: -y + 0.08 }, label)
}

function drawScene(scene, data, query, found) {
  scene.replaceChildren()
  for (let i = -REACH; i <= REACH; i++) {
    add(scene, "line", { class: "grid", x1: i, x2: i, y1: -REACH, y2: REACH, opacity: i ? 0.4 : 1 })
    add(scene, "line", { class: "grid", y1: i, y2: i, x1: -REACH, x2: REACH, opacity: i ? 0.4 : 1 })
  }
  data.values.forEach((value, i) => {
    const pull = { class: "pull", x1: found.mix[0], y1: -found.mix[1], x2: value[0], y2: -value[1] }
    add(scene, "line", { ...pull, opacity: 0.15 + 0.85 * found.weights[i] })
  })
  data.keys.forEach((key, i) => arrow(scene, key, "key", `k${i + 1}`))
  data.values.forEach((value, i) =>
    diamond(scene, value, "value", `v${i + 1}`, 0.07 + 0.13 * Math.sqrt(found.weights[i])))
  add(scene, "circle", { class: "mix", cx: found.mix[0], cy: -found.mix[1], r: 0.12 })
  add(scene, "text", { x: found.mix[0] + 0.17, y: -found.mix[1] - 0.12 }, "output")
  if (data.longer) {
    const [x, y] = query.map((number) => data.longer * number)
    add(scene, "line", { class: "longer", x1: query[0], y1: -query[1], x2: x, y2: -y })
  }
  arrow(scene, query, "query", "")
}

function drawTable(body, found, longer) {
  body.replaceChildren(
    ...found.weights.map((weight, i) => {
      const row = document.createElement("tr")
      const texts = [`k${i + 1}`, `q·k = ${found.scores[i].toFixed(2)}`]
      for (const text of texts) row.insertCell().textContent = text
      const track = row.insertCell()
      track.className = "track"
      const bar = document.createElement("div")
      bar.className = "bar"
      bar.style.width = `${100 * weight}%`
      track.append(bar)
      if (longer) {
        const outline = document.createElement("div")
        outline.className = "outline"
        outline.style.width = `${100 * longer.weights[i]}%`
        track.append(outline)
      }
      row.insertCell().textContent = weight.toFixed(3)
      return row
    }),
  )
}

const written = (pair) => `(${pair.map((number) => number.toFixed(2)).join(", ")})`

export default function ({ data, parentElement, setTriggerValue }) {
  const svg = parentElement.querySelector("svg")
  const body = parentElement.querySelector("tbody")
  const readout = parentElement.querySelector(".readout")
  if (!svg.querySelector("g")) {
    add(svg, "g", {})
    add(svg, "circle", { class: "handle", r: 0.3, tabindex: 0, role: "slider" })
  }
  const scene = svg.querySelector("g")
  const handle = svg.querySelector(".handle")
  // While it is being moved, an answer to an earlier place must not take it out of the hand.
  const hand = held.get(parentElement) ?? { query: null, timer: null }
  held.set(parentElement, hand)
  let query = hand.query ?? data.query

  const draw = () => {
    const found = attention(query, data.keys, data.values, data.divisor)
    drawScene(scene, data, query, found)
    const longer = query.map((number) => data.longer * number)
    drawTable(body, found, data.longer && attention(longer, data.keys, data.values, data.divisor))
    handle.setAttribute("cx", query[0])
    handle.setAttribute("cy", -query[1])
    const best = found.weights.indexOf(Math.max(...found.weights))
    const share = `${(100 * found.weights[best]).toFixed(0)}\u202f%`
    readout.textContent =
      `Query ${written(query)}: k${best + 1} gets most, ${share}. Output ${written(found.mix)}.`
    handle.setAttribute("aria-label", "Query. Arrow keys move it, with Shift by a half.")
    handle.setAttribute("aria-valuenow", query[0])
    handle.setAttribute("aria-valuetext", readout.textContent)
  }
  const place = (x, y) => {
    const within = (number) => Math.min(REACH, Math.max(-REACH, Math.round(number / STEP) * STEP))
    query = [within(x), within(y)].map((number) => Number(number.toFixed(1)))
    hand.query = query
    draw()
  }
  const tell = () => {
    clearTimeout(hand.timer)
    hand.timer = null
    hand.query = null
    if (query[0] !== data.query[0] || query[1] !== data.query[1]) setTriggerValue("dropped", query)
  }
  const follow = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY)
    const { x, y } = point.matrixTransform(svg.getScreenCTM().inverse())
    place(x, -y)
  }

  handle.onpointerdown = (event) => {
    handle.setPointerCapture(event.pointerId)
    handle.classList.add("held")
    hand.query = query
  }
  handle.onpointermove = (event) => {
    if (handle.classList.contains("held")) follow(event)
  }
  handle.onpointerup = handle.onpointercancel = () => {
    handle.classList.remove("held")
    tell()
  }
  handle.onkeydown = (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ] ?? [0, 0]
    if (!x && !y) return
    event.preventDefault()
    event.stopPropagation()
    const step = event.shiftKey ? 0.5 : STEP
    place(query[0] + step * x, query[1] + step * y)
    clearTimeout(hand.timer)
    hand.timer = setTimeout(tell, QUIET_MS)
  }
  handle.onblur = () => {
    if (hand.timer) tell()
  }
  draw()
}
