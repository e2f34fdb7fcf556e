// A field refuses a paste that it cannot hold without a word; here it gets one.

export default function ({ data, parentElement }) {
  const told = parentElement.querySelector(".told")
  const typed = (event) => {
    const box = event.target.closest?.('[class*="st-key-control_"]')
    const most = Object.entries(data.limits).find(([name]) =>
      box?.classList.contains(`st-key-control_${name}`),
    )?.[1]
    if (most === undefined) return
    const wanted = event.target.value.length // seen before the field takes it or refuses it
    const count = (number) => number.toLocaleString("en")
    told.textContent =
      wanted > most
        ? `This field holds ${count(most)} characters; with what you pasted it would be` +
          ` ${count(wanted)}. Nothing was changed: paste a part of it.`
        : ""
  }
  document.addEventListener("input", typed, true)
  return () => document.removeEventListener("input", typed, true)
}
