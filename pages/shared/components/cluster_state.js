// What the panels show: as the server sent it, as a hand changes it, and in words.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))

function sceneOf(data) {
  const [left, right, bottom, top] = data.bounds
  const steps = new Uint16Array(bytesOf(data.points).buffer)
  const points = Array.from({ length: steps.length / 2 }, (_, i) => [
    left + ((right - left) * steps[2 * i]) / 65535,
    bottom + ((top - bottom) * steps[2 * i + 1]) / 65535,
  ])
  return { ...data, points, panels: panelsOf(data.panels) }
}

const panelsOf = (panels) =>
  panels.map((panel) => ({
    ...panel,
    labels: bytesOf(panel.labels),
    shares: panel.shares && Float32Array.from(bytesOf(panel.shares), (byte) => byte / 255),
    wrong: panel.wrong && bytesOf(panel.wrong),
  }))

function inksOf(box, textSize) {
  const ink = inks(box)
  const isDark = ink.background.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0) < 384
  const [faint, grid] = isDark ? ["#9AA3AD", "#2E353D"] : ["#6B7078", "#E4E1DA"]
  const chosen = isDark ? "#F0E442" : "#A3005F"
  return { ...ink, isDark, faint, grid, chosen, size: textSize, growth: textSize > 16 ? 1.5 : 1 }
}

// ---- What a moved centre or point changes ----

function share(scene, panel, i) {
  if (!panel.shared_by) {
    panel.labels[i] = nearest(panel.assigned_by, scene.points[i])
    return
  }
  const found = sharesAt(scene.points[i], panel.shared_by)
  panel.shares.set(found, i * found.length)
  panel.labels[i] = found.indexOf(Math.max(...found))
}

function moveCentre(scene, panel, i, point) {
  panel.centres = panel.centres.map((centre, k) => (k === i ? point : centre))
  if (panel.components)
    panel.components = panel.components.map((c, k) => (k === i ? { ...c, mean: point } : c))
  if (!scene.is_flat) return
  if (panel.shared_by) panel.shared_by = panel.components
  else panel.assigned_by = panel.centres
  scene.points.forEach((_, n) => share(scene, panel, n))
}

function movePoint(scene, i, point) {
  scene.points[i] = point
  for (const panel of scene.panels) share(scene, panel, i)
}

// ---- Words ----

function written({ bounds: [left, right] }, point) {
  return `(${point.map((value) => rounded(value, (right - left) / 500)).join(", ")})`
}

function describe(scene, i) {
  const name = scene.rows ? scene.rows[i] : `Point ${i + 1}`
  const found = scene.panels.map((panel) => {
    if (!panel.shares) return `${panel.title}: cluster ${panel.labels[i] + 1}`
    const k = panel.centres.length
    const parts = [...panel.shares.subarray(i * k, i * k + k)]
      .map((part, n) => [n + 1, part])
      .filter(([, part]) => part >= 0.005)
      .map(([n, part]) => `${n}: ${(100 * part).toFixed(0)}\u202f%`)
    return `${panel.title}: ${parts.join(", ")}`
  })
  return `${name} at ${written(scene, scene.points[i])}. ${found.join(". ")}.`
}

function count(panel) {
  const counts = new Array(panel.centres.length).fill(0)
  for (const label of panel.labels) counts[label] += 1
  return counts.map((n, i) => `${i + 1}: ${n}`).join(", ")
}
