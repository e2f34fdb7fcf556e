// By finger a swipe scrolls the page and a tap inspects: a picture is edited only while *Edit* is on,
// which a visitor with a mouse is not asked for.

const mayEdit = (state, event) => event.pointerType !== "touch" || Boolean(state.isEditing)

// The button that switches it; it is seen where the pointer is a finger. room shows whether it is on.
function editButton(state, room) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "edit"
  button.textContent = "Edit"
  const show = () => {
    button.setAttribute("aria-pressed", String(Boolean(state.isEditing)))
    room.classList.toggle("editing", Boolean(state.isEditing))
  }
  button.onclick = () => {
    state.isEditing = !state.isEditing
    show()
  }
  show()
  return button
}
