// The stages of a model as columns of cells, tokens down and units across; one token's path through all of them.
// A click on a column opens it, on a token chooses it.

const LEAST_STEP = 19 // pixels from column to column
const NAMES = 58 // pixels under the columns, for their slanted names
const TOP = 34 // pixels over them, for the blocks' names and the path that goes by
const CROWDED = 34 // pixels: columns that are nearer have no room for a word each
const LONGEST = 10 // letters of such a word
const latest = new WeakMap() // by component: which columns were drawn, and how far

// A column of the packed numbers as a picture, a pixel for each.
function pixels(bytes, column, ink) {
  const canvas = document.createElement("canvas")
  canvas.width = column.units
  canvas.height = column.rows
  const context = canvas.getContext("2d")
  const image = context.createImageData(column.units, column.rows)
  for (let i = 0; i < column.units * column.rows; i++) {
    const share = bytes[column.start + i] / 127
    image.data.set(share < 0 ? ink.negative : ink.positive, 4 * i)
    image.data[4 * i + 3] = Math.round(255 * Math.sqrt(Math.abs(share)))
  }
  context.putImageData(image, 0, 0)
  return canvas.toDataURL()
}

function layoutOf(data, width, height) {
  const size = data.text_size
  const longest = Math.max(...data.tokens.map((token) => token.length))
  const left = Math.min(0.22 * width, 0.58 * size * longest + 12)
  const bars = data.bars.length ? Math.min(150, Math.max(110, 0.22 * width)) : 0
  const shares = data.columns.reduce((sum, column) => sum + (column.is_open ? 2.2 : 1), 0)
  const step = Math.max(LEAST_STEP, (width - left - bars - 8) / shares)
  const places = []
  let x = left
  for (const column of data.columns) {
    const wide = step * (column.is_open ? 2.2 : 1)
    places.push({ x: x + 0.14 * step, width: wide - 0.28 * step })
    x += wide
  }
  const row = (height - TOP - NAMES) / data.tokens.length
  return { size, left, bars, places, row, right: x, width: x + bars, step, slant: step < 24 ? 45 : 32 }
}

const middle = (layout, i) => TOP + (i + 0.5) * layout.row

function written(x, y, content, more = {}) {
  const text = drawn("text", { x, y, "dominant-baseline": "central", "font-family": "sans-serif", ...more })
  text.textContent = content
  return text
}

// The frame of the block that is open, and the name of each block.
function drawBlocks(svg, data, layout, height, ink) {
  const first = data.columns.findIndex((column) => column.is_inside)
  const last = data.columns.findLastIndex((column) => column.is_inside)
  if (first < 0) return
  const [x, end] = [layout.places[first].x - 5, layout.places[last].x + layout.places[last].width + 5]
  svg.append(drawn("rect", {
    x, y: 1, width: end - x, height: height - NAMES + 4, rx: 8, fill: ink.text, "fill-opacity": 0.05, stroke: ink.text,
    "stroke-opacity": 0.35,
  }))
  svg.append(written((x + end) / 2, 11, data.block, {
    "text-anchor": "middle", "font-size": layout.size, "font-weight": 600, fill: ink.text,
  }))
}

// The chosen token's way: along its row, and past what only adds to it in a bow above.
function drawPath(svg, data, layout, ink) {
  const y = middle(layout, data.token)
  const line = (d, more) => drawn("path", { d, fill: "none", stroke: ink.chosen, "stroke-linecap": "round", ...more })
  const shown = data.columns.filter((_, i) => i <= data.shown)
  let stream = null
  shown.forEach((column, i) => {
    const { x, width } = layout.places[i]
    const before = layout.places[i - 1]
    if (before) {
      svg.append(line(`M${before.x + before.width} ${y}H${x}`, { "stroke-width": column.is_stream && shown[i - 1].is_stream ? 4 : 2 }))
    }
    if (column.is_stream && stream !== null && stream < i - 1) {
      const from = layout.places[stream].x + layout.places[stream].width / 2
      const to = x + width / 2
      svg.append(line(`M${from} ${TOP}C${from} ${TOP - 15} ${to} ${TOP - 15} ${to} ${TOP}`, { "stroke-width": 4 }))
    }
    if (column.is_stream) {
      stream = i
      svg.append(line(`M${x + width / 2} ${TOP}V${TOP + layout.row * data.tokens.length}`, { "stroke-width": 1, opacity: 0.35 }))
    }
  })
}

// Which tokens the heads of the open block mix into the chosen one.
function drawMix(svg, data, layout, ink) {
  const at = data.columns.findIndex((column) => column.mixes)
  if (at < 1 || at > data.shown) return
  const [from, to] = [layout.places[at - 1], layout.places[at]]
  data.mixed.forEach((weight, i) => {
    if (weight < 0.02 || i === data.token) return
    svg.append(drawn("path", {
      d: `M${from.x + from.width} ${middle(layout, i)}L${to.x} ${middle(layout, data.token)}`,
      stroke: `rgb(${ink.weight})`, "stroke-width": 1 + 6 * weight, "stroke-opacity": 0.35 + 0.6 * weight, fill: "none",
    }))
  })
}

function drawColumn(svg, data, layout, i, href, ink, grows) {
  const column = data.columns[i]
  const { x, width } = layout.places[i]
  const box = { x, y: TOP, width, height: layout.row * data.tokens.length }
  const isShown = i <= data.shown
  const group = drawn("g", {
    class: `column${grows ? " grows" : ""}`, role: "button", tabindex: column.is_open ? 0 : -1,
    "aria-label": column.alt, "aria-pressed": String(column.is_open), opacity: isShown ? 1 : 0.15,
  })
  group.dataset.column = i
  group.append(drawn("rect", { ...box, fill: ink.background }))
  group.append(drawn("image", { ...box, href, preserveAspectRatio: "none", style: "image-rendering: pixelated" }))
  group.append(drawn("rect", {
    ...box, class: "frame", fill: "none", stroke: column.is_open ? ink.chosen : "#808080",
    "stroke-width": column.is_open ? 2.5 : column.is_stream ? 1.5 : 0.75,
  }))
  const [cx, cy] = [x + width / 2 + 3, TOP + box.height + 10]
  group.append(written(cx, cy, column.name, {
    "text-anchor": "end", "font-size": layout.size, fill: ink.text, "font-weight": column.is_open ? 700 : 400,
    transform: `rotate(-${layout.slant} ${cx} ${cy})`,
  }))
  const title = drawn("title", {})
  title.textContent = column.alt
  group.append(title)
  svg.append(group)
}

// The tokens stay in sight where the columns are scrolled.
function drawTokens(svg, data, layout, ink) {
  const names = drawn("g", { class: "names" })
  names.append(drawn("rect", {
    x: 0, y: TOP - 3, width: layout.left - 4, height: layout.row * data.tokens.length + 6, fill: ink.background,
  }))
  svg.append(names)
  data.tokens.forEach((token, i) => {
    const isChosen = i === data.token
    if (layout.row < 9 && !isChosen && i % Math.ceil(9 / layout.row)) return
    const text = written(layout.left - 6, middle(layout, i), token, {
      "text-anchor": "end", "font-size": Math.min(layout.size, Math.max(9, 0.8 * layout.row)), class: "token", role: "button",
      tabindex: isChosen ? 0 : -1, fill: isChosen ? ink.chosen : ink.text, "font-weight": isChosen ? 700 : 400,
      "aria-label": `Token ${i + 1}: ${token}`,
    })
    text.dataset.token = i
    names.append(text)
  })
}

function drawBars(svg, data, layout, height, ink) {
  if (!data.bars.length || data.shown < data.columns.length - 1) return
  const gap = Math.min(30, (height - TOP - NAMES) / data.bars.length)
  const x = layout.right + 8
  const room = layout.bars - 14
  const largest = Math.max(...data.bars.map(([, p]) => p))
  const letters = Math.max(3, Math.floor((room - 3.6 * layout.size) / (0.62 * layout.size)))
  const cut = (word) => (word.length > letters ? `${word.slice(0, letters - 1)}…` : word)
  data.bars.forEach(([token, p], i) => {
    const y = TOP + gap * i
    svg.append(drawn("rect", { x, y: y + gap * 0.62, width: Math.max(1, (room * p) / largest), height: gap * 0.26, fill: `rgb(${ink.weight})` }))
    svg.append(written(x, y + gap * 0.32, cut(token), { "font-size": layout.size, fill: ink.text, "font-weight": i ? 400 : 700 }))
    svg.append(written(x + room, y + gap * 0.32, percent(p), { "font-size": layout.size, fill: ink.text, "text-anchor": "end" }))
  })
}

// What it would say after each block, where it changes; two heights, and of words without room the later ones stay.
function drawSaid(svg, data, layout, ink) {
  const size = Math.max(Math.min(layout.size, 12), 0.8 * layout.size)
  const free = [Infinity, Infinity] // at each height, from where on there is a word
  for (let i = Math.min(data.shown, data.columns.length - 1); i >= 0; i--) {
    const column = data.columns[i]
    const isRepeated = layout.step < CROWDED && data.columns[i - 1]?.said === column.said
    if (!column.said || isRepeated) continue
    const { x, width } = layout.places[i]
    // Beside the frame of the block that is open a word must not reach into it.
    const isBefore = data.columns[i + 1]?.is_inside && !column.is_inside
    const word = column.said.length > LONGEST ? `${column.said.slice(0, LONGEST - 1)}…` : column.said
    const room = 0.68 * size * word.length
    const end = isBefore ? x + width : x + width / 2 + room / 2
    const height = free.findIndex((start) => end + 5 < start)
    if (height < 0) continue
    free[height] = end - room
    svg.append(written(end - room / 2, TOP - 8 - (size + 1) * height, word, {
      "text-anchor": "middle", "font-size": size, fill: ink.text, "font-weight": 600,
      stroke: ink.background, "stroke-width": 3, "paint-order": "stroke",
    }))
  }
}

function drawAll(svg, data, hrefs, width, height, ink, from) {
  const layout = layoutOf(data, width, height)
  svg.replaceChildren()
  svg.setAttribute("width", layout.width)
  svg.setAttribute("height", height)
  svg.setAttribute("aria-label", data.label)
  drawBlocks(svg, data, layout, height, ink)
  data.columns.forEach((column, i) =>
    drawColumn(svg, data, layout, i, hrefs[i], ink, from !== null && i > from && i <= data.shown))
  drawPath(svg, data, layout, ink)
  drawMix(svg, data, layout, ink)
  drawTokens(svg, data, layout, ink)
  drawBars(svg, data, layout, height, ink)
  drawSaid(svg, data, layout, ink)
  return layout
}

export default function ({ data, parentElement, setTriggerValue }) {
  const room = parentElement.querySelector(".stages")
  const scroll = room.querySelector(".scroll")
  const svg = scroll.querySelector("svg")
  const state = latest.get(parentElement) ?? {}
  latest.set(parentElement, state)
  const from = state.data && state.data.block === data.block && state.data.shown < data.shown ? state.data.shown : null
  state.data = data
  room.classList.toggle("fills", data.fills)
  room.style.setProperty("--height", `${data.height}px`)
  parentElement.querySelector(".readout").textContent = data.hint
  const redraw = (grownFrom = null) => {
    if (!state.bytes) return
    const ink = inks(room)
    const hrefs = data.columns.map((column) => pixels(state.bytes, column, ink))
    const height = Math.max(data.height, data.fills ? scroll.clientHeight : 0)
    const layout = drawAll(svg, data, hrefs, scroll.clientWidth, height, ink, grownFrom)
    const keepNames = () => svg.querySelector(".names")?.setAttribute("transform", `translate(${scroll.scrollLeft} 0)`)
    scroll.onscroll = keepNames
    const open = data.columns.findIndex((column) => column.is_open)
    if (open >= 0 && layout.width > scroll.clientWidth + 4) {
      scroll.scrollLeft = layout.places[open].x - scroll.clientWidth / 2
    }
    keepNames()
    offerFiles(parentElement.querySelector(".files"), data.name, () => {
      const whole = drawn("svg", { xmlns: SVG, width: layout.width, height, viewBox: `0 0 ${layout.width} ${height}` })
      drawAll(whole, data, hrefs, layout.width, height, ink, null)
      return whole
    })
  }
  const choose = (target) => {
    const column = target.closest?.(".column")?.dataset.column
    const token = target.closest?.(".token")?.dataset.token
    if (column !== undefined) setTriggerValue("chosen", ["column", data.columns[column].stage])
    if (token !== undefined) setTriggerValue("chosen", ["token", Number(token)])
  }
  svg.onclick = (event) => choose(event.target)
  svg.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      return choose(event.target)
    }
    const kind = event.target.closest(".column") ? ".column" : ".token"
    const all = [...svg.querySelectorAll(kind)]
    const step = stepOf(event.key, 1)
    if (step === undefined) return
    const wanted = all[all.indexOf(event.target.closest(kind)) + step]
    event.preventDefault()
    event.stopPropagation()
    wanted?.focus()
  }
  unpacked(data.values).then((buffer) => {
    if (latest.get(parentElement).data !== data) return // a newer one has come meanwhile
    state.bytes = new Int8Array(buffer)
    redraw(from)
  })
  return followSize(state, scroll, redraw)
}
