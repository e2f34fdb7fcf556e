// Runs before Streamlit's own scripts, in every page: the browser's history has one entry for one act of
// the visitor, and a page that React has given up is loaded again.
(() => {
  "use strict"

  const LOOK_MS = 250
  const RELOADS_APART_MS = 10_000
  const RELOADED = "lab_reloaded_at"
  const ROOM = "room"

  const push = history.pushState.bind(history)
  const replace = history.replaceState.bind(history)

  let hasActed = false // since the last entry
  let isNew = false // whether the entry was written in a run that still goes on
  let settled = location.href // what the entry said when the last run was over
  let keysIn = null // the element in which the visitor has pressed keys last
  let looksAtRest = 0
  let wasDrawn = false
  let room = new URLSearchParams(location.search).get(ROOM)

  // An act is a press of the pointer, or of keys: of several in one control, all but Enter are one.
  const act = () => {
    hasActed = true
    keysIn = null
  }
  addEventListener("pointerdown", act, true)
  addEventListener("click", (event) => event.detail === 0 && act(), true)
  addEventListener(
    "keydown",
    (event) => {
      if (event.repeat || (event.target === keysIn && event.key !== "Enter")) return
      hasActed = true
      keysIn = event.target
    },
    true,
  )
  addEventListener("popstate", () => {
    hasActed = isNew = false
    settled = location.href
  })

  // What the address asks for, except for the class: that is kept, whatever entry one goes back to.
  const asked = (url) => {
    const parameters = new URLSearchParams(url.search)
    parameters.delete(ROOM)
    parameters.sort()
    return parameters.toString()
  }

  const write = (state, title, address) => {
    const url = new URL(address ?? location.href, location.href)
    const leaves = url.pathname !== location.pathname
    if (leaves && !hasActed && isNew) {
      // The same act has changed the parameters first: there was no such page.
      replace(state, title, url)
    } else if (leaves && document.querySelector("[data-testid=stMain] h1")) {
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
    hasActed = false
    settled = location.href
  }
  history.pushState = history.replaceState = write

  const isAtRest = () =>
    document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"

  const loadAgain = () => {
    const now = Date.now()
    if (now - Number(sessionStorage.getItem(RELOADED) ?? 0) < RELOADS_APART_MS) return
    sessionStorage.setItem(RELOADED, String(now))
    const url = new URL(location.href)
    if (room && !url.searchParams.has(ROOM)) url.searchParams.set(ROOM, room)
    replace(history.state, "", url)
    location.reload()
  }

  setInterval(() => {
    room = new URLSearchParams(location.search).get(ROOM) ?? room
    const isDrawn = Boolean(document.getElementById("root")?.firstElementChild)
    if (wasDrawn && !isDrawn) loadAgain()
    wasDrawn ||= isDrawn
    looksAtRest = isAtRest() ? looksAtRest + 1 : 0
    if (looksAtRest >= 2) {
      isNew = false
      settled = location.href
    }
  }, LOOK_MS)
})()
