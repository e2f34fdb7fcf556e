// The first page that a visitor opens shows its picture before the browser takes on the menu and what is below
// the picture: tables, formulas and further charts would keep a slow processor, and a slow network, from what is
// seen first. All that waits here until the picture is drawn, and then comes a few at a time.
(() => {
  "use strict"

  const MOST_MS = 4_000 // that anything waits: not every picture comes
  const LOOK_MS = 30
  const AT_A_TIME = 12
  const MAIN = 0 // of the places in which Streamlit draws: not beside the page, nor what is not seen
  const ANSWERS = [19, 26, 27] // fields of what the browser has asked for: where to send a file, a sign of life
  const [METADATA, RUN_ENDS, KNOWN, NAVIGATION, PAGE] = [2, 6, 11, 23, 2] // fields too
  const CHART = [5, 3, 41] // the way to it through a message: each a field of the one before
  const CHART_MS = 50 // until what comes after a chart: Streamlit draws together what comes within 10
  const IS_HIDDEN = 7 << 3 // a field with its type
  const BLOCK = [5, 6] // the way to a container through a message
  const [FIRST_SCREEN, PICTURE] = ["first_screen", "picture"].map((key) => new TextEncoder().encode(key))
  const CHART_DRAWN = ":is(svg.marks, canvas)"
  const DRAWN = `:is(${CHART_DRAWN}, .stBidiComponent, .js-plotly-plot)`
  const TO_DRAW =
    ":is([data-testid=stSkeleton], [data-testid=stVegaLiteChart], [data-testid=stPlotlyChart], .stBidiComponent)"
  const BESIDE_IT = ":is([class*=st-key-sentence_], [class*=playback_]) *"

  let firstScreen = null // where in the page it is
  let picture = null // and where in it the picture, of whose charts the first is drawn as soon as it comes
  let isRunOver = false // as soon as more waits than what the first run draws below
  let isReleasing = false
  let held = [] // what waits, and whether it is a chart; null once nothing does any more
  let hasChart = false
  const laterCharts = [] // where in the page the others of the picture are
  let menu = null // its message, which waits as well
  let isMenuShown = false // from then on it stays

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
  const fields = function* (bytes) {
    while (bytes.length) {
      const [tag, start] = number(bytes)
      const [value, length] = number(bytes.subarray(start))
      const isNumber = (tag & 7) === 0
      if (!isNumber && (tag & 7) !== 2) return
      const end = start + length + (isNumber ? 0 : value)
      yield [tag >> 3, bytes.subarray(start + length, end), bytes.subarray(0, end)]
      bytes = bytes.subarray(end)
    }
  }
  const field = (bytes, wanted) => {
    for (const [kind, content] of fields(bytes)) if (kind === wanted) return content
    return null
  }
  const asNumber = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...asNumber(value >> 7)])
  const changed = (bytes, changes) =>
    Uint8Array.from(
      [...fields(bytes)].flatMap(([kind, content, whole]) => {
        if (!changes[kind]) return [...whole]
        const made = changes[kind](content)
        return [...asNumber((kind << 3) | 2), ...asNumber(made.length), ...made]
      }),
    )
  // The browser must know all pages at once, because a run that it asks for names its page: so they are hidden at
  // first. It must not keep the message for the runs to come: what is cacheable is field 1.
  const hidden = (page) => [...page, IS_HIDDEN, 1]
  const withHiddenPages = (bytes) =>
    changed(bytes, {
      [METADATA]: (metadata) => [...fields(metadata)].flatMap(([kind, , whole]) => (kind === 1 ? [] : [...whole])),
      [NAVIGATION]: (navigation) => changed(navigation, { [PAGE]: hidden }),
    })
  const placeOf = (bytes) => {
    const path = field(field(bytes, METADATA) ?? new Uint8Array(), 2)
    return path?.length ? [...numbers(path)].map(([value]) => value) : null
  }

  const isBelow = (place, bytes) => {
    if (place[0] !== MAIN) return false
    if (contains(bytes, FIRST_SCREEN)) firstScreen = place
    if (!firstScreen) return false
    const at = firstScreen.findIndex((value, i) => value !== place[i])
    return at >= 0 && place[at] > firstScreen[at]
  }

  const begins = (place, start) => start.every((value, i) => value === place[i])
  const part = (bytes, way) => way.reduce((content, wanted) => content && field(content, wanted), bytes)
  const isChart = (bytes) => part(bytes, CHART) !== null
  // A further chart of the picture waits, and with it what follows in its column: Streamlit takes no place
  // before those above it.
  const isLater = (place, bytes) => {
    if (!firstScreen || !begins(place, firstScreen)) return false
    if (!picture && part(bytes, BLOCK) && contains(bytes, PICTURE)) picture = place
    if (!picture || !begins(place, picture)) return false
    const isAfter = (chart) => begins(place, chart.slice(0, -1)) && place[chart.length - 1] >= chart.at(-1)
    if (laterCharts.some(isAfter)) return true
    if (!isChart(bytes)) return false
    if (hasChart) laterCharts.push(place)
    hasChart = true
    return laterCharts.length > 0
  }

  const found = (what) => [...document.querySelectorAll(`.st-key-picture ${what}:not(${BESIDE_IT})`)]
  const isLarge = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width >= 100 && height >= 100
  }
  // Not every picture is a chart: words and fields are one as soon as they are there.
  const isOfText = () =>
    isRunOver && isLarge(document.querySelector(".st-key-picture") ?? document.head) && !found(TO_DRAW).length
  const isPicture = (element) => isLarge(element) || (laterCharts.length && element.matches(CHART_DRAWN))
  const isDrawn = () => found(DRAWN).some(isPicture) || isOfText()

  const showMenu = () => {
    isMenuShown = true
    menu?.()
    menu = null
  }
  const release = () => {
    isReleasing = true
    showMenu()
    const [chart, count] = [held?.findIndex((one) => one.isChart), held?.length ?? 0]
    held?.splice(0, Math.min(AT_A_TIME, chart < 0 ? count : chart + 1)).forEach((one) => one.take())
    if (held?.length) setTimeout(release, chart >= 0 && chart < AT_A_TIME ? CHART_MS : 0)
    else held = null
  }
  const wait = (until) => {
    if (isReleasing) return
    if (document.hidden || performance.now() > until) release()
    else if (isDrawn()) requestAnimationFrame(() => setTimeout(release)) // once it is painted
    else setTimeout(wait, LOOK_MS, until)
  }
  // Who acts already waits for nothing.
  const act = () => (menu || held?.length) && !isReleasing && release()
  addEventListener("pointerdown", act, true)
  addEventListener("keydown", act, true)

  const waits = (bytes) => {
    const place = placeOf(bytes)
    if (!place && ANSWERS.some((kind) => field(bytes, kind))) return false
    if (!held.length && field(bytes, RUN_ENDS)) showMenu() // this page has nothing that the menu could wait for
    if (!isRunOver && !(place ? isBelow(place, bytes) || isLater(place, bytes) : held.length)) return false
    isRunOver ||= !place
    return true
  }

  window.WebSocket = class extends WebSocket {
    constructor(...settings) {
      super(...settings)
      const released = new WeakSet()
      this.addEventListener("message", (event) => {
        if (!held || released.has(event)) return
        const take = (data) => {
          const again = new MessageEvent("message", { data })
          released.add(again)
          this.dispatchEvent(again)
        }
        const bytes = new Uint8Array(event.data)
        if (field(bytes, KNOWN)) showMenu() // what comes names a message by its hash: it may be the menu
        if (!isMenuShown && !isRunOver && field(bytes, NAVIGATION)) {
          menu = () => take(event.data)
          take(withHiddenPages(bytes).buffer)
          setTimeout(showMenu, MOST_MS)
        } else if (!waits(bytes)) return
        else if (held.push({ take: () => take(event.data), isChart: isChart(bytes) }) === 1)
          wait(performance.now() + MOST_MS)
        event.stopImmediatePropagation()
      })
    }
  }
})()
