// The slider of what is played. The server alone knows the step; what the visitor does to the slider is sent
// as a touch with a name of its own, and until the server has answered that touch, older steps are not drawn.

const touches = new WeakMap()
const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"])

export default function ({ data, parentElement, setTriggerValue }) {
  const [input, output] = ["input", "output"].map((name) => parentElement.querySelector(name))
  const own = touches.get(parentElement) ?? { unanswered: null, next: null }
  touches.set(parentElement, own)

  const draw = (step) => {
    parentElement.querySelector(".playback").classList.add("drawn")
    input.value = step
    output.textContent = step.toLocaleString("en")
    input.style.setProperty("--share", step / data.last)
  }
  const send = (step) => {
    own.unanswered = { step, id: Math.random().toString(36).slice(2) }
    own.next = null
    setTriggerValue("touched", own.unanswered)
  }
  const touch = (step) => {
    draw(step)
    if (own.unanswered === null) send(step)
    else own.next = step // while the slider is dragged, one touch at a time is on its way
  }

  parentElement.querySelector(".name").textContent = data.label
  input.setAttribute("aria-label", data.label)
  input.max = data.last
  input.oninput = () => touch(input.valueAsNumber)
  input.onchange = () => { if (own.next !== null) send(own.next) }
  input.onpointerdown = () => { if (data.is_playing) send(input.valueAsNumber) }
  // The slider has these keys while it has the focus, not the buttons beside it.
  input.onkeydown = (event) => { if (KEYS.has(event.key)) event.stopPropagation() }

  if (own.unanswered !== null && own.unanswered.id !== data.answered) {
    // Drawn before the touch arrived, or the touch was lost on its way.
    setTriggerValue("touched", own.unanswered)
    return
  }
  own.unanswered = null
  if (own.next !== null) send(own.next)
  else draw(data.step)
}
