// A plane in which a point is put by a tap, or moved by the arrow keys. The server hears where it
// was put; data: low, high (the ends of both axes), axes (their names), point ([x, y] or null).

const SVG = "http://www.w3.org/2000/svg"
const LINES = 10
const STEP = 1 // of a hundred, for an arrow key
const QUIET_MS = 500 // after the last arrow key

function add(parent, tag, attributes, text) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (text !== undefined) element.textContent = text
  parent.append(element)
}

function drawAxes(svg, { low, high, axes }) {
  const grid = svg.querySelector(".grid")
  const names = svg.querySelector(".names")
  grid.replaceChildren()
  names.replaceChildren()
  for (let i = 0; i <= LINES; i++) {
    const at = (100 * i) / LINES
    add(grid, "line", { x1: at, x2: at, y1: 0, y2: 100 })
    add(grid, "line", { y1: at, y2: at, x1: 0, x2: 100 })
  }
  add(names, "text", { x: 0, y: 105 }, String(low))
  add(names, "text", { x: 100, y: 105, "text-anchor": "end" }, `${axes[0]} ${high}`)
  add(names, "text", { x: 1, y: 4.5 }, `${axes[1]} ${high}`)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const svg = parentElement.querySelector("svg")
  const circle = svg.querySelector(".point")
  const { low, high, point } = data
  const inside = (share) => Math.min(100, Math.max(0, Math.round(share)))
  const share = (value) => (100 * (value - low)) / (high - low)
  let place = point ? [share(point[0]), share(point[1])] : null
  let timer = null

  const draw = () => {
    circle.style.display = place ? "" : "none"
    if (!place) return
    circle.setAttribute("cx", place[0])
    circle.setAttribute("cy", 100 - place[1])
  }
  const value = (at) => Number((low + ((high - low) * at) / 100).toPrecision(6))
  const tell = () => setTriggerValue("put", place.map(value))

  drawAxes(svg, data)
  draw()
  svg.setAttribute("aria-label", `Your point: ${data.axes.join(" and ")}. Arrow keys move it.`)
  svg.setAttribute("aria-valuetext", place ? place.map(value).join(", ") : "none yet")
  svg.onclick = (event) => {
    const seen = new DOMPoint(event.clientX, event.clientY)
    const at = seen.matrixTransform(svg.getScreenCTM().inverse())
    place = [inside(at.x), inside(100 - at.y)]
    draw()
    tell()
  }
  svg.onkeydown = (event) => {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
    const by = move[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    place = (place ?? [50, 50]).map((at, axis) => inside(at + STEP * by[axis]))
    draw()
    clearTimeout(timer)
    timer = setTimeout(tell, QUIET_MS)
  }
}
