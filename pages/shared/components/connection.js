// Says so while the server cannot be reached: what is tapped meanwhile is sent when it is back.

const PATIENCE_MS = 1500 // a page that is run anew, or a moment without a signal, is not worth a word

let observer, timer

function isGone(app) {
  return !navigator.onLine || app.dataset.testConnectionState !== "CONNECTED"
}

export default function ({ data, parentElement }) {
  const note = parentElement.querySelector(".note")
  const app = document.querySelector("[data-testid=stApp]")
  if (!note || !app) return

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

  observer?.disconnect()
  observer = new MutationObserver(look)
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  addEventListener("online", look)
  addEventListener("offline", look)
  look()
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    removeEventListener("online", look)
    removeEventListener("offline", look)
  }
}
