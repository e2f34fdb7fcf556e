// Sends a text field to the server while it is typed in: a pause stands for the keys that Streamlit
// waits for. A paste that the field cannot hold is refused by it without a word; it gets one here.

const QUIET_MS = 150

export default function ({ data, parentElement }) {
  const told = parentElement.querySelector(".told")
  const field = () =>
    document.querySelector(`.st-key-${CSS.escape(`control_${data.control}`)} textarea`)
  let timer = null

  const send = () => {
    const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }
    field()?.dispatchEvent(new KeyboardEvent("keydown", keys))
  }
  const typed = (event) => {
    if (event.target !== field()) return
    const wanted = event.target.value.length // seen before the field takes it or refuses it
    const count = (number) => number.toLocaleString("en")
    told.textContent =
      wanted > data.most
        ? `This field holds ${count(data.most)} characters; with what you pasted it would be` +
          ` ${count(wanted)}. Nothing was changed: paste a part of it.`
        : ""
    clearTimeout(timer)
    if (!event.isComposing) timer = setTimeout(send, QUIET_MS)
  }
  const composed = (event) => {
    if (event.target === field()) timer = setTimeout(send, QUIET_MS)
  }
  document.addEventListener("input", typed, true)
  document.addEventListener("compositionend", composed, true)
  return () => {
    clearTimeout(timer)
    document.removeEventListener("input", typed, true)
    document.removeEventListener("compositionend", composed, true)
  }
}
