"""The page on tokenization: its rows, what numbers the words, what a stranger types."""

import re

import pytest

from lm_core.text.tokenizers import gpt
from lm_core.text.tokenizers.characters import ByteTokenizer
from pages.shared.models import tokenizers
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import DRAWN_CHARACTERS, TEXT_CHARACTERS
from pages.tokenization.examples import EXAMPLES, LANGUAGES, QUESTION
from tests.pages import visits

WORDS = ["Whitespace", "Basic English"]
CHARACTERS = ["Characters, reduced", "Characters, full"]
ALL = ["ChatGPT (o200k)", "GPT-2", "BPE of the book", *WORDS, *CHARACTERS, "Bytes"]
STRANGE = {
    "empty": "",
    "white space": " \n\t ",
    "a word": "samovar",
    "emoji": "👩‍👩‍👧 👍🏽",
    "accents": "a\u0301\u0323 é",
    "right to left": "שלום عالم",
    "control characters": "\x01\x7f\u200b",
    "html": "<b>bold</b> <img src=x onerror=alert(1)> `code` **x**",
    "unknown": "<unk> $x^2$ :material/home: [a](http://b)",
}


def arrive(**asked):
    return visits.visit("pages/tokenization/page.py", **asked)


def component(app, part):
    found = visits.sent_to(app)
    return [data for data in found if part in data]


def rows(app, place=0):
    return {row["name"]: row for row in component(app, "rows")[place]["rows"]}


def ids(row):
    return [token[0] for token in row["tokens"]]


def costs_by(ranks):
    """How many tokens each language's sentence takes."""
    tokenizer = tokenizers.load_ranked_tokenizer(ranks)
    return [len(tokenizer.encode(line)) for line in LANGUAGES.values()]


def test_the_sources_question_gets_the_sources_ids():
    app = arrive(tokens_text=QUESTION, tokenizers=[*WORDS, "Bytes"])
    drawn = rows(app)
    assert ids(drawn["Basic English"]) == [0, 1, 2, 3, 4, 5, 2, 6, 1, 7]
    assert visits.numbers(drawn["Basic English"]["note"]) == [10, 1.25, 8]
    assert ids(drawn["Whitespace"]) == [0, 1, 2, 3, 4, 2, 5, 6]
    assert ids(drawn["Bytes"]) == list(QUESTION.encode())
    assert visits.shows(app, len(QUESTION), 8, "Whitespace", 10, "Basic English", 35, "Bytes")
    assert visits.shows(app, "`is`", 2)


def test_words_that_are_decoded_have_lost_capitals_and_spaces():
    said = visits.text(arrive(tokens_text=QUESTION, tokenizers=WORDS))
    assert as_code("my name is john . what is your name ?") in said
    assert "the ids of *Whitespace*" not in said, "they give the text back"


def test_the_book_numbers_words_and_does_not_know_all():
    app = arrive(numbered="The book", tokens_text="the zyxomatic prince", tokenizers=WORDS)
    drawn = rows(app)
    assert list(drawn) == WORDS
    assert ids(drawn["Whitespace"])[1] == 0
    assert drawn["Whitespace"]["tokens"][1][3:] == ["<unk>", 2]
    assert "1 unknown" in drawn["Whitespace"]["note"]
    assert visits.shows(app, "Whitespace", 1, 3, 9_999, "`<unk>`")


def test_a_word_that_is_spelled_unk_is_a_word_of_the_text_and_unknown_in_the_book():
    app = arrive(tokens_text="say <unk> twice <unk>", tokenizers=WORDS)
    assert ids(rows(app)["Whitespace"]) == [0, 1, 2, 1]
    assert {token[4] for token in rows(app)["Whitespace"]["tokens"]} == {0}
    assert "unknown" not in rows(app)["Whitespace"]["note"]
    assert not visits.shows(app, "Whitespace", 0, 4), "none of four is unknown"
    by_the_book = arrive(tokens_text="say <unk> twice <unk>", numbered="The book", tokenizers=WORDS)
    assert "2 unknown" in rows(by_the_book)["Whitespace"]["note"]
    assert visits.shows(by_the_book, 2, 4, 9_999, "`<unk>`")


def test_what_a_vocabulary_deletes_is_named():
    app = arrive(tokens_text="«Sí» (ok)", tokenizers=CHARACTERS)
    drawn = rows(app)
    assert drawn["Characters, reduced"]["note"].endswith("lost: « í » ( )")
    assert drawn["Characters, full"]["note"].endswith("lost: « »")
    assert visits.shows(app, CHARACTERS[0], "`«·í·»·(·)`")


@pytest.mark.parametrize("typed", STRANGE.values(), ids=STRANGE.keys())
def test_a_strangers_text_gets_its_true_tokens(typed):
    app = arrive(tokenizers=ALL)
    app.text_area(key="tokens_text").set_value(typed).run()
    assert not app.exception
    drawn = rows(app)
    assert list(drawn) == ALL
    assert ids(drawn["Bytes"]) == ByteTokenizer().encode(typed).tolist()
    assert component(app, "rows")[0]["text"] == typed
    assert not re.search(r"<(b|img)\b", re.sub(r"`[^`]*`", "", visits.text(app)))
    if not typed.strip():
        assert len(app.info) == 1


def test_a_long_text_is_counted_whole_and_drawn_in_part():
    app = arrive(tokenizers=["Bytes", "Whitespace"])
    app.text_area(key="tokens_text").set_value("ab cd " * 800).run()
    drawn = rows(app)
    assert drawn["Bytes"]["note"].startswith("4,800 tokens")
    assert len(drawn["Bytes"]["tokens"]) == DRAWN_CHARACTERS
    assert visits.numbers(drawn["Bytes"]["more"]) == [4_800 - DRAWN_CHARACTERS]
    assert drawn["Whitespace"]["note"].startswith("1,600 tokens")
    assert all(token[1] < DRAWN_CHARACTERS for token in drawn["Whitespace"]["tokens"])


def test_of_too_long_a_text_in_a_link_the_beginning_is_taken_with_a_note():
    app = arrive(tokens_text="x" * (TEXT_CHARACTERS + 1), tokenizers=["Bytes"])
    assert "Your text" in app.warning[0].value
    assert rows(app)["Bytes"]["note"].startswith("5,000 tokens")


@pytest.mark.parametrize(
    ("page", "field", "most"),
    [
        ("pages/tokenization/page.py", "tokens_text", TEXT_CHARACTERS),
        ("pages/byte_pair_encoding/page.py", "learned_text", TEXT_CHARACTERS),
        ("pages/byte_pair_encoding/page.py", "unseen", 500),
    ],
)
def test_the_server_keeps_to_the_limits_of_the_fields(page, field, most):
    app = visits.visit(page, reveal="first_merge")
    next(f for f in [*app.text_area, *app.text_input] if f.key == field).set_value("ab " * most)
    app.run()
    assert not app.exception
    drawn = next(data for data in component(app, "rows") if data["text"].startswith("ab ab"))
    drawn_rows = [row for row in drawn["rows"] if row["tokens"]]
    assert all(token[2] <= most for row in drawn_rows for token in row["tokens"])
    assert len(app.session_state[field]) == most


def test_one_character_is_told_in_the_singular():
    assert visits.shows(
        arrive(tokens_text="x", tokenizers=WORDS), 1, "character", 1, "token", WORDS[0]
    )


def test_no_tokenizer_no_rows():
    app = arrive()
    app.get("button_group")[0].set_value([]).run()
    assert component(app, "rows")[0]["rows"] == []
    assert len(app.info) == 1


def test_languages_are_counted_line_by_line():
    app = arrive(tokens_text=EXAMPLES["One sentence in ten languages"], tokenizers=ALL)
    table = next(found.value for found in app.dataframe if "line" in found.value)
    assert table["line"].tolist() == list(LANGUAGES.values())
    assert table["Bytes"].tolist() == [len(line.encode()) for line in LANGUAGES.values()]
    assert table["BPE of the book"].max() > 3 * table["BPE of the book"][0]


def test_lines_that_are_left_out_are_told():
    app = arrive(tokens_text="\n".join(["peace"] * 41))
    assert [40, 41] in [visits.numbers(m.value) for m in app.markdown]


def test_only_chatgpts_reading_of_the_opening_text_waits_for_a_guess():
    app = arrive()
    drawn = rows(app)
    assert [name for name, row in drawn.items() if row.get("is_masked")] == ALL[:2]
    assert all(drawn[name]["tokens"] == [] for name in ALL[:2])
    assert len(drawn["Basic English"]["tokens"]) == 11
    assert not visits.shows(app, 101_830)
    visits.guess(app, "strawberry", 2)
    drawn = rows(app)
    assert ids(drawn["ChatGPT (o200k)"])[5] == 101_830
    assert ids(drawn["GPT-2"])[5] == 41_236
    assert visits.shows(app, 101_830)


def test_another_text_than_the_opening_one_is_read_at_once():
    drawn = rows(arrive(tokens_text="strawberry"))
    assert ids(drawn["ChatGPT (o200k)"]) == [302, 1_618, 19_772]


def test_the_newer_cost_of_a_language_waits_for_a_guess():
    app = arrive()
    before = visits.data(app, "language_costs")
    assert before["old"].tolist() == costs_by(gpt.GPT_2)
    assert before["new"].isna().all()
    visits.guess(app, "languages", 1)
    told = visits.data(app, "language_costs").set_index("language")
    assert told["new"].tolist() == costs_by(gpt.GPT_4O)
    hindi = told.loc["Hindi"]
    assert visits.shows(app, "Not quite", hindi["new"], hindi["old"])


def test_the_bytes_of_the_family_wait_for_a_guess():
    app = arrive()
    assert not visits.shows(app, 18, 5, 4, 3)
    assert len(component(app, "rows")) == 1
    visits.guess(app, "family")
    assert visits.shows(app, 18, 5, 4, 3)
    drawn = rows(app, 1)
    assert len(drawn["Bytes"]["tokens"]) == 18
    assert drawn["Characters, full"]["tokens"] == []


def test_one_hot_times_matrix_is_the_row_of_the_letter():
    app = arrive(letter="z")
    frame = visits.data(app, "look_up")
    row = frame[frame["row"] == 8]
    matrix = row[row["matrix"] == "embedding"]["value"].tolist()
    product = row[row["matrix"] == "one-hot × embedding"]["value"].tolist()
    assert matrix == product
    assert row[row["matrix"] == "one-hot"]["value"].tolist() == [1.0]
    others = frame[(frame["row"] != 8) & (frame["matrix"] == "one-hot × embedding")]["value"]
    assert (others == 0).all()
    assert visits.holds(
        visits.alt(app, "look_up"), "z", 69, 69, *(round(value, 2) for value in matrix)
    )
    assert visits.shows(app, 69, 8, 4, 69, 0, 69)


def test_a_number_of_the_row_has_one_colour_in_the_matrix_and_in_the_product():
    cells = visits.drawn_rows(arrive(), "look_up")
    of_row = cells[cells["row"] == 3].set_index(["matrix", "column"])["shade"]
    for column in range(1, 5):
        assert of_row["embedding", column] == of_row["one-hot × embedding", column] != 0.0


def test_a_number_ties_its_letters_whatever_the_weights():
    app = arrive(number_a="2", number_e="5", weights_seed="7")
    frame = visits.data(app, "integers")
    outputs = frame[frame["matrix"] != "number"].groupby("row")["value"].apply(list)
    assert [e / a for a, e in zip(outputs[1], outputs[2], strict=True)] == pytest.approx([2.5] * 4)
    assert visits.numbers(visits.alt(app, "integers"))[0] == 2.5
    again = arrive(number_a="2", number_e="5", weights_seed="8")
    changed = visits.data(again, "integers")
    assert changed["value"].tolist() != frame["value"].tolist()
    assert visits.numbers(visits.alt(again, "integers"))[0] == 2.5


def test_a_single_weight_misses_what_four_weights_meet():
    app = arrive(target_a="1", target_b="2", target_c="3", target_d="8")
    columns = (
        visits.data(app, "four_weights").query("column == 1").groupby("matrix")["value"].apply(list)
    )
    assert columns["b₁…b₄ · z"] == pytest.approx([1, 2, 3, 8])
    # The slope through the origin: the sum of x y, 1 + 4 + 9 + 32, by that of x², 30.
    assert columns["b · x"] == pytest.approx([46 / 30 * x for x in (1, 2, 3, 4)])
    assert visits.numbers(visits.alt(app, "four_weights"))[:2] == pytest.approx(
        [1.53, 8 - 4 * 46 / 30], abs=0.01
    )


def test_the_losses_of_numbers_and_vectors_are_those_counted_in_the_book():
    app = arrive()
    frame = visits.data(app, "input_losses")
    nothing, one_hot = frame["loss"].iloc[0], frame["loss"].iloc[-1]
    own = frame["loss"].iloc[1]
    share = (nothing - own) / (nothing - one_hot)
    losses = [round(loss, 3) for loss in (nothing, own, one_hot)]
    assert visits.holds(visits.alt(app, "input_losses"), round(100 * share), *losses)
    assert visits.shows(app, *losses)


@pytest.mark.parametrize("typed", ["a`b", "``", "`", " x", "\n\x00", "<b>" * 30, ""])
def test_a_strangers_text_in_a_sentence_stays_code(typed):
    code = as_code(typed)
    fence = re.match("`+", code)[0]
    inner = code[len(fence) : -len(fence)]
    assert code.endswith(fence)
    assert fence not in re.findall("`+", inner)
    assert len(inner) <= 50
