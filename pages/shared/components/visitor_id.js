// Two random numbers: one that this browser keeps, so that a visitor who comes back is still the one
// who started a training, and one that this tab keeps through a reload. They say nothing about the
// visitor and go nowhere else.

const PLACE = "lm-lab-visitor"

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function kept(storage) {
  const known = storage.getItem(PLACE)
  if (/^[0-9a-f]{32}$/.test(known)) return known
  const fresh = made()
  storage.setItem(PLACE, fresh)
  return fresh
}

// Of a computer that several people use: whoever comes next has other numbers, and a page on which
// nothing of the one before is left. Returns whether that number was still there.
function forget(number) {
  try {
    if (!number || localStorage.getItem(PLACE) !== number) return false
    for (const storage of [localStorage, sessionStorage]) storage.removeItem(PLACE)
  } catch {
    return false
  }
  location.replace(location.pathname)
  return true
}

function numbers() {
  try {
    return `${kept(localStorage)}-${kept(sessionStorage)}`
  } catch {
    return "" // storage is forbidden here: the server's own number for this visit will do
  }
}

export default function ({ data, setStateValue }) {
  if (forget(data.forgotten)) return
  const id = numbers()
  if (id ? id !== `${data.known}-${data.tab}` : !data.confirmed) setStateValue("id", id)
}
