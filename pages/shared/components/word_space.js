// Words in three dimensions, turned by dragging or by the arrow keys. Near words are larger and
// darker than far ones; words are written where there is room, the chosen one and its neighbours first.
// The server hears the angle, in whole degrees, once it was let go.

const WIDEST = 720
const TURN = 6 // degrees a key
const DRAGGED = 0.45 // degrees a pixel
const QUIET_MS = 500 // after the last arrow key
const FAR = 3.4 // the eye's distance, in units of the space's reach
const COLOURS = { chosen: "#D55E00", near: "#0072B2", far: "#E69F00", other: "#808080" }
const states = new WeakMap() // by component: how it is turned, and whether a hand turns it now

const radians = (degrees) => (degrees * Math.PI) / 180

function seen([x, y, z], { turn, tilt, width, height }) {
  const [yaw, pitch] = [radians(turn), radians(tilt)]
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

function names(svg, data, places, order, ink, width) {
  const taken = []
  for (const i of order) {
    const { x, y, depth } = places[i]
    const size = data.text_size * (1 + 0.25 * depth)
    const long = 0.56 * size * (data.words[i].length + 2)
    const goesLeft = x + long > width && x > long // at the right edge
    const left = goesLeft ? x - long : x
    const box = [left, left + long, y - 0.6 * size, y + 0.6 * size]
    const covers = (other) =>
      box[0] < other[1] && other[0] < box[1] && box[2] < other[3] && other[2] < box[3]
    if (data.roles[i] !== "chosen" && taken.some(covers)) continue
    taken.push(box)
    const text = drawn("text", {
      x: goesLeft ? x - 9 : x + 9, y, "text-anchor": goesLeft ? "end" : "start", "dominant-baseline": "central", "font-size": size, fill: ink.text,
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
    shape.setAttribute("opacity", isOther ? 0.7 + 0.25 * depth : 1)
    svg.append(shape)
  }
  const rank = { chosen: 0, near: 1, far: 1, other: 2 }
  const order = byDepth.reverse().sort((a, b) => rank[data.roles[a]] - rank[data.roles[b]])
  names(svg, data, places, order, ink, width)
  return svg
}

function legend(entries) {
  return entries.map(({ role, name, colour }) => {
    const shape = mark(role, 8, 8, role === "other" ? 5 : 6)
    shape.setAttribute("fill", colour || COLOURS[role])
    const entry = document.createElement("li")
    const words = document.createElement("span")
    words.textContent = name
    entry.append(drawn("svg", { width: 16, height: 16, "aria-hidden": "true" }, shape), words)
    return entry
  })
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".space")
  const readout = parentElement.querySelector(".readout")
  const angles = states.get(parentElement) ?? { held: false, timer: null }
  states.set(parentElement, angles)
  // While a hand turns it, an answer to an earlier turn must not take it away.
  if (!angles.held) Object.assign(angles, { turn: data.turn, tilt: data.tilt })
  const draw = () => {
    angles.width = Math.min(WIDEST, Math.max(300, box.clientWidth)) // its letters keep their size
    angles.height = Math.round(Math.max(0.6 * angles.width, 340))
    box.replaceChildren(picture(data, angles, inks(box)))
    readout.textContent = `Turned by ${Math.round(angles.turn)}°, tilted by ${Math.round(angles.tilt)}°.`
      + " Drag it, or use the arrow keys."
  }
  const turn = (across, up) => {
    const turned = angles.turn + across
    angles.held = true
    angles.turn = turned - 360 * Math.round(turned / 360)
    angles.tilt = Math.min(90, Math.max(-90, angles.tilt + up))
    draw()
  }
  const tell = () => {
    clearTimeout(angles.timer)
    if (!angles.held) return
    angles.held = false
    const [turned, tilted] = [Math.round(angles.turn), Math.round(angles.tilt)]
    Object.assign(angles, { turn: turned, tilt: tilted })
    draw()
    setTriggerValue("turned", { turn: turned, tilt: tilted })
  }
  box.setAttribute("aria-label", data.label)
  parentElement.querySelector(".legend").replaceChildren(...legend(data.legend))
  box.onpointerdown = (event) => {
    box.setPointerCapture(event.pointerId)
    box.classList.add("held")
  }
  box.onpointermove = (event) => {
    if (box.classList.contains("held")) turn(event.movementX * DRAGGED, event.movementY * DRAGGED)
  }
  box.onpointerup = box.onpointercancel = () => {
    box.classList.remove("held")
    tell()
  }
  box.onblur = tell
  box.onkeydown = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    turn(TURN * step[0], TURN * step[1])
    clearTimeout(angles.timer)
    angles.timer = setTimeout(tell, QUIET_MS)
  }
  draw()
  const watch = new ResizeObserver(() => {
    if (Math.min(WIDEST, box.clientWidth) !== angles.width) draw()
  })
  watch.observe(box)
  offerFiles(parentElement.querySelector(".files"), data.name, () => picture(data, angles, inks(box)))
  return () => watch.disconnect()
}
