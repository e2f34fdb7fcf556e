// A text as clickable tokens: characters or subwords. Whatever the visitor or the model wrote
// is only ever set as textContent. A text that grows keeps its tokens, loses those that are no longer shown at
// its beginning, and gets the new tail. Its end stays in sight until the visitor scrolls away from it.

const shown = new WeakMap()
const places = new WeakMap()
const LAST_PIXELS = 8 // a strip that is no farther from its end is at its end
const LEAST_ROOM = 150 // pixels that are left above the fold, for it to be kept above it
const names = { " ": "· (space)", "\n": "↵ (end of paragraph)" }
const visible = (token) => names[token] ?? token.replaceAll(" ", "·")

const percent = (p) =>
  p >= 0.0995 ? `${(100 * p).toFixed(0)}\u202f%` : `${(100 * p).toPrecision(2)}\u202f%`

// Of a tinted text: the few looks that its tokens have, and which of them each token has.
const lookOf = (data, index) => data.looks[data.tints[index]]

function describe(data, index) {
  const name = visible(data.tokens[index])
  if (data.tints) {
    const [, , reading] = lookOf(data, index)
    return reading ? `${name} — ${reading}` : byHand(data.click_hint)
  }
  if (index < data.prompt_length) return `${name} — prompt, ${data.unit} ${index + 1}`
  const p = data.probabilities[index]
  const picked = data.pickedAt.has(index) ? ", picked by hand" : ""
  if (p == null) return `${name}${picked}`
  const bits = p > 0 ? `${(-Math.log2(p)).toFixed(1)} bits` : "impossible"
  const drawn = data.drawn_with?.[index]
  const chosen = drawn == null || Math.abs(drawn - p) < 5e-6 ? "" : `, drawn with ${percent(drawn)} under the settings`
  return `${name} — probability ${percent(p)}, surprisal ${bits}${chosen}${picked}`
}

function span(data, index, after) {
  const token = data.tokens[index]
  const element = document.createElement("span")
  element.className = "character"
  element.dataset.index = index
  element.tabIndex = -1
  element.setAttribute("role", "button")
  element.textContent = token === "\n" ? "↵\n" : token
  if (!token.trim()) element.setAttribute("aria-label", visible(token)) // what has no letters has a name
  const p = data.probabilities[index]
  if (data.tints) {
    const [roles, strength] = lookOf(data, index)
    element.classList.add(...roles)
    element.style.setProperty("--tint", `${strength}%`)
  } else if (index < data.prompt_length) element.classList.add("prompt")
  else if (p != null) {
    element.classList.add("weighed")
    element.style.setProperty("--tint", `${Math.round(55 * p)}%`)
  }
  if (after !== null) {
    element.classList.add("arriving")
    element.style.setProperty("--after", `${after}ms`)
  }
  return element
}

function append(text, data, from) {
  const fresh = data.tokens.length - from
  const typing = from > 0 && data.typewriter_ms > 0
  const tail = document.createDocumentFragment()
  for (let i = from; i < data.tokens.length; i++) {
    tail.append(span(data, i, typing ? Math.round(((i - from) / fresh) * data.typewriter_ms) : null))
  }
  text.append(tail)
}

// How many of the tokens drawn before are no longer shown; undefined where the others are not those of now.
function cutFrom(before, data) {
  if (before === undefined) return undefined
  const cut = data.begin - before.begin
  const kept = before.tokens.length - cut
  if (cut < 0 || kept < 0 || kept > data.tokens.length) return undefined
  const isSame =
    Math.max(0, before.prompt_length - cut) === data.prompt_length &&
    before.tokens.slice(cut).every((token, i) => token === data.tokens[i]) &&
    before.probabilities.slice(cut).every((p, i) => p === data.probabilities[i]) &&
    JSON.stringify([before.looks, before.tints]) === JSON.stringify([data.looks, data.tints])
  return isSame ? cut : undefined
}

// What is being read stays where it is.
function removeFirst(strip, n) {
  const { scrollTop, scrollHeight } = strip
  for (const old of [...strip.querySelectorAll(".character")].slice(0, n)) old.remove()
  strip.scrollTop = Math.max(0, scrollTop - (scrollHeight - strip.scrollHeight))
}

function follow(strip) {
  const place = places.get(strip)
  if (!place?.isFollowed) return
  strip.scrollTop = strip.scrollHeight
  place.top = strip.scrollTop
}

// A text that is written ends above the fold, where what is above it leaves room.
function keepAboveFold(strip, readout, data) {
  const main = document.querySelector("[data-testid=stMain]")
  const top = strip.getBoundingClientRect().top + (main?.scrollTop ?? 0)
  const room = window.innerHeight - top - readout.offsetHeight - LAST_PIXELS
  const isKept = data.follow && !data.fills_place && room > LEAST_ROOM
  strip.style.maxHeight = isKept ? `min(24rem, ${Math.floor(room)}px)` : ""
}

function watch(strip) {
  const place = { isFollowed: true, top: 0 }
  places.set(strip, place)
  strip.addEventListener("scroll", () => {
    // Where it was put by `follow` the text may have grown since; anywhere else, somebody has scrolled.
    if (strip.scrollTop === place.top) return
    place.top = strip.scrollTop
    place.isFollowed = strip.scrollHeight - strip.scrollTop - strip.clientHeight < LAST_PIXELS
  })
  const resized = new ResizeObserver(() => follow(strip))
  for (const element of [strip, strip.querySelector(".text")]) resized.observe(element)
}

// Marks change with every step (a copied passage grows), so they are laid over the characters anew.
function mark(strip, data, characters) {
  for (const old of strip.querySelectorAll(".mark")) old.remove()
  const copied = new Set()
  for (const [start, length] of data.copied) {
    for (let i = start; i < start + length; i++) copied.add(i)
    const last = characters[Math.min(start + length, characters.length) - 1]
    if (!last) continue
    const note = document.createElement("span")
    note.className = "mark"
    note.textContent = `copied, ${data.tokens.slice(start, start + length).join("").length}`
    last.after(note)
  }
  characters.forEach((element, i) => {
    element.dataset.index = i
    element.classList.toggle("copied", copied.has(i))
    element.classList.toggle("picked", data.pickedAt.has(i))
    element.classList.toggle("inspected", i === data.inspected)
  })
}

function swatch([role, label]) {
  const element = document.createElement("span")
  element.className = `character ${role}`
  element.style.setProperty("--tint", "70%")
  element.textContent = label
  return element
}

export default function ({ data, parentElement, setTriggerValue }) {
  const strip = parentElement.querySelector(".strip")
  const text = strip.querySelector(".text")
  const readout = parentElement.querySelector(".readout")
  data = { ...data, pickedAt: new Set(data.picked) }

  const before = shown.get(parentElement)
  const cut = cutFrom(before, data)
  const grows = cut !== undefined
  if (grows) removeFirst(strip, cut)
  else text.replaceChildren()
  parentElement.querySelector(".legend").replaceChildren(...(data.legend ?? []).map(swatch))
  strip.classList.toggle("parts", data.unit !== "character")
  strip.parentElement.classList.toggle("fills", data.fills_place)
  for (let place = strip.parentElement; place; place = place.parentElement) {
    place.style.height = data.fills_place ? "100%" : ""
  }
  append(text, data, grows ? before.tokens.length - cut : 0)
  shown.set(parentElement, data)

  const characters = [...strip.querySelectorAll(".character")]
  mark(strip, data, characters)
  if (data.follow) {
    if (before === undefined) watch(strip)
    keepAboveFold(strip, readout, data)
    follow(strip)
  }
  strip.setAttribute("aria-label", `${data.label}. Arrow keys move, Enter looks at a ${data.unit}.`)
  parentElement.querySelector(".unseen").textContent = data.tokens.join("")
  const hint = byHand(data.click_hint)
  readout.classList.toggle("silent", !hint)
  if (!grows) readout.textContent = hint

  // One stop for the tab key; the arrows move within.
  if (!characters.some((element) => element.tabIndex === 0) && characters.length) {
    characters[characters.length - 1].tabIndex = 0
  }
  const indexOf = (event) => Number(event.target.closest?.(".character")?.dataset.index ?? NaN)
  const read = (event) => {
    const index = indexOf(event)
    if (Number.isNaN(index)) return
    readout.textContent = describe(shown.get(parentElement), index)
    event.target.setAttribute("aria-label", readout.textContent)
  }
  const choose = (index) => {
    if (!Number.isNaN(index)) setTriggerValue("clicked", index)
  }
  strip.onpointerover = read
  if (before === undefined) strip.addEventListener("focusin", read) // has no handler property
  // An animation that has ended still costs the browser time at every frame.
  strip.onanimationend = (event) => event.target.classList.remove("arriving")
  strip.onpointerleave = () => { readout.textContent = hint }
  strip.onclick = (event) => choose(indexOf(event))
  strip.onkeydown = (event) => {
    const index = indexOf(event)
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      choose(index)
      return
    }
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 }[event.key]
    const ends = { Home: 0, End: characters.length - 1 }[event.key]
    if (step === undefined && ends === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const wanted = ends ?? Math.min(characters.length - 1, Math.max(0, index + step))
    event.target.tabIndex = -1
    characters[wanted].tabIndex = 0
    characters[wanted].focus()
  }
}
