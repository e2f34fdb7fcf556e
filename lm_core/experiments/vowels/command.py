"""Count vowels after vowels in the book, in English captions and in their French translations."""

from lm_core.analysis.vowels import ALPHABET, are_vowels, count_chain, letters_of
from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.vowels.results import CountedText, VowelResults
from lm_core.text.sentence_pairs import TRAIN, load_pairs
from lm_core.text.training_text import load_body


@experiment("count vowels and consonants by the letters before them", VowelResults)
def run(report: Report) -> VowelResults:
    """Count each text from its beginning to its end."""
    pairs = load_pairs(TRAIN)
    texts = {
        "book": ("War and Peace, English", load_body()),
        "french": ("Captions, French", " ".join(pair.target for pair in pairs)),
        "english": ("The same captions, English", " ".join(pair.source for pair in pairs)),
    }
    made = report.provenance()
    return VowelResults(made, report.each(_counted(key, *given) for key, given in texts.items()))


def _counted(name: str, title: str, text: str) -> CountedText:
    letters = letters_of(text)
    counts = count_chain(are_vowels(letters))
    of_letters = tuple(map(letters.count, ALPHABET))
    return CountedText(name, title, of_letters, tuple(counts.letters.values()))
