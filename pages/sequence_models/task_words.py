"""What is said of each toy task: its name, its input, and the likely reasons for what was measured."""

TITLES = {
    "copy": "Copy",
    "reverse": "Reverse",
    "sort": "Sort",
    "parity": "Parity",
    "brackets": "Brackets",
    "addition": "Addition",
}
WHAT = {
    "copy": "Letters from a to h",
    "reverse": "Letters from a to h",
    "sort": "Letters from a to h",
    "parity": "Zeros and ones",
    "brackets": "Brackets ( ) [ ]",
    "addition": "Two numbers with +",
}
UNITS = {
    **dict.fromkeys(("copy", "reverse", "sort"), "letters"),
    "parity": "zeros and ones",
    "brackets": "brackets",
    "addition": "digits",
}
FIRST = {
    "copy": "headache",
    "reverse": "headache",
    "sort": "headache",
    "parity": "1011001",
    "brackets": "([()[",
    "addition": "58+67",
}
RULES = {
    "copy": "The answer is the input itself.",
    "reverse": "The answer is the input from behind.",
    "sort": "The answer has the letters of the input in the order of the alphabet.",
    "parity": "The answer is the *parity* of the string: 1 if its ones are odd in number, else 0.",
    "brackets": "The answer closes all brackets that are still open, the last one first.",
    "addition": "The answer is the sum, its ones first, because on paper it is found in this order.",
}
_TOO_SHORT = (
    "At twice the trained length both write too few letters: a likely reason, which was not tested, is that no answer of the training was"
    " longer, so they have learned about when to stop instead of stopping where the input ends."
)
WHY = {
    "copy": "With attention one letter more still comes out nearly always, because the decoder may read every state and need"
    f" not find all letters in one vector. {_TOO_SHORT}",
    "reverse": "With attention one letter more comes out more often, because the decoder may read every state and need not"
    f" find all letters in one vector. {_TOO_SHORT}",
    "sort": "They get further than with a copy, probably because a sorted answer follows from how often each letter occurs,"
    f" whatever their order, so there is less to store. {_TOO_SHORT}",
    "parity": "One bit is all that must be kept, because each one turns it round and each zero leaves it as it is, and"
    " the answer is a single sign at every length. So the step that was learned can be repeated as often as one likes.",
    "brackets": "Each bracket opens one more or closes the last one, so the models must keep which are still open, in their order."
    " With attention it goes further, probably because the decoder may look back at the brackets themselves. Long"
    " answers fail most often; of twenty brackets in chance order often two or fewer are still open, and then little must be kept.",
    "addition": "With two digits either model finds the rule in some trainings and not in others: one of three gets every"
    " sum right, another about one in ten. So the lines, which are means, say little of attention. With more digits"
    " no training gets a sum right, probably because none has read such numbers.",
}
