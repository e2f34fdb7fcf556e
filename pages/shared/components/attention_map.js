// One head, enlarged: queries down, keys across. A click, or Enter, chooses a cell.

const kept = new WeakMap() // what the handlers read: the data, its numbers, and the cell pointed at

const HIDDEN = -32768 // where the mask lies

const number = (value) => (Math.abs(value) >= 1000 ? value.toExponential(1) : value.toFixed(2))

function written(data, value) {
  return data.is_weight ? percent(value) : number(value)
}

function describe({ data, values }, [query, key]) {
  const pair = `${data.tokens[query]} → ${data.tokens[key]}`
  const stored = values[query * data.tokens.length + key]
  if (stored === HIDDEN) return `${pair}: masked, no weight`
  return `${pair}: ${data.quantity} ${written(data, stored * data.step)}`
}

// By the square root, so that what is small is seen: weights in one colour, scores by their sign.
function cells({ data, values }, ink) {
  const n = data.tokens.length
  return painted(n, (i) => {
    const value = values[i] === HIDDEN ? 0 : values[i] * data.step
    if (data.is_weight) return [ink.weight, Math.sqrt(value)]
    return [value < 0 ? ink.negative : ink.positive, Math.sqrt(Math.abs(value) / data.reach)]
  })
}

function hatched(svg, state, place, side, ink) {
  const n = state.data.tokens.length
  const pattern = { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse" }
  const line = drawn("path", { d: "M0 7 L7 0", stroke: "#808080", "stroke-width": 0.8, opacity: 0.7 })
  svg.append(drawn("defs", {}, drawn("pattern", pattern, line)))
  let path = ""
  for (let query = 0; query < n; query++) {
    const row = state.values.subarray(query * n, (query + 1) * n)
    const first = row.indexOf(HIDDEN)
    if (first < 0) continue
    path += `M${place(first)} ${place(query)}H${place(row.lastIndexOf(HIDDEN) + 1)}v${side}H${place(first)}z`
  }
  if (path) svg.append(drawn("path", { d: path, fill: "url(#hatch)" }))
}

function labels(svg, data, place, side, margin, ink) {
  const end = place(data.tokens.length)
  const size = data.text_size
  const every = Math.ceil((1.05 * size) / side)
  data.tokens.forEach((token, i) => {
    if (i % every) return
    const middle = place(i) + side / 2
    const look = { fill: ink.text, "font-family": "monospace", "font-size": size, "text-anchor": "end" }
    const left = drawn("text", { x: margin - 4, y: middle, "dominant-baseline": "central", ...look })
    const turned = `translate(${middle} ${end + 6}) rotate(-90)`
    const below = drawn("text", { transform: turned, "dominant-baseline": "central", ...look })
    left.textContent = below.textContent = token
    svg.append(left, below)
  })
}

function chart(state, ink) {
  const { data } = state
  const n = data.tokens.length
  const margin = 6 + 0.62 * data.text_size * Math.max(...data.tokens.map((t) => t.length))
  const square = Math.max(200, state.room - margin - 2)
  const side = square / n
  const [width, height] = [margin + square + 2, square + 2 * margin]
  const place = (i) => margin + i * side
  const svg = drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })
  const frame = { x: margin, y: margin, width: square, height: square }
  const href = cells(state, ink).toDataURL()
  const still = { preserveAspectRatio: "none", style: "image-rendering: pixelated" }
  svg.append(drawn("image", { href, ...frame, ...still }))
  hatched(svg, state, place, side, ink)
  svg.append(drawn("rect", { ...frame, fill: "none", stroke: "#808080" }))
  const [query, key] = data.chosen
  const line = { fill: "none", stroke: ink.chosen, "stroke-width": 1.2 }
  svg.append(
    drawn("rect", { ...line, x: margin, y: place(query), width: square, height: side }),
    drawn("rect", { ...line, x: place(key), y: margin, width: side, height: square }),
    drawn("rect", { ...line, x: place(key), y: place(query), width: side, height: side, "stroke-width": 3 }),
    drawn("rect", { class: "pointed", fill: "none", stroke: ink.text, "stroke-width": 2, width: side, height: side, visibility: "hidden" }),
  )
  labels(svg, data, place, side, margin, ink)
  const title = drawn("text", { x: margin, y: margin - 10, fill: ink.text, "font-family": "sans-serif", "font-size": data.text_size + 1 })
  title.textContent = data.title
  svg.append(title)
  return { svg, margin, side, place }
}

function point(state, cell) {
  const { shown, readout } = state
  const mark = shown.svg.querySelector(".pointed")
  if (!cell) {
    mark.setAttribute("visibility", "hidden")
    readout.textContent = describe(state, state.data.chosen)
    return
  }
  mark.setAttribute("visibility", "visible")
  mark.setAttribute("x", shown.place(cell[1]))
  mark.setAttribute("y", shown.place(cell[0]))
  readout.textContent = describe(state, cell)
}

function cellAt(state, event) {
  const box = state.shown.svg.getBoundingClientRect()
  const unit = state.shown.svg.viewBox.baseVal.width / box.width
  const n = state.data.tokens.length
  const cell = [event.clientY - box.top, event.clientX - box.left].map((pixels) =>
    Math.floor((pixels * unit - state.shown.margin) / state.shown.side),
  )
  return cell.every((i) => i >= 0 && i < n) ? cell : null
}

function listen(state, setTriggerValue) {
  const { svg } = state.shown
  const n = state.data.tokens.length
  let at = state.data.chosen
  svg.onpointermove = (event) => point(state, cellAt(state, event))
  svg.onpointerleave = () => point(state, null)
  svg.onclick = (event) => {
    const cell = cellAt(state, event)
    if (cell) setTriggerValue("chosen", cell)
  }
  svg.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      setTriggerValue("chosen", at)
      return
    }
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    at = at.map((i, axis) => Math.min(n - 1, Math.max(0, i + move[axis])))
    point(state, at)
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".map")
  const readout = parentElement.querySelector(".readout")
  const state = { data, readout, room: box.clientWidth || 560 } // text keeps its size on a phone
  kept.set(parentElement, state)
  unpacked(data.values).then((buffer) => {
    if (kept.get(parentElement) !== state) return // a newer map has come in the meantime
    const ink = inks(box)
    state.values = new Int16Array(buffer)
    state.shown = chart(state, ink)
    const { svg } = state.shown
    const hadFocus = box.firstChild?.matches?.(":focus")
    svg.setAttribute("tabindex", "0")
    svg.setAttribute("role", "application")
    svg.setAttribute("aria-label", `${data.title}. Arrow keys move from cell to cell, Enter chooses one.`)
    box.replaceChildren(svg)
    if (hadFocus) svg.focus()
    point(state, null)
    listen(state, setTriggerValue)
    offerFiles(parentElement.querySelector(".files"), data.name, () => chart(state, ink).svg)
  })
}
