// The first page that a visitor opens shows its picture before the browser takes on what is below it: tables,
// formulas and further charts would keep a slow processor, and a slow network, from what is seen first.
// Everything after the first screen waits here until the picture is drawn, and then comes a few at a time.
(() => {
  "use strict"

  const MOST_MS = 4_000 // that anything waits: not every picture comes
  const LOOK_MS = 30
  const AT_A_TIME = 12
  const MAIN = 0 // of the places in which Streamlit draws: not beside the page, nor what is not seen
  const ANSWERS = [19, 26, 27] // fields of what the browser has asked for: where to send a file, a sign of life
  const FIRST_SCREEN = new TextEncoder().encode("first_screen")
  const DRAWN = ":is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot)"
  const TO_DRAW =
    ":is([data-testid=stSkeleton], [data-testid=stVegaLiteChart], [data-testid=stPlotlyChart], .stBidiComponent)"
  const BESIDE_IT = ":is([class*=st-key-sentence_], [class*=playback_]) *"

  let firstScreen = null // where in the page it is
  let isRunOver = false // as soon as more waits than what the first run draws below
  let isReleasing = false
  let held = [] // what waits; null once nothing does any more

  const contains = (bytes, part) => {
    for (let i = bytes.indexOf(part[0]); i >= 0; i = bytes.indexOf(part[0], i + 1))
      if (part.every((byte, j) => bytes[i + j] === byte)) return true
    return false
  }

  // A message's `metadata.delta_path` as Protocol Buffers write it: fields 2 and, in it, 2.
  const numbers = function* (bytes) {
    for (let value = 0, shift = 0, i = 0; i < bytes.length; i++) {
      value |= (bytes[i] & 127) << shift
      shift += 7
      if (bytes[i] < 128) {
        yield [value, i + 1]
        value = shift = 0
      }
    }
  }
  const number = (bytes) => numbers(bytes).next().value ?? [0, bytes.length]
  const field = (bytes, wanted) => {
    while (bytes.length) {
      const [tag, start] = number(bytes)
      const [value, length] = number(bytes.subarray(start))
      const isNumber = (tag & 7) === 0
      if (!isNumber && (tag & 7) !== 2) return null
      const end = start + length + (isNumber ? 0 : value)
      if (tag >> 3 === wanted) return bytes.subarray(start + length, end)
      bytes = bytes.subarray(end)
    }
    return null
  }
  const placeOf = (bytes) => {
    const path = field(field(bytes, 2) ?? new Uint8Array(), 2)
    return path?.length ? [...numbers(path)].map(([value]) => value) : null
  }

  const isBelow = (place, bytes) => {
    if (place[0] !== MAIN) return false
    if (contains(bytes, FIRST_SCREEN)) firstScreen = place
    if (!firstScreen) return false
    const at = firstScreen.findIndex((value, i) => value !== place[i])
    return at >= 0 && place[at] > firstScreen[at]
  }

  const found = (what) => [...document.querySelectorAll(`.st-key-picture ${what}:not(${BESIDE_IT})`)]
  const isLarge = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width >= 100 && height >= 100
  }
  // Not every picture is a chart: words and fields are one as soon as they are there.
  const isOfText = () =>
    isRunOver && isLarge(document.querySelector(".st-key-picture") ?? document.head) && !found(TO_DRAW).length
  const isDrawn = () => found(DRAWN).some(isLarge) || isOfText()

  const release = () => {
    isReleasing = true
    held?.splice(0, AT_A_TIME).forEach((take) => take())
    if (held?.length) setTimeout(release)
    else held = null
  }
  const wait = (until) => {
    if (isReleasing) return
    if (document.hidden || performance.now() > until) release()
    else if (isDrawn()) requestAnimationFrame(() => setTimeout(release)) // once it is painted
    else setTimeout(wait, LOOK_MS, until)
  }
  // Who acts already waits for nothing.
  const act = () => held?.length && !isReleasing && release()
  addEventListener("pointerdown", act, true)
  addEventListener("keydown", act, true)

  const waits = (data) => {
    const bytes = new Uint8Array(data)
    const place = placeOf(bytes)
    if (!place && ANSWERS.some((kind) => field(bytes, kind))) return false
    if (!isRunOver && !(place ? isBelow(place, bytes) : held.length)) return false
    isRunOver ||= !place
    return true
  }

  window.WebSocket = class extends WebSocket {
    constructor(...settings) {
      super(...settings)
      const released = new WeakSet()
      this.addEventListener("message", (event) => {
        if (!held || released.has(event) || !waits(event.data)) return
        event.stopImmediatePropagation()
        const again = new MessageEvent("message", { data: event.data })
        released.add(again)
        if (held.push(() => this.dispatchEvent(again)) === 1) wait(performance.now() + MOST_MS)
      })
    }
  }
})()
