// Parts of the plane side by side: pictures under lines and points. In one of them points are painted,
// or a start is dragged, by mouse, finger or arrow keys; the server hears once, at the end of each.

const SIDE = 400 // of a panel's drawing, in its own units
const SPACING = 0.05 // of the width: painted points keep at least so far apart
const REACH = 14 // pixels within which the eraser takes a point
const AHEAD_MS = 3000 // at most so long what was painted here is preferred to what the server sent
const QUIET_MS = 500 // after the last arrow key
const ZERO = "#0072B2"
const ONE = "#D55E00"
const CLASSES = [["0", "● 0"], ["1", "▲ 1"], ["erase", "Erase"]]
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const states = new WeakMap() // by component: the pen, what was painted, what is in hand

// ---- Drawing ----

function viewOf([left, right, bottom, top]) {
  const [across, up] = [SIDE / (right - left), SIDE / (top - bottom)]
  return {
    place: ([x, y]) => [(x - left) * across, (top - y) * up],
    point: ([x, y]) => [left + x / across, top - y / up],
  }
}

// A point's mark: a circle for class 0, a triangle for class 1, a diamond for anything else.
function markOf({ kind, colour }, [x, y], r) {
  const look = { stroke: "#1a1a1a", "stroke-width": r / 5 }
  if (kind === 0) return drawn("circle", { cx: x, cy: y, r, fill: colour ?? ZERO, ...look })
  const d = kind === 1
    ? `M${x} ${y - 1.2 * r} L${x + 1.15 * r} ${y + 0.8 * r} L${x - 1.15 * r} ${y + 0.8 * r} Z`
    : `M${x} ${y - r} L${x + r} ${y} L${x} ${y + r} L${x - r} ${y} Z`
  return drawn("path", { d, fill: colour ?? ONE, ...look })
}

function written(x, y, content, size, ink, more = {}) {
  const halo = { stroke: ink.background, "stroke-width": size / 5, "paint-order": "stroke" }
  const text = drawn("text", { x, y, "font-size": size, fill: ink.text, "font-family": "sans-serif", ...halo, ...more })
  text.textContent = content
  return text
}

function drawLine(svg, line, view, unit, ink, pen, size) {
  const places = line.points.map(view.place)
  svg.append(drawn("polyline", {
    points: places.map((place) => place.map((v) => v.toFixed(1)).join(",")).join(" "),
    fill: "none",
    stroke: line.colour ?? pen,
    "stroke-width": line.width * unit,
    "stroke-dasharray": line.dash ? `${6 * unit} ${4 * unit}` : "none",
    "stroke-linejoin": "round",
    opacity: line.opacity ?? 1,
  }))
  if (line.towards) {
    // An arrow from the middle of the line to the side that it is about.
    const [a, b] = [places[0], places.at(-1)]
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
    const [x, y] = [line.towards[0], -line.towards[1]]
    const length = 16 * unit / Math.hypot(x, y)
    const tip = [middle[0] + x * length, middle[1] + y * length]
    const [u, v] = [0.35 * x * length, 0.35 * y * length]
    const d = `M${middle} L${tip} M${tip[0] - u - v} ${tip[1] - v + u} L${tip} L${tip[0] - u + v} ${tip[1] - v - u}`
    svg.append(drawn("path", { d, fill: "none", stroke: line.colour ?? pen, "stroke-width": 2 * unit }))
  }
  if (line.name) {
    const [x, y] = places.at(line.named_at ?? -1)
    const anchor = x > SIDE / 2 ? "end" : "start"
    const at = [Math.min(SIDE - 4, Math.max(4, x)), Math.min(SIDE - 0.4 * size, Math.max(size, y))]
    svg.append(written(...at, line.name, size, ink, { "text-anchor": anchor }))
  }
}

function paintPanel(svg, panel, view, unit, theme, textSize) {
  const size = textSize * unit
  // Pictures are pale in every theme.
  const ink = panel.image ? { text: "#1a1a1a", background: "#ffffff" } : theme
  const pen = ink.text
  svg.replaceChildren()
  if (panel.image) {
    const frame = { width: SIDE, height: SIDE, preserveAspectRatio: "none" }
    svg.append(drawn("image", { href: panel.image, ...frame }))
  }
  svg.append(drawn("rect", { width: SIDE, height: SIDE, fill: "none", stroke: "#808080", "stroke-width": unit }))
  // Lines that lead out of the plane end at its edge.
  const inside = drawn("svg", { width: SIDE, height: SIDE, overflow: "hidden" })
  for (const line of panel.lines) drawLine(inside, line, view, unit, ink, pen, size)
  svg.append(inside)
  for (const mark of panel.marks) {
    const place = view.place(mark.place)
    const r = (mark.radius ?? 7) * unit
    if (mark.is_ringed)
      svg.append(drawn("circle", { cx: place[0], cy: place[1], r: 2.1 * r, fill: "none", stroke: pen, "stroke-width": 2.5 * unit }))
    svg.append(markOf(mark, place, r))
    if (mark.is_wrong) {
      const d = [[-1, -1], [1, -1]].map(([a, b]) =>
        `M${place[0] + 1.6 * a * r} ${place[1] + 1.6 * b * r} L${place[0] - 1.6 * a * r} ${place[1] - 1.6 * b * r}`)
      svg.append(drawn("path", { d: d.join(" "), stroke: pen, "stroke-width": 2 * unit }))
    }
    if (mark.name) {
      const anchor = place[0] < 0.2 * SIDE ? "start" : place[0] > 0.8 * SIDE ? "end" : "middle"
      const isHigh = place[1] < 2 * r + 1.2 * size
      const y = place[1] + (isHigh ? 2 * r + size : -2.2 * r)
      svg.append(written(place[0], y, mark.name, size, ink, { "text-anchor": anchor }))
    }
  }
  if (panel.is_asked) {
    const middle = { "text-anchor": "middle", "dominant-baseline": "central" }
    svg.append(written(SIDE / 2, SIDE / 2, "?", 0.3 * SIDE, ink, middle))
  }
  panel.names.forEach((name, i) => {
    const [x, y] = i ? [6 * unit, size] : [SIDE - 6 * unit, SIDE - 6 * unit]
    svg.append(written(x, y, name, size, ink, { "text-anchor": i ? "start" : "end" }))
  })
}

function build(box, panels) {
  box.replaceChildren(...panels.map(() => {
    const figure = document.createElement("figure")
    const caption = document.createElement("figcaption")
    caption.append(document.createElement("b"), document.createElement("span"))
    const svg = drawn("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img" })
    figure.append(caption, svg)
    return figure
  }))
}

// Marks that several panels have are sent with the first of them, and named by its number.
function marksOf({ panels, painted }, i, points) {
  const { marks } = panels[i]
  const own = typeof marks === "number" ? panels[marks].marks : marks
  return painted === i ? [...own, ...points.map(([x, y, kind]) => ({ place: [x, y], kind }))] : own
}

function drawAll(state, box) {
  const { data } = state
  const ink = inks(box)
  ;[...box.querySelectorAll("figure")].forEach((figure, i) => {
    const svg = figure.querySelector("svg")
    const own = data.panels[i]
    const isPainted = data.painted === i
    const panel = { ...own, marks: marksOf(data, i, state.points) }
    const side = Math.min(svg.clientWidth, svg.clientHeight) || SIDE
    const unit = SIDE / side
    paintPanel(svg, panel, viewOf(own.bounds), unit, ink, Math.min(data.text_size, Math.max(11, side / 14)))
    const caption = figure.querySelector("figcaption")
    caption.querySelector("b").textContent = own.title
    caption.querySelector("span").textContent = own.note ? ` ${own.note}` : ""
    svg.setAttribute("aria-label", `${own.title} ${own.note}. ${own.alt}`)
    svg.classList.toggle("painted", isPainted)
    if (data.dragged?.panel === i) drawHandle(state, svg, viewOf(own.bounds), unit)
  })
}

function drawHandle(state, svg, view, unit) {
  const [cx, cy] = view.place(state.handle ?? state.data.dragged.place)
  svg.setAttribute("role", "application")
  svg.tabIndex = 0
  svg.append(drawn("circle", {
    class: "handle", cx, cy, r: 12 * unit, fill: "#ffffff", "fill-opacity": 0.6, stroke: "#1a1a1a", "stroke-width": 3 * unit,
  }))
}

function whole(state, box) {
  const { data } = state
  const [ink, columns] = [inks(box), data.columns]
  const rows = Math.ceil(data.panels.length / columns)
  const [width, height] = [columns * (SIDE + 16), rows * (SIDE + 34)]
  const sheet = drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })
  data.panels.forEach((panel, i) => {
    const [left, top] = [(i % columns) * (SIDE + 16), Math.floor(i / columns) * (SIDE + 34)]
    const svg = drawn("svg", { x: left, y: top + 28, width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}` })
    const marks = marksOf(data, i, state.points)
    paintPanel(svg, { ...panel, marks }, viewOf(panel.bounds), 1, ink, 14)
    sheet.append(written(left + 2, top + 20, `${panel.title} ${panel.note}`, 15, ink), svg)
  })
  return sheet
}

// ---- Hands ----

function pointAt(svg, event, bounds) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse())
  const { point } = viewOf(bounds)
  const [left, right, bottom, top] = bounds
  const [x, y] = point([place.x, place.y])
  const isInside = place.x >= 0 && place.y >= 0 && place.x <= SIDE && place.y <= SIDE
  const within = [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))]
  return { isInside, point: within.map((v) => Math.round(100 * v) / 100) }
}

function isNear(a, b, distance) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]) < distance
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".panels")
  const pens = parentElement.querySelector(".pens")
  const readout = parentElement.querySelector(".readout")
  const room = parentElement.querySelector(".room")
  const state = states.get(parentElement) ?? { pen: "1", points: [], undo: [], sent: null, isDown: false, handle: null, timer: null }
  states.set(parentElement, state)
  const isPainting = data.painted !== null
  const arrived = JSON.stringify(data.points)
  if (state.sent === arrived || performance.now() > (state.ahead ?? 0)) state.sent = null
  if (!state.isDown && state.sent === null) state.points = data.points.map((point) => [...point])
  if (!state.isHeld) state.handle = null
  state.data = data
  const redraw = () => drawAll(state, box)

  const tellPainted = () => {
    state.sent = JSON.stringify(state.points)
    state.ahead = performance.now() + AHEAD_MS
    setTriggerValue("painted", { points: state.points })
  }
  const remember = (points) => {
    state.undo.push(points)
    state.undo.splice(0, state.undo.length - 50)
  }
  const touch = (svg, event, bounds) => {
    const { isInside, point } = pointAt(svg, event, bounds)
    if (!isInside) return
    const width = bounds[1] - bounds[0]
    if (state.pen === "erase") {
      const reach = (REACH * width) / Math.max(1, Math.min(svg.clientWidth, svg.clientHeight))
      state.points = state.points.filter((other) => !isNear(other, point, reach))
    } else if (state.points.length >= data.most) {
      readout.textContent = `${data.most} points are the most.`
    } else if (!state.points.some((other) => isNear(other, point, SPACING * width))) {
      state.points = [...state.points, [...point, Number(state.pen)]]
    }
    redraw()
  }
  const drawPens = () => {
    if (!isPainting) return pens.replaceChildren()
    const act = (points) => () => {
      if (!points()) return
      redraw()
      tellPainted()
    }
    pens.replaceChildren(
      editButton(state, room),
      ...CLASSES.map(([pen, label]) =>
        penButton(label, () => { state.pen = pen; drawPens() }, String(state.pen === pen))),
      penButton("Undo", act(() => {
        const before = state.undo.pop()
        if (before) state.points = before
        return before
      })),
      penButton("Clear", act(() => {
        if (!state.points.length) return false
        remember(state.points)
        state.points = []
        return true
      })),
    )
  }

  room.classList.toggle("fills", data.fills)
  room.classList.toggle("small", data.columns > 2 && data.panels.length > 3)
  room.style.setProperty("--columns", data.columns)
  room.style.setProperty("--rows", Math.ceil(data.panels.length / data.columns))
  room.style.setProperty("--height", `${data.height}px`)
  if (box.childElementCount !== data.panels.length) build(box, data.panels)
  ;[...box.querySelectorAll("figure > svg")].forEach((svg, i) => {
    const { bounds } = data.panels[i]
    const isHandled = data.dragged?.panel === i
    svg.onpointerdown = (event) => {
      if (event.button) return
      if (data.painted === i) {
        if (!mayEdit(state, event)) return
        svg.setPointerCapture(event.pointerId)
        state.isDown = true
        state.before = state.points
        touch(svg, event, bounds)
      } else if (isHandled) {
        // By finger only the handle itself is taken, and only a drag moves it.
        const isFinger = event.pointerType === "touch"
        if (isFinger && !event.target.classList.contains("handle")) return
        svg.setPointerCapture(event.pointerId)
        state.isHeld = true
        if (isFinger) return
        state.handle = pointAt(svg, event, bounds).point
        redraw()
      }
    }
    svg.onpointermove = (event) => {
      if (state.isDown && data.painted === i) touch(svg, event, bounds)
      if (state.isHeld && isHandled) {
        state.handle = pointAt(svg, event, bounds).point
        readout.textContent = `Start at (${state.handle.join(", ")})`
        redraw()
      }
    }
    svg.onpointerup = svg.onpointercancel = () => {
      if (state.isDown) {
        state.isDown = false
        if (state.points !== state.before) {
          remember(state.before)
          tellPainted()
        }
      }
      if (state.isHeld) {
        state.isHeld = false
        if (state.handle) setTriggerValue("dropped", { place: state.handle })
      }
    }
    svg.onkeydown = (event) => {
      const arrow = ARROWS[event.key]
      if (!isHandled || !arrow) return
      event.preventDefault()
      event.stopPropagation()
      const step = (event.shiftKey ? 0.05 : 0.01) * (bounds[1] - bounds[0])
      const now = state.handle ?? data.dragged.place
      const moved = now.map((v, n) => Math.round(100 * (v + step * arrow[n])) / 100)
      state.handle = [Math.min(bounds[1], Math.max(bounds[0], moved[0])), Math.min(bounds[3], Math.max(bounds[2], moved[1]))]
      state.isHeld = true
      redraw()
      clearTimeout(state.timer)
      state.timer = setTimeout(() => {
        state.isHeld = false
        setTriggerValue("dropped", { place: state.handle })
      }, QUIET_MS)
    }
  })
  drawPens()
  readout.textContent = data.hint
  redraw()
  offerFiles(parentElement.querySelector(".files"), data.name, () => whole(state, box))
  return followSize(state, box, () => drawAll(state, box))
}
