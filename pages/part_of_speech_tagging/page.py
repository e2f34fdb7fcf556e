"""Part-of-speech tagging: how many neighbours a word's tag depends on."""

from lm_core.experiments.part_of_speech_tagging.evaluation import HeldOutWords
from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.training import TaggerTraining, hide_words
from lm_core.models.tag_counts import TagCounts
from lm_core.models.tagger import RecurrentTagger, Tagger, TransformerTagger, WindowTagger
from lm_core.text.word_features import features_of
from pages.part_of_speech_tagging.confusions import confusions
from pages.part_of_speech_tagging.taggers import choose_tagger, provenance_line, results
from pages.part_of_speech_tagging.two_tags import two_tags
from pages.part_of_speech_tagging.windows import by_window, choose_group
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

TWO_TAGS, WINDOW, CONFUSIONS = "One word, two tags", "Window", "Confusions"
CODE: dict[str, Sources] = {
    TWO_TAGS: (tag_probabilities, Tagger, features_of, WindowTagger, TagCounts),
    WINDOW: (WindowTagger, RecurrentTagger, TransformerTagger, TaggerTraining, hide_words),
    CONFUSIONS: (HeldOutWords,),
}

page_header(
    "part-of-speech-tagging",
    "A *tag* says what a word is: noun, verb, adjective. Many words have several, so only their"
    " neighbours can tell which is meant.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((TWO_TAGS, WINDOW, CONFUSIONS))
with errors_end_page():
    results()

# Picture and explanation ----------------------------------------------------------------------
if part == TWO_TAGS:
    with screen.controls:
        chosen = choose_tagger("context_words", 0)
    two_tags(screen, chosen)
    provenance_line(chosen)
elif part == WINDOW:
    with screen.controls:
        group = choose_group()
    by_window(screen, group)
else:
    with screen.controls:
        chosen = choose_tagger("confused_context_words", 2, has_counting=True)
    confusions(screen, chosen)
    provenance_line(chosen)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
