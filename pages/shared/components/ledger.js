// Published figures, one row each: theirs, ours with its spread, and the verdict. A row opens what is
// known of it; its link opens the experiment. All texts are set as text.

const SVG = "http://www.w3.org/2000/svg"
const MARKS = { holds: "●", "does-not-hold": "✕", "scored-again": "↻", "not-comparable": "◇", "not-reproduced": "–", "not-readable": "!", waits: "?" }
const HALF = 44 // of the strip's hundred units, on either side of theirs
const drawn = new WeakMap()

function add(parent, tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  if (text !== undefined) element.textContent = text
  parent.append(element)
  return element
}

function shape(parent, tag, attributes) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  parent.append(element)
}

// Theirs is the line in the middle; what lies beyond an end is drawn there as an arrow.
function strip(parent, row, reach) {
  const place = (share) => 50 + HALF * Math.min(1, Math.max(-1, share / reach))
  const cell = add(parent, "span", "strip")
  if (!row.has_line) return
  const picture = document.createElementNS(SVG, "svg")
  picture.setAttribute("viewBox", "0 0 100 16")
  picture.setAttribute("preserveAspectRatio", "none")
  picture.setAttribute("aria-hidden", "true")
  cell.append(picture)
  shape(picture, "line", { class: "theirs-line", x1: 50, x2: 50, y1: 0, y2: 16, "vector-effect": "non-scaling-stroke" })
  if (row.ours_at === null) return
  if (row.low_at !== null) {
    const ends = { x1: place(row.low_at), x2: place(row.high_at) }
    shape(picture, "line", { class: "range", ...ends, y1: 8, y2: 8 })
  }
  const x = place(row.ours_at)
  if (Math.abs(row.ours_at) > reach) {
    const back = x - Math.sign(row.ours_at) * 7
    shape(picture, "path", { class: "dot", d: `M ${x} 8 L ${back} 3 L ${back} 13 Z` })
  } else shape(picture, "line", { class: "point", x1: x, x2: x, y1: 8, y2: 8, "vector-effect": "non-scaling-stroke" })
}

function value(parent, kind, name, text) {
  const cell = add(parent, "span", kind)
  add(cell, "span", "name", name)
  add(cell, "span", "", text)
}

function details(parent, opened, follow) {
  const place = add(parent, "div", "details")
  for (const [label, text] of opened.facts) {
    const line = add(place, "p", "")
    add(line, "b", "", `${label}: `)
    line.append(text)
  }
  const link = add(add(place, "p", ""), "a", "", opened.link_text)
  link.href = opened.link
  link.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return // a tab of its own
    event.preventDefault()
    follow()
  }
}

function spoken(row) {
  const ours = row.ours ? `, ours ${row.ours}${row.spread ? `, from ${row.spread}` : ""}` : ""
  return `${row.measured} ${row.unit}: theirs ${row.theirs}${ours}; ${row.word}`
}

function drawRow(group, row, data, tell) {
  const isOpen = data.opened?.name === row.name
  const button = add(group, "button", `row ${row.kind}`)
  button.type = "button"
  button.dataset.name = row.name
  button.setAttribute("aria-expanded", String(isOpen))
  button.setAttribute("aria-label", spoken(row))
  const measured = add(button, "span", "measured", row.measured)
  if (row.unit) add(measured, "span", "unit", ` ·\u00a0${row.unit}`)
  value(button, "theirs", "theirs", row.theirs)
  value(button, "ours", "ours", row.ours)
  value(button, "spread", row.spread ? "lowest to highest" : "", row.spread)
  strip(button, row, data.reach)
  const verdict = add(button, "span", "verdict")
  add(verdict, "span", "mark", MARKS[row.kind]).setAttribute("aria-hidden", "true")
  add(verdict, "span", "", row.word)
  button.onclick = () => tell("opened", isOpen ? "" : row.name)
  if (isOpen) details(group, data.opened, () => tell("followed", row.name))
  return button
}

function drawHead(head, data) {
  head.replaceChildren()
  add(head, "span", "", "What was measured")
  add(head, "span", "right", "Theirs")
  add(head, "span", "right", "Ours")
  add(head, "span", "spread", "Lowest to highest")
  const scale = add(head, "span", "scale")
  scale.title = "Ours, against theirs"
  const percent = Math.round(100 * data.reach)
  for (const text of [`−${percent}\u202f%`, "0", `+${percent}\u202f%`]) add(scale, "span", "", text)
  add(head, "span", "", "Verdict")
}

function move(event, buttons) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const at = buttons.indexOf(event.target)
  if (!step || at < 0) return
  event.preventDefault()
  event.stopPropagation() // the page's own keys are not meant
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))].focus()
}

export default function ({ data, parentElement, setTriggerValue }) {
  const ledger = parentElement.querySelector(".ledger")
  const groups = parentElement.querySelector(".groups")
  const written = JSON.stringify(data)
  if (drawn.get(parentElement) === written) return
  const isFirst = !drawn.has(parentElement)
  drawn.set(parentElement, written)
  const focused = groups.querySelector(".row:focus")?.dataset.name
  const top = ledger.scrollTop
  ledger.classList.toggle("fills", data.fills_place)
  ledger.setAttribute("role", "region")
  ledger.setAttribute("aria-label", data.label)
  drawHead(parentElement.querySelector(".head"), data)
  const buttons = []
  groups.replaceChildren()
  for (const { title, rows } of data.groups) {
    const group = add(groups, "section", "group")
    add(group, "h2", "", title)
    for (const row of rows) buttons.push(drawRow(group, row, data, setTriggerValue))
  }
  if (!buttons.length) add(groups, "p", "none", data.none)
  groups.onkeydown = (event) => move(event, buttons)
  ledger.scrollTop = top
  buttons.find((button) => button.dataset.name === focused)?.focus({ preventScroll: true })
  const open = groups.querySelector('[aria-expanded="true"]')
  if (isFirst && open) {
    const above = parentElement.querySelector(".head").offsetHeight
    ledger.scrollTop = open.getBoundingClientRect().top - ledger.getBoundingClientRect().top - above
  }
}
