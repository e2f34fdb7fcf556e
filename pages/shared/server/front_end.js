// Runs before Streamlit's own scripts, in every page: the browser's history has one entry for one act of
// the visitor, a page and a lesson's step begin at their top, a page that React or the connection has given
// up for good is loaded again, and what is copied is copied where the connection is not encrypted, too, and a paused screen hears no keys.
(() => {
  "use strict"

  const LOOK_MS = 250
  const RELOADS_APART_MS = 10_000 // and twice as long after each that has not helped
  const RELOADED = "lab_reloaded"
  const ROOM = "room"
  const STEP = "lesson_step"
  const ROOT = new URL("..", document.currentScript.src)
  const HEALTH = new URL("_stcore/health", ROOT)
  // Streamlit would ask below the page's own address first, and wait for the answer that nothing is there.
  window.__streamlit = { BACKEND_BASE_URL: ROOT.href, ...window.__streamlit }

  // Over plain HTTP, as in most classrooms, browsers offer scripts no clipboard: a link would not be copied.
  const writeText = async (text) => {
    const write = (event) => {
      event.clipboardData.setData("text/plain", text)
      event.preventDefault()
    }
    document.addEventListener("copy", write, { capture: true, once: true })
    const isCopied = document.execCommand("copy")
    document.removeEventListener("copy", write, { capture: true })
    if (!isCopied) throw new Error("The browser lets no script copy here.")
  }
  if (!navigator.clipboard) Object.defineProperty(navigator, "clipboard", { value: { writeText } })

  // While a class's screens rest, no key of a page does anything: what is hidden has no focus, but hears
  // the keys of its buttons.
  const rest = (event) => {
    if (document.querySelector(".st-key-class_rests")) event.stopImmediatePropagation()
  }
  for (const kind of ["keydown", "keyup"]) addEventListener(kind, rest, { capture: true })

  // What the first sight of a page needs is asked for in turn, as each takes the network from the others:
  // Streamlit's own scripts, without which nothing runs, then fonts, and with them here what pages draw with,
  // while the server makes the first messages.
  const askFor = (kind) => {
    const links = [...document.getElementById("lab-later").content.querySelectorAll(`[rel=${kind}]`)]
    document.head.append(...links)
    return links
  }
  const hasCome = (link) => new Promise((come) => (link.onload = link.onerror = come))
  new PerformanceObserver((_, observer) => {
    const start = document.querySelector("script[type=module]")?.src
    if (!start || !performance.getEntriesByName(start).length) return
    observer.disconnect()
    Promise.all(askFor("preload").map(hasCome)).then(() => askFor("modulepreload"))
  }).observe({ type: "resource", buffered: true })

  const push = history.pushState.bind(history)
  const replace = history.replaceState.bind(history)

  let hasActed = false // since the last entry
  let isNew = false // whether the entry was written for a run that still goes on, or is to come
  let hasRun = false // or has begun, since the entry
  let settled = location.href // what the entry said when the last run was over
  let keysIn = null // the element in which the visitor has pressed keys last
  let looksAtRest = 0
  let wasDrawn = false
  let wasSeen = false // whether a page has been, since this was loaded: what leads on at once is no entry
  // Streamlit draws every page into the same box, which stays where the page before was scrolled to.
  const place = (url) => `${url.pathname} ${new URLSearchParams(url.search).get(STEP)}`
  let begunAt = place(location) // the page, and the step of a lesson, that was last begun at its top
  let room = new URLSearchParams(location.search).get(ROOM)

  // An act is a press of the pointer, or of keys: of several in one control, all but Enter are one.
  const look = () => (wasSeen ||= Boolean(document.querySelector("[data-testid=stMain] h1")))
  const act = () => {
    look()
    hasActed = true
    keysIn = null
  }
  addEventListener("pointerdown", act, true)
  addEventListener("click", (event) => event.detail === 0 && act(), true)
  addEventListener(
    "keydown",
    (event) => {
      if (event.repeat || (event.target === keysIn && event.key !== "Enter")) return
      act()
      keysIn = event.target
    },
    true,
  )
  addEventListener("popstate", () => {
    hasActed = isNew = false
    settled = location.href
    if (place(location) !== begunAt) begin(location)
  })

  // What the address asks for, except for the class: that is kept, whatever entry one goes back to.
  const asked = (url) => {
    const parameters = new URLSearchParams(url.search)
    parameters.delete(ROOM)
    parameters.sort()
    return parameters.toString()
  }

  const begin = (url) => {
    begunAt = place(url)
    document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0, behavior: "instant" })
  }

  const write = (state, title, address) => {
    const url = new URL(address ?? location.href, location.href)
    const leaves = url.pathname !== location.pathname
    if (place(url) !== begunAt) begin(url)
    if (leaves && !hasActed && isNew) {
      // The same act has changed the parameters first: there was no such page.
      replace(state, title, url)
    } else if (leaves && look()) {
      replace(history.state, "", settled)
      push(state, title, url)
      isNew = true
    } else if (!leaves && hasActed && asked(url) !== asked(location)) {
      push(state, title, url)
      isNew = true
    } else {
      replace(state, title, url)
      return
    }
    hasActed = hasRun = false
    settled = location.href
  }
  history.pushState = history.replaceState = write

  const app = () => document.querySelector("[data-testid=stApp]")?.dataset
  const isAtRest = () => app()?.testScriptState === "notRunning"
  // Streamlit tries again by itself after a lost connection, but never after a message it cannot make sense of.
  const isGivenUp = () => app()?.testConnectionState === "DISCONNECTED_FOREVER"

  const loadAgain = async () => {
    const now = Date.now()
    const last = JSON.parse(sessionStorage.getItem(RELOADED)) ?? { at: 0, apart: 0 }
    if (now - last.at < last.apart) return
    const hasHelped = now - last.at > 4 * last.apart
    const apart = hasHelped ? RELOADS_APART_MS : 2 * last.apart
    sessionStorage.setItem(RELOADED, JSON.stringify({ at: now, apart }))
    // Without a server the browser would show a page of its own, which never comes back.
    const isServed = await fetch(HEALTH).then((answer) => answer.ok, () => false)
    if (!isServed) return
    const url = new URL(location.href)
    if (room && !url.searchParams.has(ROOM)) url.searchParams.set(ROOM, room)
    replace(history.state, "", url)
    location.reload()
  }

  const note = new MutationObserver(() => (hasRun = true))
  note.observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] })

  setInterval(() => {
    room = new URLSearchParams(location.search).get(ROOM) ?? room
    const isDrawn = Boolean(document.getElementById("root")?.firstElementChild)
    if ((wasDrawn && !isDrawn) || isGivenUp()) loadAgain()
    wasDrawn ||= isDrawn
    look()
    looksAtRest = isAtRest() ? looksAtRest + 1 : 0
    if (looksAtRest >= 2 && hasRun) {
      isNew = false
      settled = location.href
    }
  }, LOOK_MS)
})()
