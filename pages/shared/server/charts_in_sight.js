// On a phone a chart is drawn once it is a screen away: `appearance` gives it no room to draw in before
// `data-near` says so. Each chart keeps a slow processor for longer than a visitor waits for a move.
(() => {
  "use strict"

  const CHART = "[class*=st-key-charted_]"
  const watched = new WeakSet()

  const watch = (chart) => {
    watched.add(chart)
    const root = chart.closest("[data-testid=stMain]") // scrolls, and would cut the margin off
    const reached = (entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      chart.dataset.near = ""
    }
    new IntersectionObserver(reached, { root, rootMargin: "100% 0px" }).observe(chart)
  }

  const look = () =>
    document.querySelectorAll(CHART).forEach((chart) => watched.has(chart) || watch(chart))
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
})()
