"""Part-of-speech tagging: how many neighbours a word's tag depends on."""

from lm_core.experiments.part_of_speech_tagging.evaluation import HeldOutWords
from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.training import TaggerTraining, hide_words
from lm_core.experiments.part_of_speech_tagging.worked_window import worked_window
from lm_core.models.tag_counts import TagCounts
from lm_core.models.tagger import RecurrentTagger, Tagger, TransformerTagger, WindowTagger
from lm_core.text.word_features import features_of
from pages.part_of_speech_tagging.confusions import confusions
from pages.part_of_speech_tagging.two_tags import two_tags
from pages.part_of_speech_tagging.windows import by_window
from pages.shared import page

PARTS = [
    page.Part(
        "One word, two tags",
        two_tags,
        (tag_probabilities, Tagger, features_of, WindowTagger, TagCounts),
    ),
    page.Part(
        "Window",
        by_window,
        (
            WindowTagger,
            RecurrentTagger,
            TransformerTagger,
            TaggerTraining,
            hide_words,
            worked_window,
        ),
    ),
    page.Part("Confusions", confusions, (HeldOutWords,)),
]

page.draw(
    "part-of-speech-tagging",
    "A *tag* says what a word is: noun, verb, adjective. Many words have several, so only their"
    " neighbours can tell which is meant.",
    PARTS,
    picture=3.0,
)
