// Points, centres and components in one panel, by whichever pen.

const MOST_NAMES = 40

// Where the plane lies on the panel; both directions have the same scale.
function viewOf([left, right, bottom, top], width, height) {
  const scale = Math.min(width / (right - left), height / (top - bottom))
  const [middleX, middleY] = [(left + right) / 2, (bottom + top) / 2]
  return {
    width,
    height,
    scale,
    place: ([x, y]) => [width / 2 + (x - middleX) * scale, height / 2 - (y - middleY) * scale],
    point: ([x, y]) => [middleX + (x - width / 2) / scale, middleY - (y - height / 2) / scale],
  }
}

// The part of a polygon on the side where side() is not positive; side() is linear.
function clipped(corners, side) {
  const kept = []
  corners.forEach((corner, i) => {
    const before = corners.at(i - 1)
    const [a, b] = [side(before), side(corner)]
    if (a > 0 !== b > 0) kept.push([0, 1].map((n) => before[n] + ((corner[n] - before[n]) * a) / (a - b)))
    if (b <= 0) kept.push(corner)
  })
  return kept
}

// What lies nearer to centre i than to any other, within a box.
function cellOf(centres, i, box) {
  const [x, y] = centres[i]
  return centres.reduce((corners, [otherX, otherY], j) => {
    if (j === i || (otherX === x && otherY === y)) return corners
    const reach = (otherX ** 2 + otherY ** 2 - x ** 2 - y ** 2) / 2
    return clipped(corners, (p) => p[0] * (otherX - x) + p[1] * (otherY - y) - reach)
  }, box)
}

const squaredDistance = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

function nearest(centres, point) {
  let best = 0
  for (let i = 1; i < centres.length; i++)
    if (squaredDistance(centres[i], point) < squaredDistance(centres[best], point)) best = i
  return best
}

// Each component's share in a point of the plane.
function sharesAt([x, y], components) {
  const logs = components.map(({ weight, mean, covariance: [a, b, d] }) => {
    const [u, v, determinant] = [x - mean[0], y - mean[1], a * d - b * b]
    const length = (d * u * u - 2 * b * u * v + a * v * v) / determinant
    return Math.log(weight) - 0.5 * (Math.log(determinant) + length)
  })
  const highest = Math.max(...logs)
  const powers = logs.map((log) => Math.exp(log - highest))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}

function mixed(shares, first = 0, n = shares.length) {
  const colour = [0, 0, 0]
  for (let k = 0; k < n; k++)
    for (let c = 0; c < 3; c++) colour[c] += shares[first + k] * COLOURS[k][c]
  return colour
}

// The whole plane in the colours of the shares that a point there would have.
function haze(view, components, opacity) {
  const canvas = document.createElement("canvas")
  const [columns, rows] = [120, Math.max(1, Math.round((120 * view.height) / view.width))]
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext("2d")
  const image = context.createImageData(columns, rows)
  for (let i = 0; i < columns * rows; i++) {
    const across = (((i % columns) + 0.5) * view.width) / columns
    const down = ((Math.floor(i / columns) + 0.5) * view.height) / rows
    image.data.set(mixed(sharesAt(view.point([across, down]), components)), 4 * i)
    image.data[4 * i + 3] = 255 * opacity
  }
  context.putImageData(image, 0, 0)
  return canvas
}

// Half axes and direction of the ellipse one standard deviation from the mean.
function axesOf([a, b, d]) {
  const [middle, half] = [(a + d) / 2, Math.hypot((a - d) / 2, b)]
  const turn = -0.5 * Math.atan2(2 * b, a - d)
  return [Math.sqrt(middle + half), Math.sqrt(Math.max(0, middle - half)), turn]
}

function rings(pen, view, { mean, covariance }, look) {
  const [a, b, turn] = axesOf(covariance)
  const place = view.place(mean)
  for (const sigmas of [1, 2])
    pen.ellipse(...place, sigmas * a * view.scale, sigmas * b * view.scale, turn, look)
}

function niceStep(length) {
  const power = 10 ** (Math.floor(Math.log10(length)) - 1)
  return [1, 2, 5, 10, 20].map((n) => n * power).find((step) => length / step <= 7)
}

// A number in as many digits as tell it from one that is a step away.
function rounded(number, step) {
  const digits = 2 + Math.max(0, Math.floor(Math.log10(Math.abs(number) / step)))
  return String(Number(number.toPrecision(Math.min(digits, 21))))
}

function grid(pen, view, ink) {
  const [left, top] = view.point([0, 0])
  const [right, bottom] = view.point([view.width, view.height])
  const step = niceStep(right - left)
  const look = { stroke: ink.grid, width: 0.5 }
  const label = { fill: ink.faint, size: ink.size }
  for (let i = Math.ceil(left / step); i * step <= right; i++) {
    const [at] = view.place([i * step, 0])
    pen.path([[at, 0], [at, view.height]], look, false)
    if (at > 30 && at < view.width - 20)
      pen.text(at, view.height - 4, rounded(i * step, step), { ...label, align: "center" })
  }
  for (let i = Math.ceil(bottom / step); i * step <= top; i++) {
    const [, at] = view.place([0, i * step])
    pen.path([[0, at], [view.width, at]], look, false)
    if (at > 30 && at < view.height - 26) pen.text(4, at + 4, rounded(i * step, step), label)
  }
}

// What the axes are called, legible over the points.
function directions(pen, view, names, ink) {
  const label = { fill: ink.text, size: ink.size, halo: ink.background }
  pen.text(view.width - 6, view.height - 6 - 1.3 * ink.size, `${names[0]} →`, { ...label, align: "right" })
  pen.text(4, 4 + ink.size, `↑ ${names[1]}`, label)
}

function background(pen, view, panel, ink) {
  if (!panel.background) return
  const opacity = ink.isDark ? 0.28 : 0.22
  if (panel.background === "soft") {
    pen.image(haze(view, panel.shared_by, opacity), view.width, view.height)
    return
  }
  const [w, h] = [view.width, view.height]
  const box = [[0, 0], [w, 0], [w, h], [0, h]]
  const places = panel.assigned_by.map(view.place)
  places.forEach((_, i) => {
    const look = { fill: rgba(COLOURS[i], opacity), stroke: ink.faint, width: 1 }
    pen.path(cellOf(places, i, box), look)
  })
}

// Points of one shape and (nearly) one colour, together.
function grouped(scene, panel, view, ink) {
  const k = panel.centres.length
  const groups = new Map()
  scene.points.forEach((point, i) => {
    const colour = panel.shares ? mixed(panel.shares, i * k, k) : COLOURS[panel.labels[i]]
    const fill = rgba(lit(colour, ink, 0.2).map((part) => 6 * Math.round(part / 6)))
    const key = `${panel.labels[i]} ${fill}`
    if (!groups.has(key)) groups.set(key, { which: panel.labels[i], fill, places: [] })
    groups.get(key).places.push(view.place(point))
  })
  return groups.values()
}

function points(pen, view, scene, panel, ink) {
  const radius = Math.max(3, Math.min(5, 90 / Math.sqrt(scene.points.length))) * ink.growth
  const outline = ink.isDark ? "rgba(0, 0, 0, 0.5)" : "rgba(255, 255, 255, 0.8)"
  if (scene.has_lines)
    scene.points.forEach((point, i) => {
      const ends = [point, panel.centres[panel.labels[i]]].map(view.place)
      pen.path(ends, { stroke: rgba(COLOURS[panel.labels[i]], 0.35), width: 1 }, false)
    })
  for (const { which, fill, places } of grouped(scene, panel, view, ink))
    pen.marks(places, which, radius, { fill, stroke: outline, width: 0.6 })
  const wrong = scene.points.filter((_, i) => panel.wrong?.[i]).map(view.place)
  pen.marks(wrong, 0, 2 * radius, { stroke: ink.text })
}

function centres(pen, view, panel, ink, held) {
  panel.trails?.forEach((trail, i) => {
    const places = trail.map(view.place)
    pen.path(places, { stroke: ink.text, width: 1.5 }, false)
    for (const place of places.slice(0, -1)) pen.ellipse(...place, 2.2, 2.2, 0, { fill: ink.text })
  })
  panel.centres.forEach((centre, i) => {
    const [x, y] = view.place(centre)
    const radius = (held === i ? 13 : 10) * ink.growth
    const look = { fill: rgba(COLOURS[i]), stroke: ink.text, width: held === i ? 3 : 2 }
    pen.ellipse(x, y, radius, radius, 0, look)
    const name = i === panel.asked ? "?" : String(i + 1)
    const text = { fill: "#fff", size: 13 * ink.growth, align: "center", weight: "bold" }
    pen.ellipse(x, y, 0.78 * radius, 0.78 * radius, 0, { fill: "rgba(0, 0, 0, 0.35)" })
    pen.text(x, y + 4.6 * ink.growth, name, text)
  })
}

// The names of as many points as there is room for, the first ones first.
function names(pen, view, scene, ink) {
  const size = Math.max(11, 0.8 * ink.size)
  const taken = []
  scene.points.forEach((point, i) => {
    if (taken.length >= MOST_NAMES) return
    const [x, y] = view.place(point)
    const [left, right] = [x + 7, x + 7 + 0.58 * size * scene.rows[i].length]
    const isFree = (other) => right < other[0] || left > other[1] || Math.abs(y - other[2]) > 1.15 * size
    if (right > view.width || y < size || y > view.height - size || !taken.every(isFree)) return
    taken.push([left, right, y])
    pen.text(left, y + 0.35 * size, scene.rows[i], { fill: ink.text, size })
  })
}

function cross(pen, [x, y], ink) {
  const look = { stroke: ink.chosen, width: 3 }
  for (const side of [1, -1]) pen.path([[x - 8, y - 8 * side], [x + 8, y + 8 * side]], look, false)
}

// Where a class has put a centre, the median of it, and where the centre goes.
function classGuesses(pen, view, panel, ink) {
  const radius = 4 * ink.growth
  const paper = { stroke: ink.background, width: 1.5 }
  pen.marks(panel.said.map(view.place), 0, radius / 0.85, { fill: ink.chosen, ...paper })
  // On either side, since the two are often close to each other.
  const named = [[panel.median, "median", 2.6, "right", -1], [panel.answer, "right", 1.8, "left", 1]]
  for (const [at, name, size, align, side] of named) {
    if (!at) continue
    const [x, y] = view.place(at)
    pen.ellipse(x, y, size * radius, size * radius, 0, { stroke: ink.background, width: 6 })
    pen.ellipse(x, y, size * radius, size * radius, 0, { stroke: ink.text, width: 2.5 })
    const look = { fill: ink.text, size: ink.size, weight: "bold", align }
    pen.text(x + side * 3.4 * radius, y + 0.35 * ink.size, name, look)
  }
}

// Draw one panel whole. `held` is the number of the centre in hand, or null.
function paint(pen, view, scene, panel, ink, held) {
  background(pen, view, panel, ink)
  grid(pen, view, ink)
  for (const component of scene.truth) rings(pen, view, component, { stroke: ink.faint, width: 1.5, dash: [5, 4] })
  points(pen, view, scene, panel, ink)
  directions(pen, view, scene.names, ink)
  if (scene.rows) names(pen, view, scene, ink)
  panel.components?.forEach((component, i) => {
    const look = { stroke: rgba(lit(COLOURS[i], ink, 0.4)), width: 2.5 }
    rings(pen, view, component, look)
  })
  if (scene.chosen !== null) {
    const place = view.place(scene.points[scene.chosen])
    pen.ellipse(...place, 11 * ink.growth, 11 * ink.growth, 0, { stroke: ink.chosen, width: 3 })
  }
  centres(pen, view, panel, ink, held)
  if (panel.said.length) classGuesses(pen, view, panel, ink)
  if (panel.guess) {
    const place = view.place(panel.guess)
    if (panel.answer) pen.path([place, view.place(panel.answer)], { stroke: ink.chosen, width: 2, dash: [4, 3] }, false)
    cross(pen, place, ink)
  }
}
