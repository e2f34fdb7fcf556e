// Says so while the server cannot be reached: what is tapped meanwhile is sent when it is back. A link that
// is open but carries nothing, as of a phone at the edge of the Wi-Fi, is known by a question that has no answer.

const PATIENCE_MS = 1500 // a page that is run anew, or a moment without a signal, is not worth a word
const ASKED_EVERY_MS = 15000
const ANSWER_MS = 6000 // a busy server takes its time

const stops = new WeakMap() // by its place what ends the last one: one elsewhere may end later than the next begins
let isSilent = false

function isGone(app) {
  return isSilent || !navigator.onLine || app.dataset.testConnectionState !== "CONNECTED"
}

export default function ({ data, parentElement }) {
  const note = parentElement.querySelector(".note")
  const app = document.querySelector("[data-testid=stApp]")
  if (!note || !app) return
  stops.get(parentElement)?.()
  let timer, asking
  let isOver = false

  function look() {
    clearTimeout(timer)
    if (!isGone(app)) {
      note.hidden = true
      return
    }
    timer = setTimeout(() => {
      note.textContent = data.text
      note.hidden = !isGone(app)
    }, PATIENCE_MS)
  }

  async function ask() {
    if (!document.hidden) {
      const health = new URL("_stcore/health", window.__streamlit.BACKEND_BASE_URL)
      const asked = { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) }
      const silent = await fetch(health, asked).then(() => false, () => true)
      if (isOver) return
      isSilent = silent
      look()
    }
    asking = setTimeout(ask, isSilent ? PATIENCE_MS : ASKED_EVERY_MS)
  }

  asking = setTimeout(ask, ASKED_EVERY_MS)
  const observer = new MutationObserver(look)
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  addEventListener("online", look)
  addEventListener("offline", look)
  look()
  const stop = () => {
    isOver = true
    observer.disconnect()
    clearTimeout(timer)
    clearTimeout(asking)
    removeEventListener("online", look)
    removeEventListener("offline", look)
  }
  stops.set(parentElement, stop)
  return stop
}
