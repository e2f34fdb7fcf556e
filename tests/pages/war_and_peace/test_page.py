"""The War and Peace page, driven without a browser: what is on screen after each gesture."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from lm_core.experiments.war_and_peace import results
from lm_core.generation.memorisation import BookIndex
from lm_core.generation.ngram_membership import load_filter
from lm_core.generation.repetition import find_loop
from lm_core.generation.text_generation import TextGeneration
from lm_core.text import corpora
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import SHIPPED
from pages.shared.charts.palette import visible
from pages.shared.models.book_models import BEST_WRITER, provenances
from pages.shared.ui.lesson import provenance_text
from pages.shared.ui.markdown import as_code
from pages.war_and_peace import continuations, memorised, snapshots, tolstoy
from pages.war_and_peace import text as text_of_page
from tests.pages.visits import alt, data, drawn_rows, guess, holds, numbers, press, shows, visit

PAGE = "pages/war_and_peace/page.py"
PROMPT = "The prince answered nothing, but"
LOOKS = ("Temperatures", "1,000 draws", "During training", "Beam search", "Models compared")


@pytest.fixture
def no_book(monkeypatch, tmp_path):
    monkeypatch.setattr(corpora, "search_folders", lambda: [tmp_path])


@pytest.fixture
def page(no_book):
    """The page as a visitor finds it where the book is absent: the stricter case, and the quicker."""
    return arrive()


def arrive(model="LSTM 2 x 512", **asked):
    """Arrive where a network of characters writes, as in the lesson's first steps."""
    return visit(PAGE, model=model, **asked)


def strip(app, key="writing_strip"):
    """Return what a text is made of; unless another is asked for, the one that is written on."""
    return json.loads(app.get_by_key(key).proto.json)


def text(app, key="writing_strip"):
    return "".join(strip(app, key)["tokens"])


def written_ids(app):
    """The characters that follow the prompt, as ids."""
    return SOURCE.encode(text(app)[strip(app)["prompt_length"] :])


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def n_possible(app):
    """Return how many of the 70 characters may come next: as it is drawn, told and written."""
    *_, kept, n = numbers(alt(app, "writing_next_0"))
    assert shows(app, kept, n)
    return kept


def test_the_first_paint_holds_a_text_and_no_error(page):
    assert not page.exception
    assert not page.error
    assert not page.warning
    assert text(page).startswith(PROMPT)
    assert len(text(page)) > len(PROMPT) + 200
    assert text(page).endswith(" ")


def test_each_written_character_keeps_its_probability_and_the_prompt_has_none(page):
    shown = strip(page)
    n_prompt = shown["prompt_length"]
    assert shown["probabilities"][:n_prompt] == [None] * n_prompt
    written = shown["probabilities"][n_prompt:]
    assert len(written) == len(shown["tokens"]) - n_prompt
    assert all(0.0 < p <= 1.0 for p in written)


def test_surprisal_and_entropy_of_the_texts_end_stand_under_each_other(page):
    written = page.session_state["writing_session"].generation.written[-100:]
    shown = data(page, "writing_surprisal")
    assert shown["character"].tolist() == list(range(1, 101))
    assert "".join(shown["written"]) == visible(text(page)[-100:])
    assert shown["surprisal"].tolist() == [w.surprisal_bits for w in written]
    assert shown["entropy"].tolist() == [w.entropy_bits for w in written]
    rows = drawn_rows(page, "writing_surprisal")
    assert rows[rows["kind"] == "line"]["x"].max() == 100


def test_same_seed_same_text_and_another_seed_another(page):
    first = text(page)
    page.number_input(key="seed").set_value(2).run()
    second = text(page)
    page.number_input(key="seed").set_value(1).run()
    assert second != first
    assert text(page) == first


def test_a_class_with_one_seed_writes_its_texts_side_by_side_once_and_by_the_clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(continuations, "monotonic", lambda: now[0])

    def columns(app):
        return {t: text(app, f"writing_column_{t}") for t in ("0", "0.6", "1.5")}

    view = {"view": "Temperatures", "reveal": "greedy"}
    first = columns(arrive(**view))
    assert len(set(first.values())) == 3
    assert columns(arrive(**view)) == first
    now[0] += 0.5
    longer = columns(arrive(**view))
    for temperature, begun in first.items():
        assert longer[temperature].startswith(begun)
        assert len(longer[temperature]) == len(begun) + 20
    other = text(arrive(seed="2", **view), "writing_column_1.5")
    assert len(other) == len(first["1.5"])
    assert not other.startswith(first["1.5"])


@pytest.mark.parametrize("asked", [{}, {"present": "1"}], ids=["alone", "presented"])
def test_the_text_at_temperature_0_waits_for_the_question_about_it(asked):
    app = arrive(view="Temperatures", **asked)
    assert "Repeats itself" not in "".join(caption.value for caption in app.caption)
    assert "answer it first" in "".join(markdown.value for markdown in app.markdown)
    press(app, "skip_greedy")
    app.run()
    assert "answer it first" not in "".join(markdown.value for markdown in app.markdown)


def test_one_step_forward_and_one_back(page):
    before = text(page)
    page.button(key="writing_step").click().run()
    assert len(text(page)) == len(before) + 1
    assert text(page)[:-1] == before
    page.button(key="writing_back").click().run()
    assert text(page) == before


def test_clearing_leaves_the_prompt_and_again_brings_the_same_text_back(page):
    before = text(page)
    page.button(key="writing_clear").click().run()
    assert text(page) == PROMPT
    page.button(key="writing_again").click().run()
    assert text(page) == before


def tap(app, index):
    """Tap a character of the text, as the strip reports it."""
    at = app.session_state["writing_session"]
    at.inspect(index - len(PROMPT))
    return app.run()


def test_a_tap_inspects_and_only_a_second_act_goes_back_which_can_be_undone(page):
    whole = text(page)
    tap(page, index=len(PROMPT) + 20)
    assert text(page) == whole
    assert strip(page)["inspected"] == len(PROMPT) + 20
    marked = data(page, "writing_next_0").query("is_marked")
    assert marked["symbol"].tolist() == [visible(whole[len(PROMPT) + 20])]
    page.button(key="writing_go_back").click().run()
    assert text(page) == whole[: len(PROMPT) + 20]
    assert strip(page)["inspected"] is None
    page.button(key="writing_undo").click().run()
    assert text(page) == whole
    assert page.button(key="writing_undo").disabled


def test_what_clears_or_picks_can_be_undone(page):
    whole = text(page)
    page.button(key="writing_clear").click().run()
    press(page, "write_token")
    assert len(text(page)) == len(PROMPT) + 1
    page.button(key="writing_undo").click().run()
    assert text(page) == PROMPT
    page.button(key="writing_undo").click().run()
    assert text(page) == whole


def test_of_a_long_text_the_end_is_shown_and_what_is_tapped_is_found(page):
    session = page.session_state["writing_session"]
    session.write(1_000)
    page.run()
    shown = strip(page)["tokens"]
    assert 600 <= len(shown) < 800
    assert shows(page, len(shown), len(session.generation.ids))
    written = "".join(session.vocabulary.spell(session.generation.ids))
    assert written.endswith("".join(shown))
    tap(page, index=len(written) - 100)
    assert shown[strip(page)["inspected"]] == written[-100]


def test_a_step_is_as_much_work_at_any_length(page, monkeypatch):
    session = page.session_state["writing_session"]
    decoder, searched, n_read = type(session.generation._decoder), [], []
    step, find = decoder.step, text_of_page.find_memorised
    monkeypatch.setattr(decoder, "step", lambda *given: (n_read.append(1), step(*given))[1])
    monkeypatch.setattr(
        text_of_page,
        "find_memorised",
        lambda ids, *more: (searched.append(len(ids)), find(ids, *more))[1],
    )
    for n in (500, 1_500, 2_500):
        session = page.session_state["writing_session"]
        session.write(n)
        page.run()
        session = page.session_state["writing_session"]
        n_read.clear()
        page.button(key="writing_step").click().run()
        assert len(page.session_state["writing_session"].generation.written) == len(
            session.generation.written
        )
        assert len(n_read) == 1
        assert max(searched) < 800
        assert len(strip(page)["tokens"]) < 800


def test_settings_act_on_what_follows_and_leave_what_is_written(page):
    before = text(page)
    page.slider(key="temperature").set_value(0.0).run()
    assert text(page) == before
    assert n_possible(page) == 1
    page.button(key="writing_again").click().run()
    assert text(page) != before


def test_a_character_can_be_picked_by_name_and_is_marked(page):
    before = text(page)
    choice = next(box for box in page.selectbox if box.label == "Pick a character")
    choice.select(SOURCE.symbols.index("Q"))
    press(page, "write_token")
    assert text(page) == before + "Q"
    assert strip(page)["picked"] == [len(before)]


def test_writing_goes_on_through_touched_controls_until_it_is_stopped(page):
    before = text(page)
    page.button(key="writing_start").click().run()
    page.slider(key="top_k").set_value(5).run()
    page.slider(key="temperature").set_value(1.2).run()
    grown = text(page)
    assert grown.startswith(before)
    assert len(grown) > len(before)
    page.button(key="writing_stop").click().run()
    still = text(page)
    page.slider(key="top_k").set_value(6).run()
    assert text(page) == still


def test_the_active_stages_of_the_chain_are_side_by_side(page):
    page.slider(key="top_k").set_value(3).run()
    assert n_possible(page) == 3
    bars = data(page, "writing_chain")
    assert list(dict.fromkeys(bars["stage"])) == ["model", "temperature", "top-k"]
    kept = bars[bars["stage"] == "top-k"]
    assert (kept["probability"] > 0).sum() == 3
    assert kept["is_cut"].sum() == len(kept) - 4, "all but three and the folded rest"


@pytest.mark.parametrize(
    ("prompt", "read"),
    [
        ("<b>Natásha</b>", "bNatshab"),
        ("war\0 and", "war and"),
        ("один two", " two"),
        ("`code` **bold**", "code bold"),
    ],
)
def test_a_strangers_prompt_is_read_as_far_as_it_can_be_and_the_rest_is_named(page, prompt, read):
    page.text_input(key="prompt").set_value(prompt).run()
    assert not page.exception
    assert "".join(strip(page)["tokens"]).startswith(read)
    said = next(caption.value for caption in page.caption if caption.value.startswith("Read as"))
    assert holds(said, len(read), "characters")
    n = len(prompt) - len(read)
    assert holds(said, n, "character is" if n == 1 else "characters are", "not in the vocabulary")


@pytest.mark.parametrize("prompt", ["", "שלום", "\0"])
def test_a_prompt_of_which_nothing_is_left_begins_a_sentence(page, prompt):
    page.text_input(key="prompt").set_value(prompt).run()
    assert not page.exception
    assert text(page).startswith(". ")
    assert as_code(". ") in page.info[0].value


def test_too_long_a_prompt_is_refused_with_both_lengths(page):
    page.text_input(key="prompt").set_value("a" * 100_000).run()
    assert not page.exception
    assert numbers(page.error[0].value)[:2] == [2_000, 100_000]


def test_a_model_of_word_parts_writes_whole_parts_and_counts_them(no_book):
    page = arrive(model="Transformer 4 x 256, subwords")
    assert not page.exception
    assert text(page).startswith(PROMPT)
    tokens = strip(page)["tokens"][strip(page)["prompt_length"] :]
    assert sum(map(len, tokens)) > 1.5 * len(tokens)
    assert shows(page, 80, "tokens")


def test_a_visitor_meets_the_writer_whose_texts_are_most_worth_reading(no_book):
    page = visit(PAGE)
    assert not page.exception
    assert page.selectbox(key="model").value == BEST_WRITER
    assert text(page).startswith(PROMPT)
    assert len(strip(page)["tokens"]) > strip(page)["prompt_length"] + 50


@pytest.mark.parametrize(
    ("model", "unit"), [("Transformer 4 x 256, subwords", "token"), ("LSTM 2 x 512", "character")]
)
def test_questions_and_help_call_what_is_written_by_its_name(no_book, model, unit):
    page = arrive(model)
    sampled = (
        "temperature",
        "top_k",
        "top_p",
        "repetition_penalty",
        "typical_p",
        "min_p",
        "mirostat_tau",
    )
    for said in [
        page.radio(key="guess_greedy").label,
        *(page.slider(key=key).help for key in sampled),
    ]:
        assert set(re.findall("token|character", said)) == {unit}
    tokens = strip(page)["tokens"]
    mean_length = round(sum(map(len, tokens)) / len(tokens), 1)
    assert shows(page, "tokens", len(tokens), mean_length) == (unit == "token")


def test_the_time_machine_goes_back_to_babble(page):
    finished = text(page)
    moments = page.select_slider(key="snapshot").options
    assert len(moments) == 7  # the first at a fraction of a pass over the book
    page.select_slider(key="snapshot").set_value(25).run()
    assert not page.exception
    assert text(page) != finished


@pytest.mark.parametrize("look", LOOKS)
def test_every_closer_look_opens_by_link(no_book, look):
    app = arrive(view=look)
    assert not app.exception
    assert not app.error


def test_a_link_restores_the_controls(no_book):
    app = arrive(temperature="0.5", top_k="7", seed="42", prompt="Natasha ran", shortest_match="30")
    assert app.slider(key="temperature").value == 0.5
    assert app.slider(key="top_k").value == 7
    assert app.number_input(key="seed").value == 42
    assert text(app).startswith("Natasha ran")


def test_the_prediction_is_asked_before_the_answer_is_drawn(page):
    def written():
        return [element.value for element in page.text if element.value.startswith(PROMPT)]

    assert not written()
    guess(page, "greedy")
    assert not written(), "it is written while the page is read"
    for _ in range(200):  # ticks
        if page.run().get("progress") == []:
            break
    (greedy,) = written()
    loop = find_loop(np.array(SOURCE.encode(greedy)))
    assert shows(page, loop.start - len(PROMPT), loop.period, loop.repeats)


def test_no_run_of_the_page_waits_for_the_text_at_temperature_0(page, monkeypatch):
    guess(page, "greedy")
    calls = []
    write = TextGeneration.write
    monkeypatch.setattr(
        TextGeneration,
        "write",
        lambda generation, n: (
            calls.append((generation.settings.temperature, n)) or write(generation, n)
        ),
    )
    page.text_input(key="prompt").set_value("Natasha ran").run()
    assert not [n for temperature, n in calls if temperature == 0.0]
    assert "has written 0 of 1,000 characters" in page.get("progress")[0].proto.text


def test_without_the_book_the_filter_claims_no_more_than_pieces(page):
    by_hashes = load_filter(SHIPPED.parent / "results" / "ngram-filter")
    spans = by_hashes.memorised_spans(written_ids(page), 24)
    assert spans, "the first text must look copied somewhere, or nothing is tested"
    total, longest = sum(s.length for s in spans), max(s.length for s in spans)
    piece, by_chance = by_hashes.meta.gram_length, round(1 / by_hashes.false_positive_rate)
    assert shows(page, total, longest, piece, by_chance)
    assert "in the book word for word" not in captions(page)


def test_what_the_first_screen_says_of_copies_is_true_of_the_book(monkeypatch, tmp_path):
    if not corpora.locate(WAR_AND_PEACE.name):
        pytest.skip("the book is not on this machine")
    book = BookIndex.build(SOURCE.encode(corpora.load_text(WAR_AND_PEACE.name)))
    monkeypatch.setattr(corpora, "search_folders", lambda: [tmp_path])
    page = arrive()
    written = written_ids(page)
    by_filter = memorised.find_memorised(tuple(written.tolist()), 24, SOURCE)
    copied = book.memorised_spans(written, 24)
    for span in copied:
        around = [s for s in by_filter.spans if s.start <= span.start]
        assert any(s.start + s.length >= span.start + span.length for s in around), "none is missed"
    assert max(s.length for s in by_filter.spans) > max(s.length for s in copied), (
        "the example must have pieces from several places"
    )
    exact = memorised.describe_memorised(by_filter._replace(spans=copied, finder=book))
    assert numbers(exact) == [sum(s.length for s in copied), max(s.length for s in copied)]
    assert memorised.describe_memorised(by_filter) in captions(page)


def test_without_the_book_no_model_is_counted(page):
    finished = {meta.title for meta in provenances().values() if meta.snapshot_of is None}
    assert set(page.selectbox(key="model").options) == finished


def test_every_model_can_be_picked_and_shows_its_stamp(page):
    for name in ("source-lstm", "book-ngram"):
        page.selectbox(key="model").set_value(name).run()
        assert not page.exception
        assert provenance_text(provenances()[name]) in captions(page)
        assert len(text(page)) > 200


@pytest.mark.parametrize("protocol", ["64-character windows", "without the licence"])
def test_models_are_compared_by_every_protocol(no_book, protocol):
    app = arrive(view="Models compared", loss_protocol=protocol)
    assert not app.exception
    assert app.segmented_control(key="loss_protocol").value != "B"
    losses = data(app, "writing_comparison").query("protocol == @protocol and origin == 'ours'")
    assert shows(app, round(losses["loss"].min(), 4))


def test_a_training_of_which_one_loss_is_known_has_a_curve_of_one_point(monkeypatch):
    drawn = {}
    monkeypatch.setattr(
        snapshots.page, "show_chart", lambda chart, frame, **more: drawn.update(more)
    )
    meta = provenances()["source-lstm"]
    unknown = replace(meta, losses={})
    snapshots._learning_curve([unknown, meta], "B")
    assert len(set(numbers(drawn["alt"]))) == 1


def test_a_model_of_the_text_with_quotes_is_named_beside_the_chart_and_not_in_it(
    no_book, monkeypatch
):
    ours, other = (
        results.ModelRow(name, results.TRAINED, name, {"B": results.Loss(nats, 0.0123)}, title)
        for name, nats, title in (("source", 1.3, "Our LSTM"), ("full", 1.2345, "full"))
    )
    third = replace(other, title="third", difference=results.Difference("full", 0.1, 0.002))
    mixture = replace(ours, name="0.6 source + full", kind=results.MIXTURE, title="")
    measured = results.BookLosses({}, (ours, other, third, mixture))
    monkeypatch.setattr(results.BookLosses, "load", lambda: measured)
    app = arrive(view="Models compared")
    assert set(data(app, "writing_comparison")["model"]) >= {"Our LSTM", "0.6 Our LSTM + full"}
    assert "full" not in set(data(app, "writing_comparison")["model"])
    assert shows(app, 1.2345, 0.0123)
    assert shows(app, "the loss of third differs by +0.1000 ± 0.0020 from that of full")


# Tolstoy or machine? --------------------------------------------------------------------------
SENTENCE = "The prince answered nothing, but he looked at her and smiled as he always did. "


@pytest.fixture
def passages(monkeypatch, tmp_path):
    """Passages of which one knows whose they are: the book's have princes, the machine's have robots."""
    monkeypatch.setattr(tolstoy, "locate", lambda name: tmp_path)
    monkeypatch.setattr(tolstoy, "_held_out", lambda characters: SENTENCE * 40)
    machine = [SENTENCE.replace("prince", "robot") * 4] * 4
    monkeypatch.setattr(tolstoy, "_machine_passages", lambda *given: machine)


def of_tolstoy(app):
    shown = [passage.value for passage in app.get("text") if "answered nothing" in passage.value]
    assert len(shown) == 8
    return [letter for letter, words in zip("ABCDEFGH", shown, strict=True) if "prince" in words]


def test_the_score_stands_beside_chance_once_it_is_shown_who_wrote_what(no_book, passages):
    app = arrive(view="Tolstoy or machine?")
    right = of_tolstoy(app)
    assert len(right) == 4
    before = [m.value for m in app.markdown]
    assert not any(words.endswith((" Tolstoy", " A machine")) for words in before)
    wrong = next(letter for letter in "ABCDEFGH" if letter not in right)
    app.button_group(key="tolstoys").set_value([*right[:3], wrong]).run()
    app.toggle(key="tolstoy_shown").set_value(True).run()
    found = next(
        m.value for m in app.markdown if "are Tolstoy's. Half of all passages are" in m.value
    )
    # Three or four of four right: (4 * 4 + 1) of 70 ways.
    assert numbers(found) == [3, 4, 2, 3, round(100 * 17 / 70)]
    assert sum(m.value.endswith(" Tolstoy") for m in app.markdown) == 4


def test_another_round_begins_without_taps_and_hides_who_wrote_what(no_book, passages):
    app = arrive(view="Tolstoy or machine?", tolstoys="A", tolstoy_shown="true")
    assert app.toggle(key="tolstoy_shown").value
    app.number_input(key="tolstoy_round").set_value(2).run()
    assert not app.toggle(key="tolstoy_shown").value
    assert not app.button_group(key="tolstoys").value


def test_without_the_book_the_page_says_where_the_passages_would_come_from(no_book):
    app = arrive(view="Tolstoy or machine?")
    assert any("data fetch war-and-peace" in info.value for info in app.info)


def test_what_high_temperatures_do_to_words_waits_for_the_guess(no_book):
    app = arrive(view="Is it good text?")
    assert data(app, "text_quality")["temperature"].max() == 0.5
    assert not any("Real words" in frame.value for frame in app.dataframe if "text" in frame.value)
    app = guess(app, "real_words", 1)
    assert data(app, "text_quality")["temperature"].max() == 1.5
    shown = next(f.value for f in app.dataframe if "Real words" in f.value and "text" in f.value)
    assert {"the book itself", "published samples"} < set(shown["text"])
    assert len(shown) == 5
