// Clusterings of the same points side by side. Points and centres are dragged here, by mouse, finger
// or arrow keys, and colours follow here too; the server hears once, where something was let go.

const QUIET_MS = 700 // after the last arrow key
const REACH = { centre: 17, point: 9 } // pixels within which a press takes hold
const AHEAD_MS = 3000 // at most so long what is drawn here is preferred to what the server sent last
const TYPING = "input, textarea, select, [contenteditable=true]"
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const states = new WeakMap() // by component: what is drawn, and what the visitor has in hand

// ---- Panels ----

function build(box, scene) {
  const figures = scene.panels.map(() => {
    const figure = document.createElement("figure")
    const caption = document.createElement("figcaption")
    caption.append(document.createElement("b"), document.createElement("span"))
    const canvas = document.createElement("canvas")
    figure.append(caption, canvas)
    return figure
  })
  box.classList.toggle("alone", scene.panels.length === 1)
  box.replaceChildren(...figures)
}

function drawAll(state, box) {
  const began = performance.now()
  const { scene, hand } = state
  // In a small panel large text would hide the points.
  const width = box.querySelector("canvas").clientWidth
  const ink = inksOf(box, Math.min(scene.text_size, Math.max(13, width / 24)))
  ;[...box.querySelectorAll("figure")].forEach((figure, i) => {
    const [canvas, panel] = [figure.querySelector("canvas"), scene.panels[i]]
    const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1]
    if (!width) return
    canvas.width = width * ratio
    canvas.height = height * ratio
    const context = canvas.getContext("2d")
    context.scale(ratio, ratio)
    const inHand = hand?.kind === "centre" && hand.panel === i ? hand.index : null
    paint(new CanvasPen(context), viewOf(scene.bounds, width, height), scene, panel, ink, inHand)
    figure.querySelector("b").textContent = `${panel.title} `
    figure.querySelector("span").textContent = panel.note
    canvas.classList.toggle("movable", !scene.is_fixed && (scene.is_flat || scene.guessing))
    const hands = "Digits choose a centre, arrow keys move it, with Shift further."
    const how = scene.guessing ? "Arrow keys move your guess, Enter makes it." : hands
    canvas.setAttribute("aria-label", `${panel.title}: ${panel.note}. Points: ${count(panel)}. ${scene.is_fixed ? "" : how}`)
  })
  performance.clearMeasures("cluster panels")
  performance.measure("cluster panels", { start: began })
}

function whole(scene, box) {
  const [size, ink] = [[560, 415], inksOf(box, 13)]
  const [width, height] = [scene.panels.length * (size[0] + 16), size[1] + 30]
  const svg = drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })
  scene.panels.forEach((panel, i) => {
    const left = i * (size[0] + 16)
    const pen = new SvgPen(left, 30, ...size)
    paint(pen, viewOf(scene.bounds, ...size), scene, panel, ink, null)
    svg.append(pen.group)
    const title = new SvgPen(left, 0, size[0], 30)
    title.text(4, 20, `${panel.title} ${panel.note}`, { fill: ink.text, size: 15 })
    svg.append(title.group)
  })
  return svg
}

// ---- Hands ----

function within(places, place, reach) {
  let [best, least] = [null, reach ** 2]
  places.forEach((other, i) => {
    const distance = squaredDistance(other, place)
    if (distance <= least) [best, least] = [i, distance]
  })
  return best
}

function held(state, canvas, panel, event) {
  const box = canvas.getBoundingClientRect()
  const view = viewOf(state.scene.bounds, box.width, box.height)
  const place = [event.clientX - box.left, event.clientY - box.top]
  const at = { panel, place, view, point: view.point(place), hasMoved: false }
  if (state.scene.guessing) return { ...at, kind: "guess", index: 0 }
  const centre = within(state.scene.panels[panel].centres.map(view.place), place, REACH.centre)
  if (centre !== null) return { ...at, kind: "centre", index: centre }
  const point = within(state.scene.points.map(view.place), place, REACH.point)
  if (point !== null) return { ...at, kind: "point", index: point }
  return { ...at, kind: "add", index: 0 }
}

function move(state, hand, point) {
  hand.point = point
  const { scene } = state
  if (hand.kind === "centre") moveCentre(scene, scene.panels[hand.panel], hand.index, point)
  if (hand.kind === "point" && scene.is_flat) movePoint(scene, hand.index, point)
  if (hand.kind === "guess") scene.panels[hand.panel].guess = point
}

// ---- What is foreseen ----

function isPressed({ button, shortcut }, event) {
  const target = event.composedPath()[0] // also within a component
  if (event.type === "click") return target.closest(`.st-key-${button} button`)?.disabled === false
  // Streamlit prevents the default of just those keys that it takes for a button.
  return event.key === shortcut && event.defaultPrevented && !target.closest(TYPING)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".panels")
  const readout = parentElement.querySelector(".readout")
  const state = states.get(parentElement) ?? { hand: null, timer: null, frame: null }
  states.set(parentElement, state)
  const draw = () => drawAll(state, box)
  const redraw = () => {
    state.frame ??= requestAnimationFrame(() => {
      state.frame = null
      draw()
    })
  }
  const restore = () => {
    state.hand = null
    state.scene = sceneOf(data)
    readout.textContent = data.hint
    redraw()
  }
  const goAhead = () => {
    const ahead = { of: data }
    state.ahead = ahead
    setTimeout(() => {
      if (state.ahead !== ahead) return
      state.ahead = null
      if (!state.hand) restore()
    }, AHEAD_MS)
  }
  const onPress = (event) => {
    const found = data.foreseen.find((foreseen) => isPressed(foreseen, event))
    // After a press or an edit only the server knows where the next press leads.
    if (!found || state.hand || state.ahead) return
    goAhead()
    state.scene = { ...state.scene, panels: panelsOf(found.panels) }
    draw()
  }
  const tell = (kind) => {
    const { panel, index, point } = state.hand
    clearTimeout(state.timer)
    state.hand = null
    goAhead()
    setTriggerValue("edited", { kind, panel, index, x: point[0], y: point[1] })
  }

  if (state.ahead?.of !== data) state.ahead = null
  // While something is in hand, an answer to an earlier move must not take it away.
  if (!state.hand && !state.ahead) state.scene = sceneOf(data)
  state.presses?.abort()
  state.presses = new AbortController()
  for (const kind of ["click", "keydown"]) window.addEventListener(kind, onPress, state.presses)
  const room = parentElement.querySelector(".room")
  room.classList.toggle("fills", data.fills)
  room.style.setProperty("--aspect", data.aspect)
  if (box.childElementCount !== data.panels.length) build(box, state.scene)
  ;[...box.querySelectorAll("canvas")].forEach((canvas, panel) => {
    canvas.setAttribute("role", data.is_fixed ? "img" : "application")
    canvas.tabIndex = data.is_fixed ? -1 : 0 // the tab key stops where keys do something
    canvas.onpointerdown = (event) => {
      if (event.button || data.is_fixed) return
      canvas.setPointerCapture(event.pointerId)
      state.hand = { ...held(state, canvas, panel, event), mayEdit: mayEdit(state, event) }
      canvas.classList.add("held")
    }
    canvas.onpointermove = (event) => {
      const now = held(state, canvas, panel, event)
      if (!canvas.classList.contains("held") || !state.hand) {
        canvas.classList.toggle("over", !data.is_fixed && (now.kind === "centre" || (now.kind === "point" && data.is_flat)))
        readout.textContent = now.kind === "point" ? describe(state.scene, now.index) : data.hint
        return
      }
      state.hand.hasMoved ||= squaredDistance(now.place, state.hand.place) > 9
      if (!state.hand.hasMoved || !state.hand.mayEdit) return
      move(state, state.hand, now.point)
      const counts = state.scene.panels.map((p) => `${p.title} ${count(p)}`).join(". ")
      readout.textContent = `${written(state.scene, now.point)}. Points of each cluster: ${counts}.`
      redraw()
    }
    canvas.onpointerup = () => {
      canvas.classList.remove("held")
      const { hand, scene } = state
      if (!hand) return
      // A tap answers a question and chooses a point; all else is an edit.
      if (!hand.mayEdit && hand.hasMoved) return restore()
      if (hand.kind === "guess") return tell("guess")
      if (hand.kind === "point" && !(hand.hasMoved && scene.is_flat)) return tell("choose")
      if (!hand.mayEdit) return restore()
      if (hand.kind === "point") return tell("point")
      if (hand.kind === "centre" && hand.hasMoved) return tell("centre")
      if (hand.kind === "add" && !hand.hasMoved && scene.is_flat) return tell("add")
      return restore()
    }
    canvas.onpointercancel = () => {
      canvas.classList.remove("held")
      restore()
    }
    canvas.onpointerleave = () => {
      canvas.classList.remove("over")
      if (!state.hand) readout.textContent = data.hint
    }
    canvas.onkeydown = (event) => onKey(event, panel)
    canvas.onblur = () => {
      if (state.timer && state.hand) tell(state.hand.kind)
      state.timer = null
    }
  })

  const onKey = (event, panel) => {
    const { scene } = state
    const chosen = "1234567890".indexOf(event.key)
    const arrow = ARROWS[event.key]
    if (data.is_fixed || event.ctrlKey || event.metaKey || event.altKey) return
    if (!arrow && event.key !== "Enter" && !(chosen >= 0 && chosen < scene.panels[panel].centres.length)) return
    event.preventDefault()
    event.stopPropagation()
    const kind = scene.guessing ? "guess" : "centre"
    const begin = (index) => {
      const place = scene.panels[panel].guess ?? scene.panels[panel].centres[index]
      state.hand = { panel, kind, index, point: kind === "guess" ? place : scene.panels[panel].centres[index] }
    }
    if (chosen >= 0) begin(chosen)
    else if (!state.hand || state.hand.panel !== panel) begin(Math.max(0, scene.panels[panel].asked ?? 0))
    if (event.key === "Enter") return tell(kind)
    if (arrow) {
      const step = (event.shiftKey ? 0.05 : 0.01) * (scene.bounds[1] - scene.bounds[0])
      move(state, state.hand, state.hand.point.map((value, n) => value + step * arrow[n]))
      clearTimeout(state.timer)
      if (kind === "centre") state.timer = setTimeout(() => tell(kind), QUIET_MS)
    }
    readout.textContent = `${kind === "guess" ? "Guess" : `Centre ${state.hand.index + 1}`} at ${written(scene, state.hand.point)}.`
    redraw()
  }

  if (!state.hand) readout.textContent = data.hint
  parentElement.querySelector(".edits").replaceChildren(...(data.is_fixed ? [] : [editButton(state, room)]))
  draw()
  offerFiles(parentElement.querySelector(".files"), data.name, () => whole(state.scene, box))
  const forget = followSize(state, box, draw)
  return () => {
    forget()
    state.presses.abort()
  }
}
