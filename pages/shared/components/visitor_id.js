// Two random numbers: one that this browser keeps, so that a visitor who comes back is still the one
// who started a training, and one that this tab keeps through a reload. They say nothing about the
// visitor and go nowhere else.

const PLACE = "lm-lab-visitor"

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

// Of a computer that several people use: a number that is to be forgotten is kept no longer.
function kept(storage, forgotten) {
  const known = storage.getItem(PLACE)
  if (/^[0-9a-f]{32}$/.test(known) && known !== forgotten) return known
  const fresh = made()
  storage.setItem(PLACE, fresh)
  return fresh
}

function numbers(forgotten) {
  try {
    return `${kept(localStorage, forgotten)}-${kept(sessionStorage)}`
  } catch {
    return "" // storage is forbidden here: the server's own number for this visit will do
  }
}

export default function ({ data, setStateValue }) {
  const id = numbers(data.forgotten)
  if (id ? id !== `${data.known}-${data.tab}` : !data.confirmed) setStateValue("id", id)
}
