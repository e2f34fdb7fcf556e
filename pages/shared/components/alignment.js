// A translation's words beside those of the sentence: a map of the weights, or arcs between two lines.
// Pointing at a word or a weight, from either side, marks what belongs to it; a tap keeps it marked.

const drawnAt = new WeakMap() // the observer of a place's size
const LEAST_ARC = 0.03
const SMALLEST_TEXT = 12
const END = "(end)"

const named = (word) => word || END
const ruler = document.createElement("canvas").getContext("2d")

function wide(text, size) {
  ruler.font = `bold ${size}px sans-serif`
  return ruler.measureText(text).width
}

function largest(values) {
  return values.reduce((best, value, i) => (value > values[best] ? i : best), 0)
}

function listed(weights, names) {
  const order = weights.map((weight, i) => [weight, i]).sort((a, b) => b[0] - a[0])
  const most = order.slice(0, 4).filter(([weight]) => weight >= 0.02)
  return most.map(([weight, i]) => `${named(names[i])} ${percent(weight)}`).join(", ") || "nothing much"
}

function describe(data, at) {
  if (!at) return byHand(data.hint)
  const [row, column] = at
  if (row !== null && row === data.masked) return `${named(data.target[row])}: what do you think?`
  const bits = row !== null && data.bits.length ? ` (${data.bits[row].toFixed(1)} bits)` : ""
  if (column === null) return `${named(data.target[row])} looks at: ${listed(data.weights[row], data.source)}${bits}`
  if (row !== null) {
    const weight = percent(data.weights[row][column])
    return `${named(data.target[row])} → ${named(data.source[column])}: ${weight}${bits}`
  }
  const seen = data.weights.map((weights, i) => (i === data.masked ? 0 : weights[column]))
  return `${named(data.source[column])} is looked at by: ${listed(seen, data.target)}`
}

function words(text, x, y, size, ink, more = {}) {
  const look = { x, y, "font-family": "sans-serif", "font-size": size, fill: ink, "dominant-baseline": "central" }
  const element = drawn("text", { ...look, ...more })
  element.textContent = text
  return element
}

// The map --------------------------------------------------------------------------------------

// In a place of a given height the text shrinks until all rows fit.
function mapLayout(data, room, height) {
  let size = data.text_size
  let at = mapOfText(size, data, room, height)
  while (height && at.height > height && size > SMALLEST_TEXT) at = mapOfText(--size, data, room, height)
  return at
}

function mapOfText(size, data, room, height) {
  const [T, S] = [data.target.length, data.source.length]
  const left = 10 + Math.max(...data.target.map((word) => wide(named(word), size)))
  let right = data.bits.length ? (room < 520 ? 2.2 * size : 96) : 6
  const longest = Math.max(...data.source.map((word) => wide(named(word), size)))
  const fitting = () => Math.max(15, Math.min(72, (room - left - right) / S))
  const isTurned = longest + 6 > fitting()
  if (isTurned) right = Math.max(right, 0.7 * wide(named(data.source[S - 1]), size)) // the last one leans out
  const cell = fitting()
  const top = isTurned ? 0.75 * longest + size : 1.7 * size
  const rows = height ? (height - top - 6) / T : Math.max(20, Math.min(34, 264 / T))
  const line = Math.max(0.9 * size, Math.min(height ? 60 : 34, rows))
  return { size, left, right, top, cell, line, isTurned, width: left + S * cell + right, height: top + T * line + 6 }
}

function mapCells(data, at, ink) {
  const parts = []
  data.weights.forEach((weights, row) => {
    const y = at.top + row * at.line
    if (row === data.masked) {
      const width = at.cell * weights.length
      parts.push(
        drawn("rect", { x: at.left, y, width, height: at.line, fill: "url(#asked)", stroke: ink.chosen, "stroke-width": 2, "data-row": row }),
        words("?", at.left + width / 2, y + at.line / 2, 1.3 * at.size, ink.text, { "text-anchor": "middle", "font-weight": 700, "pointer-events": "none" }),
      )
      return
    }
    weights.forEach((weight, column) => {
      const x = at.left + column * at.cell
      const shade = Math.sqrt(weight)
      const look = { fill: `rgb(${ink.weight})`, "fill-opacity": shade, stroke: "#808080", "stroke-width": 0.4 }
      parts.push(drawn("rect", { class: "cell", x, y, width: at.cell, height: at.line, ...look, "data-row": row, "data-column": column }))
      const small = Math.min(0.8 * at.size, at.line - 6)
      if (weight < 0.1 || small < 8 || at.cell < 2 * small) return
      const text = String(Math.round(100 * weight))
      const colour = inkOn(ink.weight, shade, ink.paper)
      parts.push(words(text, x + at.cell / 2, y + at.line / 2, small, colour, { "text-anchor": "middle", "pointer-events": "none" }))
    })
  })
  return parts
}

function mapLabels(data, at, ink) {
  const source = data.source.map((word, column) => {
    const x = at.left + (column + 0.5) * at.cell
    const look = { class: "word", "data-column": column }
    if (!at.isTurned) return words(named(word), x, at.top - 0.8 * at.size, at.size, ink.text, { ...look, "text-anchor": "middle" })
    return words(named(word), 0, 0, at.size, ink.text, { ...look, transform: `translate(${x} ${at.top - 6}) rotate(-48)` })
  })
  const target = data.target.map((word, row) => {
    const look = { class: "word", "data-row": row, "text-anchor": "end", "font-weight": row === data.current ? 700 : 400 }
    return words(named(word), at.left - 6, at.top + (row + 0.5) * at.line, at.size, ink.text, look)
  })
  return [...source, ...target]
}

function mapBits(data, at, ink) {
  const first = at.left + data.source.length * at.cell
  const reach = Math.log2(Math.max(2, data.source.length))
  const number = 2.2 * at.size
  return data.bits.flatMap((bits, row) => {
    if (row === data.masked) return []
    const y = at.top + (row + 0.5) * at.line
    const bar = (at.right - number - 12) * (bits / reach)
    const text = words(bits.toFixed(1), first + number - 4, y, 0.85 * at.size, ink.text, { "text-anchor": "end" })
    if (at.right < number + 20) return [text]
    const shape = { x: first + number + 2, y: y - 0.2 * at.line, width: Math.max(1, bar), height: 0.4 * at.line }
    return [text, drawn("rect", { ...shape, fill: "#808080" })]
  })
}

function ring(at, [row, column], attributes) {
  const centre = { cx: at.left + (column + 0.5) * at.cell, cy: at.top + (row + 0.5) * at.line }
  return drawn("ellipse", { ...centre, rx: 0.44 * at.cell, ry: 0.42 * at.line, fill: "none", "stroke-width": 3, "pointer-events": "none", ...attributes })
}

function rim(at, [row, column], ink) {
  const place = { x: at.left + column * at.cell + 1, y: at.top + row * at.line + 1, width: 2 * at.cell - 2, height: 2 * at.line - 2, rx: 5 }
  return drawn("rect", { class: "swap", ...place, fill: "none", stroke: ink.chosen, "stroke-width": 3, "pointer-events": "none" })
}

function map(data, room, height, ink) {
  const at = mapLayout(data, room, height)
  const svg = paper(at)
  const line = drawn("path", { d: "M0 8 L8 0", stroke: "#808080", "stroke-width": 1, opacity: 0.7 })
  svg.append(drawn("defs", {}, drawn("pattern", { id: "asked", width: 8, height: 8, patternUnits: "userSpaceOnUse" }, line)))
  svg.append(...mapCells(data, at, ink), ...mapLabels(data, at, ink), ...mapBits(data, at, ink))
  if (data.bits.length) {
    const x = at.left + data.source.length * at.cell + 6
    svg.append(words("bits", x, at.top - 0.8 * at.size, 0.85 * at.size, ink.text))
  }
  svg.append(...data.swaps.filter(([row]) => row !== data.masked && row + 1 !== data.masked).map((swap) => rim(at, swap, ink)))
  if (data.guess) {
    svg.append(ring(at, data.guess, { class: "guess", stroke: ink.text, "stroke-dasharray": "5 3" }))
    if (data.masked !== data.guess[0]) svg.append(ring(at, [data.guess[0], largest(data.weights[data.guess[0]])], { stroke: ink.chosen }))
  }
  if (data.current >= 0) {
    const place = { x: at.left, y: at.top + data.current * at.line, width: data.source.length * at.cell, height: at.line }
    svg.append(drawn("rect", { ...place, fill: "none", stroke: ink.chosen, "stroke-width": 2.5, "pointer-events": "none" }))
  }
  const bands = ["row", "column"].map((name) =>
    drawn("rect", { class: name, fill: "none", stroke: ink.text, "stroke-width": 1.6, visibility: "hidden", "pointer-events": "none" }))
  svg.append(...bands)
  const mark = ([row, column]) => {
    if (row !== null) place(bands[0], at.left, at.top + row * at.line, data.source.length * at.cell, at.line)
    if (column !== null) place(bands[1], at.left + column * at.cell, at.top, at.cell, data.target.length * at.line)
  }
  const unmark = () => bands.forEach((band) => band.setAttribute("visibility", "hidden"))
  return { svg, mark, unmark }
}

function place(rect, x, y, width, height) {
  for (const [key, value] of Object.entries({ x, y, width, height, visibility: "visible" })) rect.setAttribute(key, value)
}

const paper = ({ width, height }) => drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })

// The arcs -------------------------------------------------------------------------------------

// Words of a line with gaps between them, spread over the width.
function spread(texts, size, width) {
  const widths = texts.map((text) => wide(text, size) + 8)
  const gap = (width - widths.reduce((a, b) => a + b, 0)) / texts.length
  let x = gap / 2
  return widths.map((own) => {
    const middle = x + own / 2
    x += own + gap
    return middle
  })
}

function arcs(data, room, height, ink) {
  const size = data.text_size
  const lines = [data.source, data.target].map((line) => line.map(named))
  const need = Math.max(...lines.map((line) => line.reduce((sum, text) => sum + wide(text, size) + 8, 0)))
  const at = { width: Math.max(room - 4, need), height: height || 320 }
  const [top, bottom] = [size + 4, at.height - size - 4]
  const [above, below] = lines.map((line) => spread(line, size, at.width))
  const svg = paper(at)
  const swapped = new Set(data.swaps.flatMap(([row, column]) => [`${row} ${column + 1}`, `${row + 1} ${column}`]))
  const links = []
  const path = (row, column) => {
    const middle = (top + bottom) / 2
    return `M${above[column]} ${top + size}C${above[column]} ${middle} ${below[row]} ${middle} ${below[row]} ${bottom - size}`
  }
  data.weights.forEach((weights, row) => {
    if (row === data.masked) return
    weights.forEach((weight, column) => {
      if (weight < LEAST_ARC) return
      const isSwap = swapped.has(`${row} ${column}`)
      const look = { fill: "none", stroke: isSwap ? ink.chosen : `rgb(${ink.weight})`, "stroke-width": 0.8 + 7 * weight }
      links.push(drawn("path", { class: isSwap ? "link swap" : "link", d: path(row, column), ...look, opacity: 0.15 + 0.85 * weight, "data-row": row, "data-column": column }))
    })
  })
  svg.append(...links)
  if (data.guess) {
    svg.append(drawn("path", { class: "guess", d: path(...data.guess), fill: "none", stroke: ink.text, "stroke-width": 2.5, "stroke-dasharray": "6 4" }))
  }
  const label = (text, x, y, more) => words(text, x, y, size, ink.text, { class: "word", "text-anchor": "middle", ...more })
  const said = [
    ...lines[0].map((text, column) => label(text, above[column], top, { "data-column": column })),
    ...lines[1].map((text, row) => label(row === data.masked ? `${text} ?` : text, below[row], bottom, { "data-row": row, "font-weight": row === data.current || row === data.masked ? 700 : 400 })),
  ]
  svg.append(...said)
  const belongs = (element, [row, column]) =>
    (row === null || !("row" in element.dataset) || Number(element.dataset.row) === row) &&
    (column === null || !("column" in element.dataset) || Number(element.dataset.column) === column)
  const mark = (at) => links.forEach((link) => link.setAttribute("visibility", belongs(link, at) ? "visible" : "hidden"))
  const unmark = () => links.forEach((link) => link.setAttribute("visibility", "visible"))
  return { svg, mark, unmark }
}

// Both -----------------------------------------------------------------------------------------

function placeOf(event) {
  const set = event.target.closest?.("[data-row], [data-column]")?.dataset
  if (!set) return null
  return ["row", "column"].map((name) => (name in set ? Number(set[name]) : null))
}

function listen(shown, data, readout) {
  const { svg } = shown
  let kept = null
  let cursor = null
  const point = (at) => {
    shown.unmark()
    if (at) shown.mark(at)
    readout.textContent = describe(data, at)
  }
  svg.onpointerover = (event) => point(placeOf(event) ?? kept)
  svg.onpointerleave = () => point(kept)
  svg.onclick = (event) => {
    const at = placeOf(event)
    kept = String(at) === String(kept) ? null : at
    point(kept)
  }
  svg.onkeydown = (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    const sizes = [data.target.length, data.source.length]
    cursor = (cursor ?? [0, 0]).map((i, axis) => Math.min(sizes[axis] - 1, Math.max(0, i + move[axis])))
    point(cursor)
  }
  point(null)
}

function draw(data, parentElement) {
  const [box, holder, readout] = [".alignment", ".place", ".readout"].map((name) => parentElement.querySelector(name))
  box.classList.toggle("fills", data.fills)
  const ink = inks(holder)
  const picture = data.view === "arcs" ? arcs : map
  const room = (holder.clientWidth || 700) - 2
  const shown = picture(data, room, data.fills ? holder.clientHeight : 0, ink)
  shown.svg.setAttribute("tabindex", "0")
  shown.svg.setAttribute("role", "application")
  shown.svg.setAttribute("aria-label", `${data.label}. Arrow keys move from weight to weight.`)
  const hadFocus = holder.firstChild?.matches?.(":focus")
  holder.replaceChildren(shown.svg)
  if (hadFocus) shown.svg.focus()
  listen(shown, data, readout)
  offerFiles(parentElement.querySelector(".files"), data.name, () => picture(data, room, 0, ink).svg)
}

export default function ({ data, parentElement }) {
  draw(data, parentElement)
  const box = parentElement.querySelector(".place")
  drawnAt.get(parentElement)?.disconnect()
  const measured = () => `${box.clientWidth} ${data.fills ? box.clientHeight : ""}`
  let seen = measured()
  const observer = new ResizeObserver(() => {
    if (measured() === seen) return
    seen = measured()
    draw(data, parentElement)
  })
  observer.observe(box)
  drawnAt.set(parentElement, observer)
  return () => observer.disconnect()
}
