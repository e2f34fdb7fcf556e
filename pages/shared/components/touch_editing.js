// By finger a swipe scrolls the page and a tap inspects: a picture is edited only while *Edit* is on,
// which a visitor with a mouse is not asked for.

const mayEdit = (state, event) => event.pointerType !== "touch" || Boolean(state.isEditing)

// A button of those that change what a picture is painted with.
function penButton(label, press, isPressed) {
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = label
  button.onclick = press
  if (isPressed !== undefined) button.setAttribute("aria-pressed", isPressed)
  return button
}

// The button that switches it; it is seen where the pointer is a finger. room shows whether it is on.
function editButton(state, room) {
  const show = () => {
    button.setAttribute("aria-pressed", String(Boolean(state.isEditing)))
    room.classList.toggle("editing", Boolean(state.isEditing))
  }
  const button = penButton("Edit", () => {
    state.isEditing = !state.isEditing
    show()
  })
  button.className = "edit"
  show()
  return button
}
