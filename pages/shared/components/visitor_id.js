// A random number that this browser keeps, so that a visitor who comes back after a refresh is
// still the one who started a training. It says nothing about them and goes nowhere else.

const PLACE = "lm-lab-visitor"

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function kept() {
  try {
    const known = localStorage.getItem(PLACE)
    if (known) return known
    const fresh = made()
    localStorage.setItem(PLACE, fresh)
    return fresh
  } catch {
    return "" // storage is forbidden here: the server's own number for this visit will do
  }
}

export default function ({ data, setStateValue }) {
  const id = kept()
  if (id ? id !== data.known : !data.confirmed) setStateValue("id", id)
}
