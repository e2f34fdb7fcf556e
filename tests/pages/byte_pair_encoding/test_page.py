"""The page on byte-pair encoding: steps, ties, unseen text, a dropped file, sizes, Zipf's law."""

import pytest

from lm_core.errors import BoundsError
from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import merges_used, train_byte_pair
from lm_core.text.tokenizers.strangers import StrangersTokenizer
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.word_counts import fit_power_law
from pages.byte_pair_encoding.book import QUANTITIES
from pages.byte_pair_encoding.merges import TEXT, _hint
from pages.byte_pair_encoding.unseen_text import ALL
from pages.shared.models.tokenizers import BOOK_BPE
from tests.core.tiny_tokenizers import bert, file_of, llama
from tests.pages.playing import put
from tests.pages.tokenization.test_page import STRANGE, rows
from tests.pages.visits import alt, data, drawn_rows, guess, holds, numbers, shows, text, visit

PAGE = "pages/byte_pair_encoding/page.py"
BOOK, ZIPF = "From the whole book", "Zipf's law"
TEXTBOOK = "aaabdaaabac"


def arrive(**asked):
    return visit(PAGE, **{"reveal": "first_merge,sizes,zipf", "merge": "0", **asked})


def test_why_nothing_is_merged_next():
    word = "".join(map(chr, range(0x4E00, 0x4E00 + 1_200)))
    for typed, left in ((TEXTBOOK, 1), (f"{word} {word}", 2)):
        history = train_byte_pair(typed)
        end = len(history)
        assert history.pair_counts(end, 1).most_frequent[0][1] == left
        assert ("No pair appears twice" in _hint(history, end, is_told=True)) == (left == 1)


def learned(app):
    return next(iter(rows(app).values()))


def unseen(app):
    return rows(app, 1)


def skip_the_guess(app):
    next(button for button in app.button if button.key.startswith("skip_")).click().run()


def is_told(app):
    return bool(data(app, "pair_counts")["count"].notna().all())


# From a text ----------------------------------------------------------------------------------


def test_only_the_counts_of_the_pairs_wait_for_a_guess():
    app = visit(PAGE, merge="0")
    assert data(app, "pair_counts")["count"].isna().all()
    assert learned(app)["paired"] == []
    assert len(learned(app)["tokens"]) == len(TEXT)
    options = app.radio(key="guess_first_merge").options
    assert len(options) == 4
    assert options == sorted(options)
    app.radio(key="guess_first_merge").set_value(options[0]).run()
    app.button(key="reveal_first_merge").click().run()
    assert data(app, "pair_counts")["count"].iloc[0] == 8
    assert holds(alt(app, "pair_counts"), "o", "w", 8)
    assert shows(app, "Not quite", "o", "w", 8)


def test_the_pair_that_is_merged_next_is_marked_in_the_text():
    app = arrive(merge="0")
    assert [TEXT[i : i + 2] for i in learned(app)["paired"]] == ["ow"] * 8
    last = arrive(merge=str(len(train_byte_pair(TEXT))))
    assert learned(last)["paired"] == []


def test_the_page_opens_where_one_pair_is_ahead_of_all_others():
    app = visit(PAGE)
    step = app.slider(key="merge").value
    assert step > 0
    assert train_byte_pair(TEXT).pair_counts(step).n_tied == 1


def test_every_step_shows_the_text_and_the_pairs_of_that_step():
    learning = train_byte_pair(TEXT)
    for step in (0, 5, len(learning)):
        app = arrive(merge=str(step))
        ids = [token[0] for token in learned(app)["tokens"]]
        assert ids == learning.after(step).encode(TEXT).tolist()
        assert f"{learning.sizes[step]} symbols" in learned(app)["note"]
        table = data(app, "pair_counts")
        pairs = learning.pair_counts(step, 10)
        assert table["count"].tolist() == [count for _, count in pairs.most_frequent]
        assert list(zip(table["left id"], table["right id"], strict=True)) == [
            pair for pair, _ in pairs.most_frequent
        ]
    assert "**The end.**" in text(app)


def test_forward_and_back_lead_to_the_same_tokens():
    app = arrive(merge="3")
    before = learned(app)
    app.button(key="merge_forward").click().run()
    assert app.slider(key="merge").value == 4
    assert learned(app) != before
    app.button(key="merge_back").click().run()
    assert learned(app) == before


def test_ties_are_explained_by_the_rule():
    app = arrive(merge="3")
    learning = train_byte_pair(TEXT)
    assert learning.pair_counts(3).n_tied == 9
    assert numbers(alt(app, "pair_counts")) == [9, 4, *learning.tokenizer.merges[3]]
    single = alt(arrive(learned_text=TEXTBOOK, merge="0"), "pair_counts")
    assert holds(single, "a", "a", 4, 6)
    assert len(numbers(single)) == 2


def test_guessing_before_each_merge_hides_the_answer_at_every_step():
    app = arrive(guess="true", merge="2")
    assert not is_told(app)
    skip_the_guess(app)
    assert is_told(app)
    app.button(key="merge_forward").click().run()
    assert not is_told(app)


def test_a_guess_is_told_of_its_own_step_and_text_alone():
    app, answer = visit(PAGE, merge="0"), "`o` + `w`"
    app.radio(key="guess_first_merge").set_value(answer).run()
    app.button(key="reveal_first_merge").click().run()
    assert any(f"**{answer}**" in caption.value for caption in app.caption)
    app.button(key="merge_forward").click().run()
    assert is_told(app)
    assert not any(f"**{answer}**" in caption.value for caption in app.caption)
    app.button(key="merge_back").click().run()
    assert any(f"**{answer}**" in caption.value for caption in app.caption)
    app.text_area(key="learned_text").set_value(TEXTBOOK).run()
    assert is_told(app)
    assert not any(f"**{answer}**" in caption.value for caption in app.caption)


def test_before_each_merge_another_text_is_guessed_anew():
    app = arrive(guess="true", merge="0")
    skip_the_guess(app)
    assert is_told(app)
    app.text_area(key="learned_text").set_value(TEXTBOOK).run()
    assert not is_told(app)


def test_a_shorter_text_takes_the_step_with_it():
    app = arrive(merge="12")
    app.text_area(key="learned_text").set_value(TEXTBOOK).run()
    assert not app.exception
    assert app.slider(key="merge").value == len(train_byte_pair(TEXTBOOK))


@pytest.mark.parametrize("base", ["Characters", "Bytes"])
@pytest.mark.parametrize("typed", STRANGE.values(), ids=STRANGE.keys())
def test_a_strangers_text_is_learned_from_or_refused_in_words(typed, base):
    app = arrive(base=base, merge="1")
    app.text_area(key="learned_text").set_value(typed).run()
    assert not app.exception
    app.text_area(key="learned_text").set_value(f"{typed}{typed} {typed}{typed}").run()
    if app.text_input:  # there is something to merge
        app.text_input(key="unseen").set_value(typed).run()
    assert not app.exception


def test_what_repeats_nothing_says_so():
    app = arrive(learned_text="abc")
    assert len(app.info) == 1
    app.text_area(key="learned_text").set_value(" ").run()
    assert len(app.info) == 1


def test_unseen_text_is_encoded_merge_by_merge_beside_the_book():
    app = arrive(merge="6", unseen="lower slower")
    here, book = unseen(app)
    assert (numbers(here), book) == ([6], BOOK_BPE)
    whole = train_byte_pair(TEXT).after(6).encode("lower slower").tolist()
    assert [token[0] for token in unseen(app)[here]["tokens"]] == whole
    used = merges_used(train_byte_pair(TEXT).after(6), "lower slower")
    assert len(app.select_slider(key="applied").options) == len(used) + 1 > 2
    app.select_slider(key="applied").set_value("0").run()
    assert len(unseen(app)[here]["tokens"]) == len("lower slower")
    app.select_slider(key="applied").set_value("1").run()
    n_tokens = len(unseen(app)[here]["tokens"])
    assert len(whole) < n_tokens < len("lower slower")
    assert shows(app, len(used), used[0] + 1, "o", "w", n_tokens, len(unseen(app)[book]["tokens"]))


def test_characters_that_the_text_lacks_are_unknown_unless_it_starts_from_bytes():
    by_characters, _ = unseen(arrive(unseen="lowé")).values()
    by_bytes, _ = unseen(arrive(unseen="lowé", base="Bytes")).values()
    assert "1 unknown" in by_characters["note"]
    assert "unknown" not in by_bytes["note"]
    assert len(by_bytes["tokens"]) == 5


def test_one_of_a_kind_is_told_in_the_singular():
    app = arrive(merge="1", unseen="é")
    assert next(iter(unseen(app))).endswith(" 1 merge")
    assert "1 token; " in text(app)
    assert "1 character is" in text(app)
    assert "1 finds" in text(arrive(merge="1", unseen="ow"))


def test_a_dropped_tokenizer_is_used_on_both_pages_and_forgotten_on_request():
    app = arrive(unseen="lower")
    theirs = BytePairTokenizer.fit("lower lower", 260)
    content = to_tokenizer_json(theirs)
    app.get("file_uploader")[0].set_value(("gpt`2.json", content, "application/json")).run()
    assert not app.exception
    assert [token[0] for token in unseen(app)["Your file"]["tokens"]] == [259]
    assert "BPE, 260 symbols" in text(app)
    app.switch_page("pages/tokenization/page.py").run()
    assert "Your file" in rows(app)
    app.button(key="own_tokenizer_forget").click().run()
    assert "Your file" not in rows(app)


def test_a_tokenizer_that_fails_at_a_text_takes_no_other_row_away(monkeypatch):
    app = arrive(unseen="lower")
    content = to_tokenizer_json(BytePairTokenizer.fit("lower lower", 260))
    app.get("file_uploader")[0].set_value(("mine.json", content, "application/json")).run()
    assert "Your file" in unseen(app)
    slow = BoundsError("this took more than 2 s of a processor")
    monkeypatch.setattr(StrangersTokenizer, "_trace", lambda self, text: slow)
    app.text_input(key="unseen").set_value("higher").run()
    assert app.error
    assert not app.exception
    assert [*unseen(app)] == [*unseen(arrive(unseen="higher"))]
    app.switch_page("pages/tokenization/page.py").run()
    assert app.error
    assert not app.exception
    assert {"GPT-2", "Basic English"} <= {*rows(app)}
    app.button(key="own_tokenizer_forget").click().run()
    assert not app.error


@pytest.mark.parametrize(
    ("theirs", "first", "kind"), [(llama(), "▁Th", "BPE"), (bert(), "the", "WordPiece")]
)
def test_tokenizers_of_other_kinds_are_used_on_both_pages(theirs, first, kind):
    app = arrive(unseen="The count, ☃")
    app.get("file_uploader")[0].set_value(("own.json", file_of(theirs), "application/json")).run()
    assert not app.error
    assert f"{kind}, {theirs.get_vocab_size()} symbols" in text(app)
    drawn, found = unseen(app)["Your file"], theirs.encode("The count, ☃", add_special_tokens=False)
    assert [token[0] for token in drawn["tokens"]] == found.ids
    assert found.tokens[0] == first
    assert ("1 unknown" in drawn["note"]) == ("[UNK]" in found.tokens)
    for typed in STRANGE.values():
        app.text_input(key="unseen").set_value(typed).run()
        assert not app.exception
    app.switch_page("pages/tokenization/page.py").run()
    app.text_area(key="tokens_text").set_value("☃").run()
    assert not app.exception
    assert ("`[UNK]`" in text(app)) == ("[UNK]" in found.tokens)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff",
        b'{"model": {"type": "Unigram"}}',
        b'{"model": {"type": "BPE"}, "pre_tokenizer": {"type": "ByteLevel"}}',
    ],
)
def test_a_file_that_is_none_is_refused_and_nothing_is_lost(content):
    app = arrive(unseen="lower", merge="3")
    good = to_tokenizer_json(BytePairTokenizer.fit("lower lower", 260))
    app.get("file_uploader")[0].set_value(("good.json", good, "application/json")).run()
    app.get("file_uploader")[0].set_value(("bad.json", content, "application/json")).run()
    assert not app.exception
    assert app.error[0].value.startswith("bad.json")
    assert "Your file" in unseen(app)
    assert app.slider(key="merge").value == 3


# From the book --------------------------------------------------------------------------------


def test_the_slider_quotes_the_books_counts():
    book = BookStatistics.load()
    app = arrive(part=BOOK, symbols="4,096")
    size = next(size for size in book.sizes if size.vocabulary_size == 4_096)
    per_word = size.n_tokens / book.n_words
    assert numbers(alt(app, "vocabulary_sizes"))[:2] == [4096, round(per_word, 2)]
    assert shows(app, size.n_merges, 4096, size.n_tokens, round(per_word, 2))
    assert "3,840 merges" in rows(app)
    app.select_slider(key="symbols").set_value(256).run()
    drawn = rows(app)["0 merges"]
    assert len(drawn["tokens"]) == len(app.text_input(key="sample").value)


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_lies_within_its_axis(name):
    app = arrive(part=BOOK, quantity=name)
    axis, value = QUANTITIES[name]
    assert f" {axis.title}**" in text(app)
    book = BookStatistics.load()
    for size in book.sizes:
        assert axis.domain[0] < value(book, size.vocabulary_size, size.n_tokens) < axis.domain[1]


def test_all_but_the_first_point_of_the_curve_waits_for_a_guess():
    app = visit(PAGE, part=BOOK)
    assert data(app, "vocabulary_sizes")["symbols"].tolist() == [256]
    assert "5.8 tokens" in app.radio(key="guess_sizes").label


# Zipf -----------------------------------------------------------------------------------------


def test_the_word_of_a_rank_and_the_line_are_those_of_the_book():
    book = BookStatistics.load()
    app = arrive(part=ZIPF, rank="1,000", fitted=["20", "500"])
    law = fit_power_law(book.counts, 20, 500)
    word = book.words[999]
    expected, slope = round(law.expected_count(1000)), round(law.slope, 3)
    assert holds(alt(app, "zipf"), 1000, word, book.counts[999], expected, slope, 20, 500)
    unknown = round(100 * (1 - book.coverage(10_000)), 1)
    assert shows(app, slope, 20, 500, 10_000, unknown)
    table = app.dataframe[0].value
    assert table["word"].iloc[0] == "the"
    assert table["count"].iloc[-1] == 1


def test_a_line_needs_two_ranks():
    app = arrive(part=ZIPF, fitted=["100", "100"])
    assert len(app.info) == 1


def test_zipf_waits_for_a_guess():
    app = visit(PAGE, part=ZIPF)
    assert data(app, "zipf")["rank"].max() == 10
    assert "fitted" not in data(app, "zipf")
    assert f"{BookStatistics.load().counts[0]:,} times" in app.radio(key="guess_zipf").label
    answered = guess(app, "zipf", 2)
    count = BookStatistics.load().counts[99]
    assert shows(answered, "Right", count, 100)
    assert "fitted" in data(answered, "zipf")


def test_the_merges_applied_to_an_unseen_text_follow_those_that_are_learned():
    app = arrive(merge="2", unseen="lower slower")
    learning = train_byte_pair(TEXT)
    for step in (4, 9, 3):
        put(app, "merge", step)
        (here, _) = unseen(app)
        whole = learning.after(step).encode("lower slower").tolist()
        assert [token[0] for token in unseen(app)[here]["tokens"]] == whole
        assert app.select_slider(key="applied").value == ALL
    app.query_params["applied"] = "1"  # as a browser does that moves the slider
    app.select_slider(key="applied").set_value("1").run()
    put(app, "merge", 9)
    assert app.select_slider(key="applied").value == 1, "what was chosen by hand stays"
    asked = arrive(merge="9", unseen="lower slower", applied="2")
    assert asked.select_slider(key="applied").value == 2


def test_after_the_last_merge_nothing_is_called_next_and_nothing_is_framed():
    n_merges = len(train_byte_pair(TEXT))
    app = arrive(merge=str(n_merges))
    assert not drawn_rows(app, "pair_counts")["note"].str.contains("next|tied").any()
    assert learned(app)["paired"] == []
