// Passages of a text in which some words are marked. The text comes as data and is only ever set as
// text.

function piece([text, role]) {
  const element = document.createElement(role === "middle" ? "strong" : "span")
  if (role) element.className = role
  element.textContent = text
  return element
}

export default function ({ data, parentElement }) {
  const rows = data.passages.flatMap(({ heading, pieces }) => {
    const passage = document.createElement("p")
    passage.append(...pieces.map(piece))
    if (!heading) return [passage]
    const above = document.createElement("p")
    above.className = "heading"
    above.textContent = heading
    return [above, passage]
  })
  parentElement.querySelector(".passages").replaceChildren(...rows)
}
