// For pictures of numbers: unpacked, coloured as the theme wants it, and kept as a file.

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
  return new Response(stream).arrayBuffer()
}

// What the style sheet calls NAME, as red, green, blue.
function colour(element, name) {
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = 1
  const context = canvas.getContext("2d")
  context.fillStyle = getComputedStyle(element).getPropertyValue(name).trim()
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
}

const luminance = (rgb) =>
  rgb.map((part) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, c) => sum + [0.2126, 0.7152, 0.0722][c] * part, 0)

// What is legible on a share of a colour over the background: one of the two always has a contrast of 4.5.
function inkOn(rgb, amount = 1, background = [255, 255, 255]) {
  const light = luminance(rgb.map((part, c) => amount * part + (1 - amount) * background[c]))
  return (light + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff"
}

function inks(element) {
  const background = colour(element, "--st-background-color")
  const isDark = background[0] + background[1] + background[2] < 384
  return {
    weight: isDark ? [243, 176, 214] : [130, 30, 95],
    negative: isDark ? [107, 174, 214] : [8, 81, 156],
    positive: isDark ? [247, 150, 70] : [160, 74, 5],
    background: `rgb(${background})`,
    paper: background,
    text: `rgb(${colour(element, "--st-text-color")})`,
    chosen: isDark ? "#F0E442" : "#BF5400", // names are written in it, too: on white, vermillion itself is too pale
  }
}

// A square of n x n cells; shade(i) gives the ink and how much of it, from 0 to 1.
function painted(n, shade) {
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = n
  const context = canvas.getContext("2d")
  const image = context.createImageData(n, n)
  for (let i = 0; i < n * n; i++) {
    const [ink, amount] = shade(i)
    image.data.set(ink, 4 * i)
    image.data[4 * i + 3] = Math.round(255 * amount)
  }
  context.putImageData(image, 0, 0)
  return canvas
}

const SVG = "http://www.w3.org/2000/svg"

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

function keep(blob, name) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

async function rasterised(text, width, height) {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = 3 * width
  canvas.height = 3 * height
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

// Two buttons that keep what picture() gives, an <svg> that is complete in itself, under a name.
function offerFiles(box, name, picture) {
  const asText = () => {
    const svg = picture()
    const paper = drawn("rect", { width: "100%", height: "100%", fill: inks(box).background })
    svg.prepend(paper)
    return [new XMLSerializer().serializeToString(svg), svg]
  }
  const [png, svg] = ["PNG", "SVG"].map((kind) => {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = kind
    button.setAttribute("aria-label", `Save ${name} as ${kind}`)
    return button
  })
  png.onclick = async () => {
    const [text, element] = asText()
    const size = ["width", "height"].map((side) => Number(element.getAttribute(side)))
    const canvas = await rasterised(text, ...size)
    canvas.toBlob((blob) => keep(blob, `${name}.png`))
  }
  svg.onclick = () => keep(new Blob([asText()[0]], { type: "image/svg+xml" }), `${name}.svg`)
  box.replaceChildren(png, svg)
}

// Draws again whenever the box has another size; what it returns ends that.
function followSize(state, box, draw) {
  const size = () => `${box.clientWidth} ${box.clientHeight}`
  state.size = size()
  state.observer ??= new ResizeObserver(() => {
    if (size() === state.size) return // it tells at its beginning, too
    state.size = size()
    draw()
  })
  state.observer.observe(box)
  return () => {
    state.observer?.disconnect()
    state.observer = null
  }
}

const percent = (w) => {
  if (w === 0) return "0 %"
  return w >= 0.0995 ? `${(100 * w).toFixed(0)}\u202f%` : `${(100 * w).toPrecision(2)}\u202f%`
}

// The step that an arrow key asks for, in a field of so many columns; undefined for other keys.
const stepOf = (key, columns) =>
  ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns })[key]
