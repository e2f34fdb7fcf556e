"""Minimal pairs of our own making: some of each phenomenon, and a rule that moves subject and verb apart.

Unlike the benchmark's they come with the project. Their words are those of old novels, because that is what
the models of the lab have read.
"""

from collections.abc import Iterator
from itertools import product

from lm_core.experiments.minimal_pairs.benchmark import MinimalPair

AGREEMENT, REFLEXIVES, DETERMINERS = "agreement", "reflexives", "determiners"
NEGATIVE_POLARITY, ISLANDS = "negative-polarity", "islands"

OUR_PAIRS = {
    AGREEMENT: (
        MinimalPair("The ladies at the ball were laughing.", "The ladies at the ball was laughing."),
        MinimalPair(
            "The letters which the prince had written were on the table.",
            "The letters which the prince had written was on the table.",
        ),
        MinimalPair(
            "The officer beside the soldiers was silent.",
            "The officer beside the soldiers were silent.",
        ),
        MinimalPair(
            "The horses behind the carriage are tired.", "The horses behind the carriage is tired."
        ),
        MinimalPair("The old men know nothing of it.", "The old men knows nothing of it."),
    ),
    REFLEXIVES: (
        MinimalPair("The princess saw herself in the glass.", "The princess saw himself in the glass."),
        MinimalPair(
            "The soldiers warmed themselves at the fire.", "The soldiers warmed himself at the fire."
        ),
        MinimalPair("The count could not forgive himself.", "The count could not forgive herself."),
        MinimalPair(
            "The mother of the boy asked herself a question.",
            "The mother of the boy asked himself a question.",
        ),
        MinimalPair(
            "The girls hid themselves behind the door.", "The girls hid herself behind the door."
        ),
    ),
    DETERMINERS: (
        MinimalPair("He had never seen these men before.", "He had never seen this men before."),
        MinimalPair("She opened that old book.", "She opened those old book."),
        MinimalPair("Many officers were killed that day.", "Much officers were killed that day."),
        MinimalPair("He bought this black horse.", "He bought these black horse."),
        MinimalPair("Every soldier was hungry.", "Every soldiers was hungry."),
    ),
    NEGATIVE_POLARITY: (
        MinimalPair(
            "No one had ever spoken to her like that.", "Some one had ever spoken to her like that."
        ),
        MinimalPair("Nobody has any money.", "Everybody has any money."),
        MinimalPair("He never said anything at all.", "He often said anything at all."),
        MinimalPair("No officer had ever seen the king.", "One officer had ever seen the king."),
        MinimalPair(
            "Few people have ever been so happy.", "Most people have ever been so happy."
        ),
    ),
    ISLANDS: (
        MinimalPair("Whose horse did the officer sell?", "Whose did the officer sell horse?"),
        MinimalPair(
            "Whom did Natasha kiss after seeing Sonya?", "Whom did Natasha kiss Sonya after seeing?"
        ),
        MinimalPair(
            "Whom did the prince meet with the count?", "Whom did the prince meet the count and?"
        ),
        MinimalPair(
            "What did they say that the general wanted?", "What did they ask why the general wanted?"
        ),
        MinimalPair(
            "Which letter did she read before she slept?",
            "Which letter did she sleep before she read?",
        ),
    ),
}  # fmt: skip
"""By phenomenon, the English sentence first."""

PHENOMENA_OF_OURS = {
    AGREEMENT: "subject and verb",
    REFLEXIVES: "reflexives",
    DETERMINERS: "determiner and noun",
    NEGATIVE_POLARITY: "negative polarity",
    ISLANDS: "islands",
}
"""What they are called on screen."""

# Subject and verb apart -----------------------------------------------------------------------
NO_NOUN, SAME, OTHER = "no-noun", "same", "other"
BETWEEN = {
    NO_NOUN: "no noun between",
    SAME: "a noun of the same number",
    OTHER: "a noun of the other number",
}
"""What stands between subject and verb; a noun of the other number would take the wrong verb."""

DISTANCES = (0, 3, 5, 8, 12)
"""Words between subject and verb."""

_SUBJECTS = (
    ("officer", "officers"),
    ("prince", "princes"),
    ("horse", "horses"),
    ("servant", "servants"),
    ("girl", "girls"),
    ("man", "men"),
    ("woman", "women"),
    ("general", "generals"),
)
_NOUNS = (("lady", "ladies"), ("soldier", "soldiers"))
_VERBS = (("was tired", "were tired"), ("is here", "are here"), ("has gone away", "have gone away"))
_WITHOUT_NOUN = {
    0: ("",),
    3: ("who had spoken", "who had come"),
    5: ("who had just come back", "who had spoken so often"),
    8: ("who had just come back here once again", "who had so often and so long spoken"),
    12: (
        "who had just come back here once again and then spoken too",
        "who had so often and so long spoken and then gone away",
    ),
}
_WITH_NOUN = {
    3: ("near the {}", "behind the {}"),
    5: ("who had met the {}", "who came with the {}"),
    8: ("who had come here again with the {}", "who had never yet spoken to the {}"),
    12: (
        "who had just come back here once again with the old {}",
        "who had so often and so long spoken to the young {}",
    ),
}


def pairs_apart(between: str, words: int) -> list[MinimalPair]:
    """Return all pairs with so many words, and such a noun or none, between subject and verb.

    Half of the subjects are singular, so whoever always prefers one form of the verb gets half right.

    Parameters
    ----------
    between : str, one of `BETWEEN`
    words : int, one of `DISTANCES`; not 0 with a noun between

    Examples
    --------
    >>> pairs_apart("other", 3)[0].good
    'The officer near the ladies was tired.'
    """
    return [
        MinimalPair(f"{beginning} {verbs[number]}.", f"{beginning} {verbs[1 - number]}.")
        for subject, number, verbs in product(_SUBJECTS, (0, 1), _VERBS)
        for beginning in _beginnings(subject[number], number, between, words)
    ]


def _beginnings(subject: str, number: int, between: str, words: int) -> Iterator[str]:
    """Yield the sentence up to the verb."""
    if between == NO_NOUN:
        for phrase in _WITHOUT_NOUN[words]:
            yield f"The {subject} {phrase}".rstrip()
        return
    of_noun = number if between == SAME else 1 - number
    for phrase, noun in product(_WITH_NOUN[words], _NOUNS):
        yield f"The {subject} {phrase.format(noun[of_noun])}"


def conditions() -> Iterator[tuple[str, int]]:
    """Yield each way in which subject and verb are apart."""
    yield from ((NO_NOUN, words) for words in DISTANCES)
    yield from product((SAME, OTHER), DISTANCES[1:])
