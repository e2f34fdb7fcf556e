// A text as several tokenizers cut it, one row each. Pointing at a token, reaching it by keyboard or
// tapping it marks the same characters in all rows. Texts are a stranger's: only ever textContent.

const LONGEST = 40
const SCALES = [1, 0.9, 0.8, 0.7, 0.6]
const NORMAL = 0
const PARTIAL = 1
const UNKNOWN = 2
const shown = new WeakMap()

const codePoint = (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`
const drawn = { " ": "·", "\n": "↵", "\t": "⇥" }

// What cannot be seen gets a sign; an accent without its letter gets a circle to sit on.
function visible(text, longest = LONGEST) {
  const points = [...text]
  const some = points.slice(0, longest).map((c, i) => {
    if (c in drawn) return drawn[c]
    if (/[\p{C}\p{Z}\u{FE00}-\u{FE0F}]/u.test(c)) return codePoint(c)
    return i === 0 && /\p{M}/u.test(c) ? `◌${c}` : c
  })
  return some.join("") + (points.length > longest ? "…" : "")
}

const hex = (text) =>
  [...new TextEncoder().encode(text)].map((b) => b.toString(16).toUpperCase().padStart(2, "0"))

function bytesOf(token) {
  if (token.kind === PARTIAL) return token.reading.split(" ")
  return token.kind === UNKNOWN ? [] : hex(token.reading)
}

function add(parent, tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  parent.append(element)
  return element
}

function chip(row, place, token, showBytes) {
  const name = ["token", `tint-${token.id % 6}`]
  if (token.kind === UNKNOWN) name.push("unknown")
  if (token.kind === PARTIAL) name.push("partial")
  const element = add(row.tokens, "span", name.join(" "))
  element.dataset.place = place
  element.tabIndex = -1
  element.setAttribute("role", "button")
  add(element, "span", "piece", token.kind === PARTIAL ? token.reading : visible(token.reading)).dir =
    "auto"
  add(element, "span", "id", String(token.id))
  if (showBytes) add(element, "span", "bytes", bytesOf(token).slice(0, 32).join(" "))
  if (token.kind === NORMAL && token.reading.includes("\n")) add(row.tokens, "span", "break")
  return element
}

function gap(row, characters, isMasked) {
  const text = characters.join("")
  const isSpace = !/\S/.test(text)
  const name = isMasked ? "gap masked" : isSpace ? "gap" : "gap lost"
  add(row.tokens, "span", name, visible(text, isMasked ? Infinity : LONGEST))
  if (text.includes("\n")) add(row.tokens, "span", "break")
}

const equal = (a, b) =>
  a !== undefined &&
  a.id === b.id &&
  a.start === b.start &&
  a.end === b.end &&
  a.reading === b.reading &&
  a.kind === b.kind

// Typing changes a text's end as a rule: what is before the first difference stays as it is drawn.
function fill(row, tokens, characters, sameCharacters, showBytes, isMasked) {
  let kept = 0
  while (
    kept < Math.min(row.data.length, tokens.length) &&
    equal(row.data[kept], tokens[kept]) &&
    tokens[kept].end <= sameCharacters
  )
    kept++
  if (row.showBytes !== showBytes) kept = 0
  const last = kept ? row.chips[kept - 1] : null
  while (row.tokens.lastChild && row.tokens.lastChild !== last) row.tokens.lastChild.remove()
  if (last && tokens[kept - 1].kind === NORMAL && tokens[kept - 1].reading.includes("\n"))
    add(row.tokens, "span", "break")
  row.chips.length = kept
  let reached = kept ? Math.max(...tokens.slice(0, kept).map((token) => token.end)) : 0
  for (let i = kept; i < tokens.length; i++) {
    if (tokens[i].start > reached) gap(row, characters.slice(reached, tokens[i].start))
    row.chips.push(chip(row, i, tokens[i], showBytes))
    reached = Math.max(reached, tokens[i].end)
  }
  if (reached < characters.length) gap(row, characters.slice(reached), isMasked)
  row.data = tokens
  row.showBytes = showBytes
}

// Pairs that are merged next are drawn as one: the two halves touch.
function join(row, paired) {
  const left = new Set(paired)
  row.chips.forEach((element, i) => {
    element.classList.toggle("pair-left", left.has(i))
    element.classList.toggle("pair-right", left.has(i - 1))
  })
}

function newRow(parent, name) {
  const section = add(parent, "section", "row")
  section.setAttribute("role", "group")
  const head = add(section, "div", "head")
  add(head, "b", "", name)
  const note = add(head, "span", "note")
  const tokens = add(section, "div", "tokens")
  tokens.dataset.scrolls = ""
  return { section, note, tokens, more: add(section, "p", "more"), data: [], chips: [], name }
}

const overlapping = (row, token) =>
  row.data.flatMap((other, i) => (other.start < token.end && token.start < other.end ? [i] : []))

function describe(state, row, place) {
  const token = row.data[place]
  const bytes = bytesOf(token)
  const reads = token.kind === PARTIAL ? "part of a character" : `“${visible(token.reading)}”`
  const of = token.end - token.start === 1 ? "character" : "characters"
  const where = `${of} ${token.start + 1}${token.end - token.start > 1 ? `–${token.end}` : ""}`
  const listed = bytes.slice(0, 24).join(" ") + (bytes.length > 24 ? " …" : "")
  const made = bytes.length ? `, ${bytes.length > 1 ? "bytes" : "byte"} ${listed}` : ""
  const same = row.data.filter((other) => other.id === token.id).length
  const elsewhere = state.rows
    .filter((other) => other !== row)
    .map((other) => `${other.name} ${overlapping(other, token).length}`)
  return (
    `${row.name}, token ${place + 1}: ${reads}, id ${token.id}${made}, ${where}` +
    (same > 1 ? `; ${same} tokens with this id` : "") +
    (elsewhere.length ? `. Tokens over the same characters: ${elsewhere.join(", ")}.` : ".")
  )
}

function clear(state) {
  for (const element of state.lit) element.classList.remove("lit", "same", "here")
  state.lit = []
}

function mark(state, row, place) {
  clear(state)
  const token = row.data[place]
  for (const other of state.rows) {
    for (const i of overlapping(other, token)) {
      if (other === row && i !== place) continue
      other.chips[i].classList.add("lit")
      state.lit.push(other.chips[i])
    }
  }
  row.data.forEach((other, i) => {
    if (other.id !== token.id || i === place) return
    row.chips[i].classList.add("same")
    state.lit.push(row.chips[i])
  })
  row.chips[place].classList.add("here")
  state.readout.textContent = describe(state, row, place)
  row.chips[place].setAttribute("aria-label", state.readout.textContent)
}

function found(state, target) {
  const element = target.closest?.(".token")
  const row = element && state.rows.find((one) => one.section.contains(element))
  return row ? [row, Number(element.dataset.place)] : null
}

function rest(state) {
  clear(state)
  const [row, place] = state.pinned ?? []
  if (row?.data[place] && state.rows.includes(row)) mark(state, row, place)
  else state.readout.textContent = state.hint
}

function focus(row, place) {
  for (const element of row.chips) element.tabIndex = -1
  row.chips[place].tabIndex = 0
  row.chips[place].focus()
}

function move(state, event) {
  const at = found(state, event.target)
  if (!at) return
  const [row, place] = at
  const line = state.rows.indexOf(row)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const ends = { Home: 0, End: row.chips.length - 1 }[event.key]
  const lines = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (event.key === "Escape") state.pinned = null
  if (event.key === "Escape" || (step ?? ends ?? lines) === undefined) {
    if (event.key === "Escape") rest(state)
    return
  }
  event.preventDefault()
  event.stopPropagation() // the page's own keys, such as the playback bar's, are not meant
  if (lines === undefined) {
    focus(row, ends ?? Math.min(row.chips.length - 1, Math.max(0, place + step)))
    return
  }
  for (let i = line + lines; i >= 0 && i < state.rows.length; i += lines) {
    const over = overlapping(state.rows[i], row.data[place])
    if (over.length) return focus(state.rows[i], over[0])
  }
}

function listen(state, rows) {
  rows.onpointerover = (event) => {
    const at = event.pointerType === "mouse" ? found(state, event.target) : null
    if (at) mark(state, ...at)
  }
  rows.onpointerleave = () => rest(state)
  rows.onclick = (event) => {
    state.pinned = found(state, event.target)
    rest(state)
  }
  rows.addEventListener("focusin", (event) => {
    const at = found(state, event.target)
    if (at) mark(state, ...at)
  })
  rows.addEventListener("focusout", () => rest(state))
  rows.onkeydown = (event) => move(state, event)
}

// Where the place has a height of its own, as in the presenter view, tokens shrink until all fit, and at
// last they flow on after a line's end, which its sign still shows.
function fit(all, rows) {
  for (const flows of [false, true]) {
    all.classList.toggle("flowing", flows)
    for (const scale of SCALES) {
      all.style.setProperty("--scale", scale)
      if (rows.scrollHeight <= rows.clientHeight + 1) return
    }
  }
}

function begin(parentElement) {
  const rows = parentElement.querySelector(".rows")
  const all = parentElement.querySelector(".all")
  new ResizeObserver(() => fit(all, rows)).observe(all)
  const readout = parentElement.querySelector(".readout")
  const state = { rows: [], readout, lit: [], pinned: null, characters: [], hint: "" }
  listen(state, rows)
  shown.set(parentElement, state)
  return state
}

export default function ({ data, parentElement }) {
  const state = shown.get(parentElement) ?? begin(parentElement)
  const rows = parentElement.querySelector(".rows")
  const characters = [...data.text]
  let same = 0
  while (same < characters.length && characters[same] === state.characters[same]) same++
  clear(state)
  state.characters = characters
  const [pinnedRow, pinnedAt] = state.pinned ?? []
  if (pinnedRow && pinnedRow.data[pinnedAt].end > same) state.pinned = null // other text stands there now
  state.hint = byHand(data.hint)

  const before = new Map(state.rows.map((row) => [row.name, row]))
  state.rows = data.rows.map(({ name }) => before.get(name) ?? newRow(rows, name))
  rows.replaceChildren(...state.rows.map((row) => row.section))
  data.rows.forEach(({ name, note, more, tokens, is_masked, is_excerpt, paired = [] }, i) => {
    const row = state.rows[i]
    row.note.textContent = note
    row.more.textContent = more
    row.section.classList.toggle("excerpt", Boolean(is_excerpt))
    row.section.setAttribute("aria-label", `${name}: ${note}. Arrow keys move between tokens.`)
    const known = tokens.map(([id, start, end, reading, kind]) => ({ id, start, end, reading, kind }))
    fill(row, known, characters, same, data.show_bytes, is_masked)
    join(row, paired)
    if (row.chips.length && !row.chips.some((element) => element.tabIndex === 0))
      row.chips[0].tabIndex = 0 // one stop a row for the tab key
  })
  if (state.pinned && !state.rows.includes(state.pinned[0])) state.pinned = null
  rest(state)
  fit(parentElement.querySelector(".all"), rows)
}
