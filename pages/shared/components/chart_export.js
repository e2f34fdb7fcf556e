// Saves a chart exactly as it appears on the page: no server, no network, no second renderer.

const SCALE = 3

function chartOf(key) {
  const frame = document.querySelector(`.st-key-${CSS.escape(key)}`)
  return {
    svg: frame?.querySelector("svg.marks"),
    canvas: frame?.querySelector("canvas.marks"),
  }
}

function standalone(svg) {
  const copy = svg.cloneNode(true)
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect")
  paper.setAttribute("width", "100%")
  paper.setAttribute("height", "100%")
  const app = document.querySelector("[data-testid=stApp]") ?? document.body
  paper.setAttribute("fill", getComputedStyle(app).backgroundColor)
  copy.prepend(paper)
  return new XMLSerializer().serializeToString(copy)
}

function save(blob, name) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

async function painted(svg) {
  const { width, height } = svg.getBoundingClientRect()
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`
  await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = SCALE * width
  canvas.height = SCALE * height
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

export default function ({ data, parentElement }) {
  const png = parentElement.querySelector(".png")
  const svg = parentElement.querySelector(".svg")
  png.setAttribute("aria-label", `Save ${data.name} as PNG`)
  svg.setAttribute("aria-label", `Save ${data.name} as SVG`)
  png.onclick = async () => {
    const chart = chartOf(data.chart)
    const canvas = chart.svg ? await painted(chart.svg) : chart.canvas
    canvas?.toBlob((blob) => save(blob, `${data.name}.png`))
  }
  svg.onclick = () => {
    const chart = chartOf(data.chart)
    if (!chart.svg) {
      svg.disabled = true
      svg.textContent = "SVG: too many marks"
      return
    }
    save(new Blob([standalone(chart.svg)], { type: "image/svg+xml" }), `${data.name}.svg`)
  }
}
