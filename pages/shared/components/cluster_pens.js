// What panels of points are drawn with: colours, shapes, and a pen for the canvas and one for SVG.

const COLOURS = [
  [0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0],
  [86, 180, 233], [150, 150, 150], [166, 118, 29], [143, 126, 230], [190, 174, 0],
]
const rgba = (colour, alpha = 1) => `rgba(${colour.map(Math.round)}, ${alpha})`
// A colour as it is on light paper, and nearer to white by a share on dark.
const lit = (colour, ink, share) =>
  ink.isDark ? colour.map((part) => part + share * (255 - part)) : colour

// Corners of a shape of radius 1: n spikes, and how deep the notches between them are.
function spikes(n, inner, turn = 0) {
  return Array.from({ length: 2 * n }, (_, i) => {
    const [angle, radius] = [turn + (i * Math.PI) / n - Math.PI / 2, i % 2 ? inner : 1]
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })
}

const polygon = (n, turn) => spikes(n, Math.cos(Math.PI / n), turn)
// One for each cluster, so that none is distinguished by its colour alone; the first is a circle.
const SHAPES = [
  null, polygon(4, Math.PI / 4), polygon(3), polygon(4), polygon(3, Math.PI),
  spikes(5, 0.45), spikes(4, 0.35), polygon(6), spikes(4, 0.35, Math.PI / 4), spikes(3, 0.25),
]

class CanvasPen {
  constructor(context) {
    this.context = context
  }
  finish({ fill, stroke, width = 1, dash = [] }) {
    if (fill) {
      this.context.fillStyle = fill
      this.context.fill()
    }
    if (!stroke) return
    this.context.setLineDash(dash)
    this.context.lineWidth = width
    this.context.strokeStyle = stroke
    this.context.stroke()
  }
  path(corners, look, isClosed = true) {
    this.context.beginPath()
    for (const [x, y] of corners) this.context.lineTo(x, y)
    if (isClosed) this.context.closePath()
    this.finish(look)
  }
  ellipse(x, y, a, b, turn, look) {
    this.context.beginPath()
    this.context.ellipse(x, y, a, b, turn, 0, 2 * Math.PI)
    this.finish(look)
  }
  // Many equal shapes as one path: a tenth of the time of one by one.
  marks(places, which, radius, look) {
    const shape = SHAPES[which]
    this.context.beginPath()
    for (const [x, y] of places) {
      if (shape) {
        shape.forEach(([u, v], i) =>
          this.context[i ? "lineTo" : "moveTo"](x + radius * u, y + radius * v))
        this.context.closePath()
      } else {
        this.context.moveTo(x + 0.85 * radius, y)
        this.context.arc(x, y, 0.85 * radius, 0, 2 * Math.PI)
      }
    }
    this.finish(look)
  }
  text(x, y, content, { fill, size, align = "left", weight = "normal", halo = null }) {
    this.context.font = `${weight} ${size}px sans-serif`
    this.context.textAlign = align
    if (halo) {
      Object.assign(this.context, { strokeStyle: halo, lineWidth: 4, lineJoin: "round" })
      this.context.setLineDash([])
      this.context.strokeText(content, x, y)
    }
    this.context.fillStyle = fill
    this.context.fillText(content, x, y)
  }
  image(canvas, width, height) {
    this.context.imageSmoothingEnabled = true
    this.context.drawImage(canvas, 0, 0, width, height)
  }
}

class SvgPen {
  constructor(left, top, width, height) {
    this.group = drawn("svg", { x: left, y: top, width, height, overflow: "hidden" })
  }
  add(name, attributes, { fill = "none", stroke = "none", width = 1, dash = [] } = {}) {
    const look = { fill, stroke, "stroke-width": width, "stroke-dasharray": dash.join(" ") }
    this.group.append(drawn(name, { ...look, ...attributes }))
  }
  path(corners, look, isClosed = true) {
    const points = corners.map((corner) => corner.map((v) => v.toFixed(2)).join(",")).join(" ")
    this.add(isClosed ? "polygon" : "polyline", { points }, look)
  }
  ellipse(x, y, rx, ry, turn, look) {
    const transform = `translate(${x} ${y}) rotate(${(turn * 180) / Math.PI})`
    this.add("ellipse", { rx, ry, transform }, look)
  }
  marks(places, which, radius, look) {
    const shape = SHAPES[which]
    for (const [x, y] of places)
      if (shape) this.path(shape.map(([u, v]) => [x + radius * u, y + radius * v]), look)
      else this.ellipse(x, y, 0.85 * radius, 0.85 * radius, 0, look)
  }
  text(x, y, content, { fill, size, align = "left", weight = "normal", halo = null }) {
    const anchor = { left: "start", center: "middle", right: "end" }[align]
    const look = { x, y, fill, "font-size": size, "font-weight": weight, "text-anchor": anchor }
    const element = drawn("text", { "font-family": "sans-serif", ...look })
    element.textContent = content
    if (halo)
      for (const [name, value] of Object.entries({ stroke: halo, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" }))
        element.setAttribute(name, value)
    this.group.append(element)
  }
  image(canvas, width, height) {
    const frame = { width, height, preserveAspectRatio: "none" }
    this.group.append(drawn("image", { href: canvas.toDataURL(), ...frame }))
  }
}
