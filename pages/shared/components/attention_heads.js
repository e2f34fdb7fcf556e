// All heads of all layers as small pictures; a click, or Enter, chooses one.

const latest = new WeakMap() // what was drawn last, where

function describe(data, layer, head) {
  const ablated = data.is_ablated[layer][head] ? "ablated; " : ""
  return `Layer ${layer + 1}, head ${head + 1}: ${ablated}${data.notes[layer][head]}`
}

function masked(context, n) {
  context.save()
  context.beginPath()
  context.moveTo(0, 0)
  context.lineTo(n, 0)
  context.lineTo(n, n)
  context.clip()
  context.strokeStyle = "rgba(128, 128, 128, 0.35)"
  context.lineWidth = n / 90
  for (let i = 1; i < 28; i++) {
    context.beginPath()
    context.moveTo((i * n) / 14, 0)
    context.lineTo(0, (i * n) / 14)
    context.stroke()
  }
  context.restore()
}

// Cells are squares of whole pixels, and large enough for the hatching to be fine.
function picture(bytes, start, data, ink) {
  const n = data.length
  const small = painted(n, (i) => [ink, bytes[start + i] / 255])
  const canvas = document.createElement("canvas")
  const size = n * Math.ceil(180 / n)
  canvas.width = canvas.height = size
  const context = canvas.getContext("2d")
  context.imageSmoothingEnabled = false
  context.drawImage(small, 0, 0, size, size)
  if (data.is_causal) masked(context, size)
  return canvas
}

function build(box, data) {
  const cells = [document.createElement("span")]
  const label = (text, name) => {
    const element = document.createElement("span")
    element.className = name
    element.textContent = text
    cells.push(element)
  }
  for (let head = 0; head < data.heads; head++) label(`${head + 1}`, "top")
  for (let layer = 0; layer < data.layers; layer++) {
    label(`Layer ${layer + 1}`, "side")
    for (let head = 0; head < data.heads; head++) {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "head"
      button.dataset.place = layer * data.heads + head
      button.append(document.createElement("canvas"), document.createElement("span"))
      cells.push(button)
    }
  }
  box.style.gridTemplateColumns = `1.1rem repeat(${data.heads}, minmax(0, 1fr))`
  box.replaceChildren(...cells)
}

function whole(buttons, data, ink) {
  const [size, gap, left, top] = [140, 26, 30, 26]
  const width = left + data.heads * (size + 8)
  const height = top + data.layers * (size + gap)
  const svg = drawn("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })
  const text = (x, y, content, more = {}) => {
    const look = { x, y, fill: ink.text, "font-family": "sans-serif", "font-size": 11, ...more }
    const element = drawn("text", look)
    element.textContent = content
    svg.append(element)
  }
  buttons.forEach((button, i) => {
    const x = left + (i % data.heads) * (size + 8)
    const y = top + Math.floor(i / data.heads) * (size + gap)
    const href = button.querySelector("canvas").toDataURL()
    const frame = { x, y, width: size, height: size }
    svg.append(drawn("image", { href, style: "image-rendering: pixelated", ...frame }))
    svg.append(drawn("rect", { fill: "none", stroke: "#808080", ...frame }))
    text(x, y + size + 13, `${Math.floor(i / data.heads) + 1}.${(i % data.heads) + 1} ${data.names.flat()[i]}`)
  })
  text(left, 14, data.label)
  return svg
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".heads")
  const readout = parentElement.querySelector(".readout")
  const shape = `${data.layers}x${data.heads}`
  if (box.dataset.shape !== shape) build(box, data)
  box.dataset.shape = shape
  box.classList.toggle("fills", data.fills)
  box.setAttribute("aria-label", `${data.label}. Arrow keys move, Enter chooses.`)
  const buttons = [...box.querySelectorAll(".head")]
  const ink = inks(box)
  box.style.setProperty("--chosen", ink.chosen)

  const before = latest.get(parentElement)
  const drawing = { shades: data.shades, paper: ink.background }
  latest.set(parentElement, drawing)
  const chosen = data.chosen[0] * data.heads + data.chosen[1]
  buttons.forEach((button, i) => {
    const [layer, head] = [Math.floor(i / data.heads), i % data.heads]
    button.setAttribute("aria-label", describe(data, layer, head))
    button.setAttribute("aria-pressed", String(i === chosen))
    button.classList.toggle("ablated", data.is_ablated[layer][head])
    button.classList.toggle("named", data.names[layer][head] !== "")
    button.querySelector("span").textContent = data.names[layer][head]
    if (!box.contains(parentElement.activeElement ?? null)) button.tabIndex = i === chosen ? 0 : -1
  })
  const hint = describe(data, ...data.chosen)
  readout.textContent = hint

  const isDrawn = before?.shades === drawing.shades && before.paper === drawing.paper
  if (!isDrawn) unpacked(data.shades).then((buffer) => {
    if (latest.get(parentElement).shades !== data.shades) return // a newer one has come meanwhile
    const bytes = new Uint8Array(buffer)
    const n = data.length
    buttons.forEach((button, i) => {
      button.querySelector("canvas").replaceWith(picture(bytes, i * n * n, data, ink.weight))
    })
  })

  const placeOf = (event) => Number(event.target.closest?.(".head")?.dataset.place ?? NaN)
  const choose = (place) => {
    if (Number.isNaN(place)) return
    setTriggerValue("chosen", [Math.floor(place / data.heads), place % data.heads])
  }
  const read = (event) => {
    const place = placeOf(event)
    if (Number.isNaN(place)) return
    readout.textContent = describe(data, Math.floor(place / data.heads), place % data.heads)
  }
  box.onpointerover = read
  box.onpointerleave = () => { readout.textContent = hint }
  box.onclick = (event) => choose(placeOf(event))
  box.onkeydown = (event) => {
    const step = stepOf(event.key, data.heads)
    const place = placeOf(event)
    if (step === undefined || Number.isNaN(place)) return
    event.preventDefault()
    event.stopPropagation()
    const wanted = place + step
    if (wanted < 0 || wanted >= buttons.length) return
    buttons[place].tabIndex = -1
    buttons[wanted].tabIndex = 0
    buttons[wanted].focus()
    readout.textContent = describe(data, Math.floor(wanted / data.heads), wanted % data.heads)
  }
  offerFiles(parentElement.querySelector(".files"), data.name, () => whole(buttons, data, ink))
}
