// Grids of numbers side by side, each number a coloured cell. On one of them cells are painted, on others
// they are picked, by mouse, finger or keys; the server hears once, at the end of each stroke.

const AHEAD_MS = 3000 // at most so long what was painted here is preferred to what the server sent
const QUIET_MS = 600 // after the last key
const LEAST_TEXT = 7 // pixels: smaller numbers are left out
const CROWDED = 9 // pixels: numbers that would be smaller are left out of square cells
const LEGIBLE = 15 // pixels: names on a projector
const LEAST_WORD = [10, LEGIBLE] // pixels: words that would be smaller are cut, on the projector too; percentages lose their sign
const NARROW = 560 // pixels: below, grids stand under each other
const PEN = [["draw", "Draw"], ["erase", "Erase"]]
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }
const SIGNED = [[8, 81, 156], [107, 174, 214], [244, 244, 244], [247, 150, 70], [160, 74, 5]]
const PAPER = [250, 250, 248]
const INK = [38, 40, 44]
const PADDED = "#e3e3e3"
const states = new WeakMap() // by component: the pen, what is painted, what it was before

// ---- Drawing ----

const mixed = (a, b, t) => a.map((v, i) => Math.round(v + t * (b[i] - v)))

function shadeOf(grid, row, value) {
  const reach = grid.reach.length ? grid.reach[row] : grid.reach
  const share = Math.max(-1, Math.min(1, value / reach))
  if (!grid.is_signed) return mixed(PAPER, INK, Math.max(0, share))
  const place = 2 * (share + 1)
  const low = Math.min(3, Math.floor(place))
  return mixed(SIGNED[low], SIGNED[low + 1], place - low)
}

const minus = (text) => text.replace("-", "−")

// A number in few letters: whole ones as they are, others with two digits.
const inWords = (value) => minus(Number.isInteger(value) ? `${value}` : value.toFixed(Math.abs(value) < 9.95 ? 2 : 1))

// Text is large on the projector.
const leastWord = (size) => LEAST_WORD[size > 17 ? 1 : 0]

// Where a grid's cells lie in so much room, in pixels: each `cell` high and `wide`; names of rows stand left, of columns above.
function layoutOf(grid, width, height, size) {
  const longest = Math.max(0, ...grid.row_names.map((name) => name.length))
  const share = grid.is_wide ? Math.max(0.36, (0.6 * leastWord(size) * longest + 8) / width) : 0.5
  const left = longest ? Math.min(Math.min(share, 0.5) * width, 0.6 * size * longest + 8) : 0
  const top = grid.column_names.length ? 1.4 * size : 0
  const most = (width - left - 2) / grid.columns
  const cell = Math.min(grid.is_wide ? Infinity : most, (height - top - 2) / grid.rows, grid.largest)
  const wide = grid.is_wide ? Math.min(most, 5 * cell) : cell
  const names = grid.is_wide ? Math.min(size, 0.9 * cell, (left - 8) / (0.6 * longest)) : size // as large as there is room
  return { cell, wide, names, left: left + Math.max(0, (width - left - wide * grid.columns) / 2), top: top + 1 }
}

function heightOf(grid, width, size) {
  const { cell, top } = layoutOf(grid, width, 1e6, size)
  return Math.ceil(top + cell * grid.rows + 2)
}

function written(x, y, content, size, colour, more = {}) {
  const text = drawn("text", {
    x, y, "font-size": size, fill: colour, "font-family": "sans-serif", "text-anchor": "middle",
    "dominant-baseline": "central", ...more,
  })
  text.textContent = content
  return text
}

function drawCell(svg, grid, values, at, { cell, wide, left, top }, ink, { most, drops, least }) {
  const [row, column] = [Math.floor(at / grid.columns), at % grid.columns]
  const [x, y] = [left + column * wide, top + row * cell]
  const [rows, columns] = grid.padding
  const isMuted = grid.muted.some(([r, c]) => r === row && c === column)
  const isPadding = isMuted || row < rows || column < columns || row >= grid.rows - rows || column >= grid.columns - columns
  const value = values[at]
  const isAsked = value === null
  const shade = isAsked ? null : shadeOf(grid, row, value)
  svg.append(drawn("rect", {
    x: x + 0.5, y: y + 0.5, width: wide - 1, height: cell - 1,
    fill: isAsked ? "none" : isPadding ? PADDED : `rgb(${shade})`,
    stroke: "#808080", "stroke-width": isAsked ? 1 : 0.5, "stroke-dasharray": isPadding || isAsked ? "3 2" : "none",
  }))
  const whole = isAsked ? "?" : grid.texts ? grid.texts[at] : grid.has_numbers ? inWords(value) : ""
  const short = drops ? whole.replace(/\s*%$/, "") : whole
  const letters = Math.floor((1.5 * wide) / least)
  const isCut = grid.is_wide && short.length > letters && !/\d/.test(short)
  const text = isCut ? `${short.slice(0, Math.max(1, letters - 1))}…` : short
  const size = Math.min(grid.is_wide ? 0.7 * cell : 0.6 * cell, (1.5 * wide) / Math.max(1, text.length), most)
  if (!text || size < (grid.is_wide ? LEAST_TEXT : CROWDED)) return
  const colour = isAsked ? ink.text : isPadding ? "#666666" : inkOn(shade)
  svg.append(written(x + wide / 2, y + cell / 2, text, size, colour))
}

// The letters that four of five texts of a grid have at most.
function usualLength(grid, drops) {
  const lengths = (grid.texts ?? ["?"]).map((text) => Math.max(1, text.length - (drops ? 2 : 0))).sort((a, b) => a - b)
  return lengths[Math.floor(0.8 * (lengths.length - 1))]
}

function paintGrid(svg, grid, values, width, height, ink, size) {
  const layout = layoutOf(grid, width, height, size)
  const { cell, wide, names, left, top } = layout
  const least = leastWord(size)
  const hasSign = (text) => text.endsWith("%") && text.length > 1
  const drops = grid.is_wide && grid.texts?.some((text) => hasSign(text) && (1.5 * wide) / text.length < least)
  const most = grid.is_wide ? Math.min(size, Math.max(least, (1.5 * wide) / usualLength(grid, drops))) : 24 // words of one size
  svg.replaceChildren()
  for (let at = 0; at < values.length; at++) drawCell(svg, grid, values, at, layout, ink, { most, drops, least })
  grid.row_names.forEach((name, row) =>
    svg.append(written(left - 6, top + (row + 0.5) * cell, name, names, ink.text, { "text-anchor": "end" })))
  grid.column_names.forEach((name, column) =>
    svg.append(written(left + (column + 0.5) * wide, top - 0.7 * size, name, Math.min(size, 0.62 * wide + 4, (1.5 * wide) / Math.max(1, name.length)), ink.text)))
  for (const { row, column, height: rows, width: columns, is_dashed } of grid.outlines) {
    const box = { x: left + column * wide, y: top + row * cell, width: columns * wide, height: rows * cell, fill: "none" }
    svg.append(drawn("rect", { ...box, stroke: "#ffffff", "stroke-width": 5, opacity: is_dashed ? 0 : 0.8 }))
    svg.append(drawn("rect", { ...box, stroke: "#D55E00", "stroke-width": 3, "stroke-dasharray": is_dashed ? "6 4" : "none" }))
  }
  return layout
}

const gridsOf = (data) => data.stacks.flat()
const valuesOf = (state, at) => (state.data.painted === at ? state.values : gridsOf(state.data)[at].values)

function build(box, data) {
  box.replaceChildren(...data.stacks.map((stack, i) => {
    const column = document.createElement("div")
    column.className = "stack"
    column.style.flex = `${data.widths[i]} 1 0`
    column.style.setProperty("--narrow", `${data.narrow[i]}%`)
    column.append(...stack.map((grid) => {
      const figure = document.createElement("figure")
      figure.style.flex = `${grid.share} 1 0`
      const caption = document.createElement("figcaption")
      figure.append(caption, drawn("svg", { role: "img" }))
      return figure
    }))
    return column
  }))
}

function titled(caption, grid) {
  const [title, note] = ["b", "span"].map((kind) => document.createElement(kind))
  title.textContent = grid.title
  note.textContent = grid.note ? ` ${grid.note}` : ""
  caption.replaceChildren(...(grid.title || grid.note ? [title, note] : []))
}

function drawAll(state, box) {
  const { data } = state
  const ink = inks(box)
  const isNarrow = box.clientWidth < NARROW && !data.fills
  state.layouts = []
  ;[...box.querySelectorAll("figure")].forEach((figure, at) => {
    const grid = gridsOf(data)[at]
    const caption = figure.querySelector("figcaption")
    if (data.painted !== at) titled(caption, grid)
    const svg = figure.querySelector("svg")
    const width = figure.clientWidth
    const size = Math.min(data.text_size, Math.max(data.fills ? LEGIBLE : 11, width / 16))
    svg.style.height = isNarrow ? `${heightOf(grid, width, size)}px` : ""
    const height = isNarrow ? heightOf(grid, width, size) : svg.clientHeight
    state.layouts.push(paintGrid(svg, grid, valuesOf(state, at), width, height, ink, size))
    svg.setAttribute("aria-label", `${grid.title} ${grid.note}. ${grid.alt}`)
    const isPainted = data.painted === at
    svg.classList.toggle("painted", isPainted)
    svg.classList.toggle("picked", grid.is_picked)
    if (isPainted) svg.tabIndex = 0
    if (isPainted && state.cursor && svg.getRootNode().activeElement === svg) {
      const { cell, wide, left, top } = state.layouts[at]
      const [row, column] = state.cursor
      svg.append(drawn("rect", {
        x: left + column * wide, y: top + row * cell, width: wide, height: cell, fill: "none",
        stroke: "#0072B2", "stroke-width": 3,
      }))
    }
  })
}

function whole(state, box) {
  const ink = inks(box)
  const figures = [...box.querySelectorAll("figure")]
  const place = box.getBoundingClientRect()
  const sheet = drawn("svg", { xmlns: SVG, width: place.width, height: place.height, viewBox: `0 0 ${place.width} ${place.height}` })
  figures.forEach((figure, at) => {
    const grid = gridsOf(state.data)[at]
    const own = figure.getBoundingClientRect()
    const of = figure.querySelector("svg").getBoundingClientRect()
    const svg = drawn("svg", { x: of.x - place.x, y: of.y - place.y, width: of.width, height: of.height })
    paintGrid(svg, grid, valuesOf(state, at), of.width, of.height, ink, 13)
    const title = written(own.x - place.x, own.y - place.y + 9, `${grid.title} ${grid.note}`, 13, ink.text, { "text-anchor": "start" })
    sheet.append(title, svg)
  })
  return sheet
}

// ---- Hands ----

// The place under a pointer in cells, as fractions: (row, column).
function placeOf(svg, event, { cell, wide, left, top }) {
  const box = svg.getBoundingClientRect()
  return [(event.clientY - box.y - top) / cell, (event.clientX - box.x - left) / wide]
}

function cellAt(grid, place) {
  const [row, column] = place.map(Math.floor)
  return row >= 0 && column >= 0 && row < grid.rows && column < grid.columns ? [row, column] : null
}

// Each cell takes as much ink as the brush covers of it; a brush of 0 fills the cell that it is in.
function touched(values, grid, [y, x], { brush, most }, pen) {
  const home = cellAt(grid, [y, x])
  return values.map((value, at) => {
    const [row, column] = [Math.floor(at / grid.columns), at % grid.columns]
    const isHome = home && home[0] === row && home[1] === column
    const distance = Math.hypot(row + 0.5 - y, column + 0.5 - x)
    const share = brush ? Math.max(0, Math.min(1, brush + 0.5 - distance)) : isHome ? 1 : 0
    if (pen === "erase") return share > 0.3 ? 0 : value
    return Math.max(value, Math.round(share * most))
  })
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".grids")
  const room = parentElement.querySelector(".room")
  const state = states.get(parentElement) ?? { pen: "draw", values: [], undo: [], sent: null, isDown: false, timer: null, cursor: null }
  states.set(parentElement, state)
  const isPainting = data.painted !== null
  const arrived = isPainting ? gridsOf(data)[data.painted].values : []
  if (state.sent === JSON.stringify(arrived) || performance.now() > (state.ahead ?? 0)) state.sent = null
  if (!state.isDown && state.sent === null) state.values = [...arrived]
  state.data = data
  const redraw = () => drawAll(state, box)

  const tellPainted = () => {
    state.sent = JSON.stringify(state.values)
    state.ahead = performance.now() + AHEAD_MS
    setTriggerValue("painted", { values: state.values })
  }
  const remember = (values) => {
    state.undo.push(values)
    state.undo.splice(0, state.undo.length - 50)
  }
  // Pens stand in place of the painted grid's title.
  const drawPens = () => {
    if (!isPainting) return
    const pens = document.createElement("div")
    pens.className = "pens"
    pens.setAttribute("role", "group")
    pens.setAttribute("aria-label", "Pens")
    const change = (values) => {
      if (!values) return
      state.values = values
      redraw()
      tellPainted()
    }
    pens.replaceChildren(
      editButton(state, room),
      ...PEN.map(([pen, label]) => penButton(label, () => { state.pen = pen; drawPens() }, String(state.pen === pen))),
      penButton("Undo", () => change(state.undo.pop())),
      penButton("Clear", () => {
        remember(state.values)
        change(state.values.map(() => 0))
      }),
    )
    box.querySelectorAll("figcaption")[data.painted].replaceChildren(pens)
  }

  const paintBy = (svg, grid, at) => {
    const touch = (event) => {
      state.values = touched(state.values, grid, placeOf(svg, event, state.layouts[at]), data, state.pen)
      redraw()
    }
    svg.onpointerdown = (event) => {
      if (event.button || !mayEdit(state, event)) return
      svg.setPointerCapture(event.pointerId)
      state.isDown = true
      state.cursor = null
      state.before = state.values
      touch(event)
    }
    svg.onpointermove = (event) => {
      if (!state.isDown) return
      for (const one of event.getCoalescedEvents?.() ?? [event]) touch(one)
    }
    svg.onpointerup = svg.onpointercancel = () => {
      if (!state.isDown) return
      state.isDown = false
      if (JSON.stringify(state.values) === JSON.stringify(state.before)) return
      remember(state.before)
      tellPainted()
    }
    svg.onkeydown = (event) => {
      const arrow = ARROWS[event.key]
      if (!arrow && event.key !== " " && event.key !== "Enter") return
      event.preventDefault()
      event.stopPropagation()
      const [row, column] = state.cursor ?? [0, 0]
      if (arrow) {
        const clamped = (v, n) => Math.min(n - 1, Math.max(0, v))
        state.cursor = [clamped(row + arrow[0], grid.rows), clamped(column + arrow[1], grid.columns)]
        return redraw()
      }
      remember(state.values)
      const home = row * grid.columns + column
      state.values = state.values.map((value, i) => (i === home ? (value ? 0 : data.most) : value))
      redraw()
      clearTimeout(state.timer)
      state.timer = setTimeout(tellPainted, QUIET_MS)
    }
  }
  const pickBy = (svg, grid, at) => {
    svg.onpointerdown = svg.onpointermove = svg.onpointerup = svg.onpointercancel = svg.onkeydown = null
    svg.onclick = (event) => {
      const cell = grid.is_picked && cellAt(grid, placeOf(svg, event, state.layouts[at]))
      if (cell) setTriggerValue("picked", { grid: at, cell })
    }
  }

  room.classList.toggle("fills", data.fills)
  room.style.setProperty("--height", `${data.height}px`)
  room.style.setProperty("--least", `${data.least}px`)
  const shape = JSON.stringify([data.widths, data.narrow, data.stacks.map((stack) => stack.map((grid) => grid.share))])
  if (state.shape !== shape || box.childElementCount !== data.stacks.length) build(box, data)
  state.shape = shape
  ;[...box.querySelectorAll("figure > svg")].forEach((svg, at) => {
    pickBy(svg, gridsOf(data)[at], at)
    if (data.painted === at) paintBy(svg, gridsOf(data)[at], at)
  })
  drawPens()
  parentElement.querySelector(".readout").textContent = data.hint
  redraw()
  offerFiles(parentElement.querySelector(".files"), data.name, () => whole(state, box))
  return followSize(state, box, () => drawAll(state, box))
}
