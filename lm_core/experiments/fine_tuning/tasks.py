"""The four tasks by name."""

from collections.abc import Callable

from lm_core.experiments.fine_tuning.authors import author_task
from lm_core.experiments.fine_tuning.labelled_texts import Task
from lm_core.experiments.fine_tuning.next_sentences import next_sentence_task
from lm_core.experiments.fine_tuning.settings import AUTHOR, PAIR, SPEAKER, TAG
from lm_core.experiments.fine_tuning.speakers import speaker_task
from lm_core.experiments.fine_tuning.tags import tag_task
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.text.character_vocabulary import CharacterVocabulary

MAKE_TASK: dict[str, Callable[[CharacterVocabulary, MaskedLanguageModelConfig], Task]] = {
    AUTHOR: author_task,
    PAIR: next_sentence_task,
    TAG: tag_task,
    SPEAKER: speaker_task,
}
"""How each task's texts are made, from corpora on this machine."""
