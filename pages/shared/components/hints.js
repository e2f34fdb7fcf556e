// A hint as it is said where there is no pointer but a finger.
const byHand = (hint) =>
  matchMedia("(pointer: coarse)").matches
    ? hint.replace(/, or tap it/, "").replace(/^(Point at|Click) /, "Tap ")
    : hint
