"""What a stranger types into any field is used as it is, or a line says what of it was not."""

from typing import NamedTuple

import pytest

from pages.shared.registry import PAGES
from tests.conftest import ROOT
from tests.pages.test_kept_for_visitor import text_fields
from tests.pages.visits import text, visit

STRANGE = "Ça <img> 日本"
PATHS = {spec.address: spec.path for spec in PAGES}
SAID = (
    "left out",
    "are read as",
    "has no vector",
    "is in no document",
    "are in no document",
    "read as a rare word",
    "do not occur in the training texts",
    "The models read",
)
"""Words of a line that says what of a text was not used, or otherwise."""


class Field(NamedTuple):
    """A field for text: in which file it is drawn, and how one gets there."""

    file: str
    asked: dict[str, str]
    key: str
    typed: str = ""  # where the field has no room for `STRANGE`

    @property
    def page(self) -> str:
        """Address of the page that it is visited on."""
        folder = self.file.split("/")[0]
        return _SHARED.get(self.file, folder.replace("_", "-"))


_SHARED = {
    "shared/clustering/words.py": "clustering",
    "shared/models/translation.py": "encoder-decoder",
}
_READING = {"text": "Your own"}
CHANGED = (
    Field("ablations/mask.py", {"ablation": "Mask", "reveal": "mask"}, "prompt"),
    Field("assistant/prompt.py", {"part": "One prompt", "asked_task": "Own prompt"}, "own_prompt"),
    Field("assistant/conversation.py", {"part": "Conversation"}, "say"),
    Field("attention/settings.py", {}, "sentence"),
    Field("convolution/names.py", {"part": "Names"}, "typed_name", "Zoë"),
    Field("convolution/names.py", {"part": "Names"}, "typed_name", "Zoe"),
    Field("cross_attention/beginning.py", {"part": "Word by word"}, "begins_with"),
    Field("embeddings/word_choice.py", {}, "word"),
    Field("embeddings/comparisons.py", {"part": "Several words"}, "words"),
    Field("embeddings/analogies.py", {"part": "Analogies"}, "a"),
    Field("embeddings/associations.py", {"part": "Bias test"}, "target_1"),
    Field("embeddings/axes.py", {"projection": "Axes"}, "left"),
    Field("embeddings/ways.py", {"part": "Neighbours"}, "search_for"),
    Field("embeddings/ways.py", {"part": "Neighbours"}, "search_sentences"),
    Field("encoder_decoder/wrong_word.py", {"part": "Wrong word"}, "forced"),
    Field("fine_tuning/sentences_to_label.py", {"part": "Your labels"}, "own_sentences"),
    *(
        Field("fine_tuning/head_fields.py", {"part": "Four heads", "labelled_task": task}, key)
        for task, key in (
            ("author", "passage"),
            ("next sentence", "first_sentence"),
            ("part of speech", "sentence_to_tag"),
            ("speaker", "spoken_passage"),
        )
    ),
    Field("inside_a_writer/subject.py", _READING, "own_text"),
    Field("masked_language_model/subject.py", {}, "gap_sentence"),
    Field("overfitting/wikipedia_writing.py", {"part": "Wikipedia"}, "wikipedia_prompt"),
    *(
        Field("minimal_pairs/read_pair.py", {"phenomenon": "Your own two sentences"}, key)
        for key in ("sentence_1", "sentence_2")
    ),
    Field("model_ladder/two_texts.py", {"part": "Where they differ", **_READING}, "own_text"),
    Field("model_ladder/same_prompt.py", {"part": "Same prompt"}, "prompt"),
    Field("n_grams/counted.py", {}, "spelled_word"),
    Field("n_grams/counted.py", {"counted": "The book"}, "spelled_line"),
    Field("n_grams/own_documents.py", {"part": "Your documents"}, "document_beginning"),
    Field("n_grams/game_lines.py", {"part": "Shannon game", "game_line": "Your own"}, "game_own"),
    Field("n_grams/vowel_line.py", {"part": "Vowels, 1913", "vowel_line": "Your own"}, "vowel_own"),
    Field("neural_language_model/book_words.py", {"part": "Words"}, "book_words"),
    Field("neural_language_model/few_sentences.py", {}, "sentences"),
    Field("neural_language_model/few_sentences.py", {}, "words_before"),
    Field("order_matters/shifted_by_one.py", {}, "shifted_sentence"),
    *(
        Field(
            "order_matters/own_sentences.py",
            {"part": "Bag, window, memory", "order_sentences": "your own two"},
            key,
        )
        for key in ("order_sentence_1", "order_sentence_2")
    ),
    Field("order_matters/words_that_decide.py", {"part": "Words that decide"}, "review_sentence"),
    Field("part_of_speech_tagging/two_sentences.py", {}, "tagged"),
    Field("positional_encoding/equal_words.py", {"part": "Equal words"}, "sentence"),
    Field("preferences/samples.py", {"part": "Samples"}, "beginning"),
    Field("reservoir_computing/letters_choice.py", {"part": "Letters"}, "letters_text"),
    Field("sequence_models/own_task.py", {"shape": "Own task"}, "toy_copy"),
    Field("sequence_models/sentences.py", {"shape": "Sequence to vector"}, "sentence"),
    Field("sequence_models/reversed_word.py", {}, "word", "Zoë"),
    Field("shared/clustering/words.py", {"data": "words of War and Peace"}, "words"),
    Field("shared/models/translation.py", {}, "caption"),
    Field("surprisal/texts.py", _READING, "own_text"),
    Field("transformer_block/followed.py", {"part": "What it would say"}, "follow_typed"),
    Field(
        "transformer_block/prompt_pairs.py",
        {"part": "Patching", "pair": "Your own two prompts"},
        "prompt_a",
    ),
    Field(
        "transformer_block/prompt_pairs.py",
        {"part": "Patching", "pair": "Your own two prompts"},
        "prompt_b",
    ),
    Field("transformer_block/subject.py", {}, "sentence"),
    Field(
        "transformer_block/unit_text.py",
        {"part": "Units", "unit_text": "Your own"},
        "own_unit_text",
    ),
    Field("war_and_peace/opening.py", {}, "prompt"),
    Field("word2vec/own_text.py", _READING, "own_text"),
)
"""Their text is read by a model that does not know every character, or by counts of words."""

_AS_IT_IS = {
    "assistant/instructions.py": "the answer repeats the instruction as it is read",
    "assistant/templates.py": "the tokenizer reads bytes",
    "byte_pair_encoding/sample_sentence.py": "the tokenizer reads bytes",
    "byte_pair_encoding/unseen_text.py": "the tokenizer reads bytes",
    "byte_pair_encoding/merges.py": "the tokenizer reads bytes",
    "tokenization/page.py": "it shows what every tokenizer makes of the text",
    "fine_tuning/sentences_to_label.py": "a label is shown as it was typed",
    "glossary/page.py": "it is looked for among the terms",
    "published_figures/filters.py": "it is looked for among the figures",
    "war_and_peace/materials.py": "a line says what was read, whatever it is",
}
_NUMBERS = {
    "attention_by_hand/typed_matrices.py",
    "clustering/editing.py",
    "clustering/settings.py",
    "convolution/digit_choice.py",
    "convolution/pictures.py",
    "convolution/rows.py",
    "counting/page.py",
    "gradients/formula_choice.py",
    "inside_a_cell/settings.py",
    "perceptron/own_points.py",
    "rnn_vs_lstm/training.py",
}
"""They take numbers and no text, and refuse all else by name."""
_NO_SUBJECT = {
    "join/page.py": "the code of a class",
    "shared/classroom/answer_form.py": "an answer",
    "shared/classroom/own_question.py": "a question",
    "shared/classroom/panel.py": "a passcode and a name",
    "shared/clustering/own_table.py": "a table, which has a record of its own",
    "shared/page/controls.py": "draws the fields of others",
    "shared/lessons/completion.py": "a code that a student hands in",
    "shared/ui/own_texts.py": "documents are counted as they are, a list of names has a record of its own",
    "shared/ui/text_input.py": "draws the fields of others",
    "shared/ui/visitor.py": "the presenter's code",
}


def test_every_file_with_a_field_for_text_is_here():
    files = {
        path.relative_to(ROOT / "pages").as_posix()
        for path in (ROOT / "pages").rglob("*.py")
        if any(kind != "st.file_uploader" for kind, *_ in text_fields(path))
        or "live_text(" in path.read_text(encoding="utf-8")
    }
    known = {field.file for field in CHANGED} | _AS_IT_IS.keys() | _NUMBERS | _NO_SUBJECT.keys()
    assert known == files | {"fine_tuning/head_fields.py"}  # whose kind of field depends


@pytest.mark.parametrize(
    "field", CHANGED, ids=lambda field: f"{field.file}-{field.key}{field.typed}"
)
def test_what_is_left_out_of_a_strangers_text_is_said(field):
    app = visit(PATHS[field.page], **field.asked)
    widget = app.get_by_key(field.key)
    before = said(app)
    widget.set_value(field.typed or f"{widget.value} {STRANGE}").run()
    assert not app.exception
    refused = [e.value for kind in (app.error, app.warning) for e in kind]
    assert len(refused) <= 2
    if refused:
        assert all("tokens of" not in message for message in refused)
        return
    new = [line for line in said(app) if line not in before]
    assert any(sign in line for line in new for sign in SAID), new


def said(app):
    """Return the lines of a page."""
    return text(app).splitlines()
