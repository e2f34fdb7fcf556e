# ruff: noqa: RUF001  letters of other scripts are the point
"""Texts on which tokenizers differ, in a file of their own for the letters of many scripts."""

OPENING = "How many r are in strawberry? Это клубника. 12345"
"""ChatGPT sees no letter of the first language's berry; GPT-2 spells the second's."""

QUESTION = "My name is John. What is your name?"  # the example of the blog series

LANGUAGES = {
    "English": "The prince loves peace, and the princess loves books.",
    "German": "Der Prinz liebt den Frieden, und die Prinzessin liebt Bücher.",
    "French": "Le prince aime la paix, et la princesse aime les livres.",
    "Finnish": "Prinssi rakastaa rauhaa, ja prinsessa rakastaa kirjoja.",
    "Russian": "Князь любит мир, а княжна любит книги.",
    "Greek": "Ο πρίγκιπας αγαπά την ειρήνη και η πριγκίπισσα τα βιβλία.",
    "Arabic": "الأمير يحب السلام والأميرة تحب الكتب.",
    "Hindi": "राजकुमार को शांति पसंद है और राजकुमारी को किताबें।",
    "Chinese": "王子爱和平，公主爱书。",
    "Japanese": "王子は平和を愛し、王女は本を愛する。",
}
"""One sentence, as nearly as it can be said."""

EXAMPLES = {
    "Strawberry": OPENING,
    "A question": QUESTION,
    "Unknown words": "The zyxomatic prince blorked his samovarette, unblorkingly.",
    "One sentence in ten languages": "\n".join(LANGUAGES.values()),
    "Rare scripts": "გამარჯობა, ሰላም, ᎣᏏᏲ, ⴰⵣⵓⵍ, ស្ហូស្ដី",
    "Emoji with joiners": "👩‍👩‍👧 waves 👍🏽 under 🏳️‍🌈 and 🇫🇷 ❤️",
    "Accents, built in two ways": "caf\N{LATIN SMALL LETTER E WITH ACUTE} or"
    " cafe\N{COMBINING ACUTE ACCENT}? a\N{COMBINING DOT BELOW}\N{COMBINING TILDE}",
    "From right to left": "שלום עולם! Hello world! مرحبا بالعالم",
    "Numbers": "1812 and 1813; 3.14159; 2,718,281; 10000 100000 1000000; 007",
    "Code": "def square(x):\n    if x is None:\n        return 0\n    return x * x",
    "White space": "one  two   three\n\n\tfour ",
}

FAMILY = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
"""One picture of three people."""
