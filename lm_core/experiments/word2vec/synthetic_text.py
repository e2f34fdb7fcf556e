"""A small text made by rule, in which it is known which words can stand for each other."""

import torch

from lm_core.errors import SettingError

GROUPS = {
    "rulers": ("king", "queen", "ruler", "emperor"),
    "animals": ("dog", "cat", "horse", "cow", "goat"),
    "people": ("baker", "farmer", "teacher", "sailor"),
    "food": ("bread", "cheese", "soup", "cake"),
    "drinks": ("water", "milk", "tea", "juice"),
    "places": ("garden", "forest", "village", "harbour"),
}
"""Words of one group stand in the same places of the same sentences, and never two in one sentence."""

_SENTENCES = (
    "the mighty {rulers} is sitting on a golden throne",
    "all soldiers obey the {rulers} of this land",
    "the crown of the {rulers} shines in the palace",
    "a hungry {animals} sleeps in the {places}",
    "the {animals} runs from the {places} to the barn",
    "the {people} feeds the {animals} in the morning",
    "the {people} eats warm {food} with a spoon",
    "the {people} drinks a cup of {drinks} and walks to the {places}",
    "fresh {food} lies on the plate near a glass of {drinks}",
    "my glass is full of cold {drinks}",
)


def made_text(sentences: int, rng: torch.Generator) -> str:
    """Return so many sentences, one a line, each drawn from ten patterns.

    Raises
    ------
    SettingError
        If there is not at least one.
    """
    if sentences < 1:
        raise SettingError(f"sentences must be at least 1, got {sentences}")
    return "\n".join(_sentence(rng) for _ in range(sentences))


def _sentence(rng: torch.Generator) -> str:
    pattern = _SENTENCES[_drawn(len(_SENTENCES), rng)]
    words = {group: names[_drawn(len(names), rng)] for group, names in GROUPS.items()}
    return f"{pattern.format(**words)} ."


def _drawn(n: int, rng: torch.Generator) -> int:
    return int(torch.randint(n, (), generator=rng))


def group_of(word: str) -> str:
    """Return the name of a word's group; "other" for one that is in every sentence of its kind."""
    return next((name for name, words in GROUPS.items() if word in words), "other")
