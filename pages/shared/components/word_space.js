// Words in three dimensions, turned by dragging or by the arrow keys. Near words are larger and
// darker than far ones; words are written where there is room, the chosen one and its neighbours first.

const WIDEST = 720
const TURN = 0.12 // radians a key
const FAR = 3.4 // the eye's distance, in units of the space's reach
const COLOURS = { chosen: "#D55E00", near: "#0072B2", far: "#E69F00", other: "#808080" }
const turned = new WeakMap() // how each space was left, so that a new picture does not jump

function seen([x, y, z], { yaw, pitch, width, height }) {
  const across = x * Math.cos(yaw) + z * Math.sin(yaw)
  const away = z * Math.cos(yaw) - x * Math.sin(yaw)
  const up = y * Math.cos(pitch) - away * Math.sin(pitch)
  const depth = away * Math.cos(pitch) + y * Math.sin(pitch) // positive is nearer
  const scale = FAR / (FAR - depth)
  const reach = 0.4 * Math.min(width, 1.2 * height)
  return { x: width / 2 + across * scale * reach, y: height / 2 - up * scale * reach, depth }
}

function mark(role, x, y, size) {
  const d = {
    chosen: `M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}z`,
    near: `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
    far: `M${x} ${y - size}L${x + size} ${y + size}L${x - size} ${y + size}z`,
  }[role]
  return d ? drawn("path", { d }) : drawn("circle", { cx: x, cy: y, r: size })
}

function axes(svg, angles, ink) {
  for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
    const [from, to] = [-1, 1].map((end) => seen(axis.map((part) => part * end), angles))
    svg.append(drawn("line", {
      x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: ink.text, opacity: 0.25,
    }))
  }
}

function lines(svg, data, places) {
  const chosen = data.roles.indexOf("chosen")
  if (chosen < 0) return
  data.roles.forEach((role, i) => {
    if (role !== "near" && role !== "far") return
    svg.append(drawn("line", {
      x1: places[chosen].x, y1: places[chosen].y, x2: places[i].x, y2: places[i].y,
      stroke: COLOURS[role], "stroke-width": 1.5, "stroke-dasharray": role === "far" ? "5 5" : "none",
    }))
  })
}

function names(svg, data, places, order, ink) {
  const taken = []
  for (const i of order) {
    const { x, y, depth } = places[i]
    const size = data.text_size * (1 + 0.25 * depth)
    const box = [x, x + 0.56 * size * (data.words[i].length + 2), y - 0.6 * size, y + 0.6 * size]
    const covers = (other) =>
      box[0] < other[1] && other[0] < box[1] && box[2] < other[3] && other[2] < box[3]
    if (data.roles[i] !== "chosen" && taken.some(covers)) continue
    taken.push(box)
    const text = drawn("text", {
      x: x + 9, y, "dominant-baseline": "central", "font-size": size, fill: ink.text,
      "font-family": "sans-serif", opacity: data.roles[i] === "other" ? 0.62 + 0.3 * depth : 1,
      "font-weight": data.roles[i] === "other" ? 400 : 700,
    })
    text.textContent = data.words[i]
    svg.append(text)
  }
}

function picture(data, angles, ink) {
  const { width, height } = angles
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height })
  const places = data.points.map((point) => seen(point, angles))
  axes(svg, angles, ink)
  lines(svg, data, places)
  const byDepth = places.map((_, i) => i).sort((a, b) => places[a].depth - places[b].depth)
  for (const i of byDepth) {
    const { x, y, depth } = places[i]
    const isOther = data.roles[i] === "other"
    const shape = mark(data.roles[i], x, y, (isOther ? 4 : 7) * (1 + 0.3 * depth))
    shape.setAttribute("fill", isOther ? data.colours[i] : COLOURS[data.roles[i]])
    shape.setAttribute("opacity", isOther ? 0.55 + 0.35 * depth : 1)
    svg.append(shape)
  }
  const rank = { chosen: 0, near: 1, far: 1, other: 2 }
  const order = byDepth.reverse().sort((a, b) => rank[data.roles[a]] - rank[data.roles[b]])
  names(svg, data, places, order, ink)
  return svg
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".space")
  const readout = parentElement.querySelector(".readout")
  const angles = turned.get(parentElement) ?? { yaw: 0.5, pitch: 0.25 }
  turned.set(parentElement, angles)
  const draw = () => {
    angles.width = Math.min(WIDEST, Math.max(300, box.clientWidth)) // its letters keep their size
    angles.height = Math.round(Math.max(0.7 * angles.width, 340))
    box.replaceChildren(picture(data, angles, inks(box)))
    const degrees = (angle) => `${Math.round((angle * 180) / Math.PI)}°`
    readout.textContent = `Turned by ${degrees(angles.yaw)}, tilted by ${degrees(angles.pitch)}.`
      + " Drag it, or use the arrow keys."
  }
  const turn = (across, up) => {
    angles.yaw += across
    angles.pitch = Math.min(1.5, Math.max(-1.5, angles.pitch + up))
    draw()
  }
  box.setAttribute("aria-label", data.label)
  box.onpointerdown = (event) => {
    box.setPointerCapture(event.pointerId)
    box.classList.add("held")
  }
  box.onpointermove = (event) => {
    if (box.classList.contains("held")) turn(event.movementX * 0.008, event.movementY * 0.008)
  }
  box.onpointerup = box.onpointercancel = () => box.classList.remove("held")
  box.onkeydown = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    turn(TURN * step[0], TURN * step[1])
  }
  draw()
  const watch = new ResizeObserver(() => {
    if (Math.min(WIDEST, box.clientWidth) !== angles.width) draw()
  })
  watch.observe(box)
  offerFiles(parentElement.querySelector(".files"), data.name, () => picture(data, angles, inks(box)))
  return () => watch.disconnect()
}
