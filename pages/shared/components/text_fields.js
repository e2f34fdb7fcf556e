// Text fields of visitors. A field refuses a paste that it cannot hold without a word; here it gets
// one. A live field is sent to the server while it is typed in: a pause stands for the keys that
// Streamlit waits for.

const QUIET_MS = 150

export default function ({ data, parentElement }) {
  const told = parentElement.querySelector(".told")
  const boxOf = (name) => `.st-key-${CSS.escape(name)}`
  const liveField = () => data.live && document.querySelector(`${boxOf(data.live)} textarea`)
  let timer = null

  const send = () => {
    const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }
    liveField()?.dispatchEvent(new KeyboardEvent("keydown", keys))
  }
  const sendAfterAPause = (event) => {
    if (!data.live || event.target !== liveField()) return
    clearTimeout(timer)
    if (!event.isComposing) timer = setTimeout(send, QUIET_MS)
  }
  const typed = (event) => {
    sendAfterAPause(event)
    const most = Object.entries(data.limits).find(([name]) => event.target.closest?.(boxOf(name)))?.[1]
    if (most === undefined) return
    const wanted = event.target.value.length // seen before the field takes it or refuses it
    const count = (number) => number.toLocaleString("en")
    told.textContent =
      wanted > most
        ? `This field holds ${count(most)} characters; with what you pasted it would be` +
          ` ${count(wanted)}. Nothing was changed: paste a part of it.`
        : ""
  }
  document.addEventListener("input", typed, true)
  document.addEventListener("compositionend", sendAfterAPause, true)
  return () => {
    clearTimeout(timer)
    document.removeEventListener("input", typed, true)
    document.removeEventListener("compositionend", sendAfterAPause, true)
  }
}
