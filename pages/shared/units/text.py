"""Texts over which units are looked at: prepared ones with quotations, and where words and quotations end."""

from lm_core.analysis.text_spans import KINDS, QUOTATION, spans_of

OURS, CONVERSATION, OWN = "A letter", "Two questions", "Your own"
LETTER = (
    '"Is there a letter?" asked the prince. "My dear," wrote the countess, "the'
    ' children are well, and we expect you on Sunday." He smiled. "What does she say?" asked'
    ' Natasha.\n\n"Nothing new, he answered, and went out. The old servant looked at the road.\n\nThe next'
    " day he rode home."
)
QUESTIONS = (
    '"Have you seen Sonya?" asked the old princess, and looked round the room.\n\n"Sonya? No, not'
    ' since dinner," answered Nicholas. "Petya saw her in the garden, I think." He went to the'
    " window, opened it, and called his brother twice. Nobody answered; only the dogs began to bark."
)
TEXTS = {OURS: LETTER, CONVERSATION: QUESTIONS}


def word_ends(text: str) -> list[int]:
    """Return after how many characters each word has been read, with the space before it.

    Examples
    --------
    >>> word_ends("He came in")
    [2, 7, 10]
    """
    ends = [i for i in range(1, len(text)) if text[i].isspace() and not text[i - 1].isspace()]
    return [*ends, len(text)]


def quotations_of(text: str) -> list[tuple[int, int]]:
    """Return where the quotations of a text begin and end, in characters."""
    return spans_of(KINDS[QUOTATION](text))
