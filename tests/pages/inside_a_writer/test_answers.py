"""What the answers for teachers say of the units, held to the shipped model and results."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.analysis.text_spans import KINDS, QUOTATION, inside_quotation, spans_of
from lm_core.analysis.unit_activations import CELL, HIDDEN, Clamp, read_activations
from lm_core.analysis.unit_search import chance_correlations, correlations, find_units
from lm_core.experiments.inside_a_writer.results import MODEL, UnitResults
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of
from pages.inside_a_writer import clamp, connections, quotation_mark
from pages.inside_a_writer.connection import connection_of
from pages.inside_a_writer.subject import TEXTS_READ
from pages.inside_a_writer.units import unit_name, unit_of
from pages.shared.models.book_models import snapshots_of
from pages.shared.numbers import NARROW_SPACE, percent
from pages.shared.units.painting import split_between
from pages.shared.units.text import word_ends
from tests.pages.answering import assert_says

PAGE = "inside-a-writer"
QUOTED = 'He came home. "I will go to the town tomorrow," said Pierre, and went out of the room.'
MORE_QUOTED = (
    '"What is it?" asked the countess. Nobody answered her. The old man sat down by the fire and looked at his hands.',
    'The general stopped. "Bring me the letter. It is on the table. Be quick, and do not wake my wife!" he said, and turned away to the window.',
    '"My dear, I cannot come. The roads are bad," she wrote to him. He read it twice, and then he burned it.',
    'They were silent. "And if we lose?" he asked. It was a dark night, and nobody slept in the camp.',
    'Natasha laughed. "No, no, it is impossible, quite impossible!" The others laughed too, and the dance began again in the hall.',
)
LETTER, QUESTIONS = TEXTS_READ  # as the model reads them


def says(beginning, *said):
    assert_says(PAGE, beginning, *(text.replace(NARROW_SPACE, " ") for text in said))


@pytest.fixture(scope="module")
def lstm():
    """The model, its units' activations over a text, and what was measured of it."""
    model, meta = load_checkpoint(SHIPPED / MODEL)
    vocabulary, results = vocabulary_of(meta), UnitResults.load()

    def read(text):
        ids = vocabulary.encode(readable_text(text, vocabulary))
        return read_activations(model, ids, context_before(vocabulary))

    best = results.of_kind(QUOTATION, CELL).units[0]
    return SimpleNamespace(
        model=model,
        meta=meta,
        vocabulary=vocabulary,
        read=read,
        letter=read(LETTER),
        results=results,
        best=best,
        unit=unit_of(best.unit, CELL),
        identity=(meta.name, meta.weights_sha256),
    )


def named(lstm, kind):
    return [unit_name(lstm.meta, s.unit) for s in lstm.results.of_kind(kind, CELL).units]


def is_on(lstm, text):
    return lstm.unit.levels.share(lstm.read(text).cell[:, lstm.best.unit])


def test_a_mark_switches_the_unit_off_and_without_it_a_short_text_leaves_it_on(lstm):
    share, inside = is_on(lstm, QUOTED), inside_quotation(QUOTED) > 0
    assert share[inside].min() > 0.5 > 0.35 > share[~inside].max()
    left = []
    for text in (QUOTED, *MORE_QUOTED):
        mark = text.rindex('"')
        left.append(float(is_on(lstm, text[:mark] + text[mark + 1 :])[mark:].min()))
    faded = [share for share in left if share < 0.8]
    assert faded == pytest.approx([0.5], abs=0.05)
    assert len(left) == 6
    says("Type a text of your own", "in five of six short texts", "in one at half")


def test_without_the_mark_long_narration_switches_the_unit_off_and_speech_does_not(lstm):
    narrated, spoken = (
        "The old man sat down by the fire and looked at his hands.",
        "I do not know what he wanted, but I shall not go to him.",
    )
    opening = 'He came home. "I will go to the town tomorrow. '
    start = opening.index('"') + 1
    off, on = (is_on(lstm, opening + f"{said} " * 12)[start:] for said in (narrated, spoken))
    after = 5 + int((off[5:] < 0.5).argmax())
    assert off[-1] < 0.1 < 0.9 < on[5:].min()
    says(
        "Type a text of your own",
        f"{narrated}* again and again",
        f"after {after} characters",
        spoken,
    )


def test_the_unit_of_the_sentence_begins_anew_and_does_not_count_exactly(lstm):
    kind = "how far into the sentence"
    score = lstm.results.of_kind(kind, CELL).units[0]
    value = lstm.read(QUESTIONS).cell[:, score.unit]
    ends = [
        i for i in range(2, len(value) - 2) if QUESTIONS[i] in ".?" and QUESTIONS[i + 1] in ' "\n'
    ]
    assert all(-2 < value[i : i + 3].min() < -0.5 for i in ends)
    comma = QUESTIONS.index("room") - len(" and looked round the ")
    assert QUESTIONS[comma - 1] == ","
    assert value[comma - 1] < value[comma - 2]
    says("Choose the unit 2.186", "−1", f"{score.held_out:.2f}", f"{value.max():.0f}")
    assert unit_name(lstm.meta, score.unit) == "2.186"


def test_the_cell_state_is_the_calmer(lstm):
    moves = {}
    for part in (CELL, HIDDEN):
        value = lstm.letter.of(part)[:, lstm.best.unit]
        moves[part] = np.abs(np.diff(value)).mean() / np.ptp(value)
    says("Switch from cell state", *(percent(moves[part]) for part in (CELL, HIDDEN)))


def painted(spans):
    """The target where the words of some spans are painted, as the page paints them."""
    target, ends = np.zeros(len(LETTER)), [0, *word_ends(LETTER)]
    for start, end in pairwise(ends):
        target[start:end] = any(a < end and start < b for a, b in spans)
    return target


def test_each_quotation_alone_has_another_best_unit_and_all_together_have_the_right_one(lstm):
    spans = spans_of(inside_quotation(LETTER))
    alone = [
        int(np.abs(correlations(lstm.letter.cell, painted([span]))).argmax()) for span in spans
    ]
    assert len(set(alone)) == len(spans) == 5
    assert lstm.best.unit not in alone
    together = painted(spans)
    found = find_units(lstm.letter.cell, together, 1, split_between(spans_of(together)))[0].unit
    says("Choose *in a span", unit_name(lstm.meta, found))
    assert found == lstm.best.unit


def test_ten_words_here_and_there_are_fitted_by_chance(lstm):
    random, ends = np.random.default_rng(1), [0, *word_ends(LETTER)]
    found, held_out, chance = [], [], []
    for _ in range(40):
        target = np.zeros(len(LETTER))
        for word in random.choice(len(ends) - 1, 10, replace=False):
            target[ends[word] : ends[word + 1]] = 1
        split = split_between(spans_of(target))
        best = find_units(lstm.letter.cell, target, 1, split)[0]
        found.append(abs(best.correlation))
        held_out.append(abs(best.held_out))
        chance.append(chance_correlations(lstm.letter.cell[:split], target[:split], 8).mean())
    middle = np.median(found)
    says("Paint ten words", f"{middle:.1f}", "0.3")
    assert np.quantile(held_out, 0.8) < 0.3
    assert abs(middle - np.median(chance)) < 0.1


def test_layers_of_the_best_units(lstm):
    layers = {kind: [name[0] for name in named(lstm, kind)] for kind in KINDS}
    assert layers["letters into a word"].count("1") == 6
    assert layers[QUOTATION].count("2") == layers["how far into the paragraph"].count("2") == 8
    assert layers["how far into the sentence"].count("2") == 6
    says("Go through the kinds", named(lstm, "in a name")[0], "six of eight for the sentence")


def written(lstm):
    """How far on the unit is over what the model wrote, and where that is inside a quotation."""
    text = lstm.results.written
    ids, before = lstm.vocabulary.encode(text), context_before(lstm.vocabulary)
    value = read_activations(lstm.model, ids, before).cell[:, lstm.best.unit]
    return lstm.unit.levels.share(value), inside_quotation(text)


def test_in_the_chapter_no_quotation_is_missed_and_in_its_own_writing_one_fades(lstm):
    results = lstm.results
    mean = results.chapter[CELL].mean[:, lstm.best.unit]
    edges = np.linspace(0, results.characters, len(mean) + 1).astype(int)
    inside = np.zeros(results.characters, bool)
    for start, end in results.quotations:
        inside[start:end] = True
    share = lstm.unit.levels.share(mean)
    for on, (start, end) in zip(share, pairwise(edges), strict=True):
        if inside[start:end].all():
            assert on > 0.6
        if not inside[max(0, start - 30) : end + 1].any():  # the unit takes some characters
            assert on < 0.3
    says(
        "Find a quotation",
        *(percent(value) for value in (lstm.best.on_inside, lstm.best.on_outside)),
    )
    share, inside = written(lstm)
    start, end = max(spans_of(inside), key=lambda span: span[1] - span[0])
    assert results.written[end] == "\n"
    assert share[start : end + 100].min() > 0.5


def test_whose_quotations_are_longer(lstm):
    results = lstm.results
    share, inside = written(lstm)
    spans = spans_of(inside)
    chapter, own = (
        np.array([end - start for start, end in some]) for some in (results.quotations, spans)
    )
    says(
        "Compare the chapter",
        *(f"{lengths.mean():.0f}" for lengths in (chapter, own)),
        *(f"{lengths.max()}" for lengths in (chapter, own)),
        "40",
    )
    assert 35 < np.median(own) < 40 < np.median(chapter)
    assert share[inside > 0].min() > 0.5


def test_paragraphs_can_hardly_be_counted(lstm):
    results, kinds = lstm.results, ("how far into the sentence", "how far into the paragraph")
    score = results.of_kind(kinds[1], CELL).units[0]
    assert unit_name(lstm.meta, score.unit) == "2.147"
    high = results.chapter[CELL].high[:, score.unit]
    n = len(high)
    ends = sorted({int(place * n / results.characters) for place in results.paragraphs})
    peaks = [i for i in range(1, n - 1) if high[i - 1] < high[i] >= high[i + 1]]
    at_ends = [i for i in peaks if i in ends or i - 1 in ends]
    with_peak = [end for end in ends if end in peaks or end + 1 in peaks]
    of_sentence = next(s for s in results.of_kind(kinds[0], CELL).units if s.unit == score.unit)
    says(
        "Choose the unit 2.147",
        *(f"{len(some)}" for some in (peaks, at_ends, with_peak, ends)),
        *(f"−{-found.held_out:.2f}" for found in (of_sentence, score)),
    )


@pytest.fixture(scope="module")
def held(lstm):
    """The clamps of the first screen: none, on and off, at the place where they begin."""
    place = LETTER.index("expect you") + len("expect you")
    levels = lstm.unit.levels
    clamps = {name: Clamp(lstm.best.unit, getattr(levels, name)) for name in ("on", "off")}
    return (*lstm.identity, LETTER[:place]), {"free": None, **clamps}


def next_mark(text):
    """The first quotation mark of a text: closing, opening or none."""
    place = text.find('"')
    return None if place < 0 else bool(inside_quotation(f"a{text[: place + 1]}")[-1])


def test_the_quotation_unit_held_off_opens_quotations_instead_of_closing_them(lstm, held):
    identity, clamps = held
    marks = lstm.results.clamp.marks
    closes = {name: found.closes / sum(found) for name, found in marks.items()}
    assert closes["free"] == pytest.approx(2 / 3, abs=0.02)
    assert closes["on"] == pytest.approx(2 / 3, abs=0.02)
    opens = marks["off"].opens / sum(marks["off"])
    says(
        "Hold the quotation unit",
        f"{lstm.results.clamp.places}",
        percent(closes["off"]),
        percent(opens),
    )
    first = {
        name: next_mark(
            "".join(lstm.vocabulary.spell(clamp._continued(*identity, held, 1).generation.ids))
        )
        for name, held in clamps.items()
    }
    assert first == {"free": False, "on": False, "off": None}


def moved(lstm, identity, held):
    """Half the sum of the differences that a clamp makes to the next character's probabilities."""
    free, clamped = (_next(lstm, identity, one) for one in (None, held))
    return float(np.abs(free - clamped).sum() / 2)


def _next(lstm, identity, held):
    model, last, _ = quotation_mark.from_here(*identity, held)
    begun = TextGeneration.begin(model, last, SamplingSettings(0.7), 1)
    return begun.chain_trace().stages[0].probabilities.numpy()


def test_the_quotation_unit_hardly_changes_the_next_character(lstm, held):
    identity, clamps = held
    own = moved(lstm, identity, clamps["off"])
    names = {"2.112": 431, "2.201": 520}
    assert names == {unit_name(lstm.meta, unit): unit for unit in names.values()}
    others = [
        moved(lstm, identity, Clamp(unit, unit_of(unit, CELL).levels.off))
        for unit in names.values()
    ]
    says("Hold units of other kinds", percent(own), *map(percent, others), *names)
    sample = [
        moved(lstm, identity, Clamp(unit, unit_of(unit, CELL).levels.off))
        for unit in range(0, 640, 16)
    ]
    assert np.mean(np.array(sample) > own) == pytest.approx(1 / 5, abs=0.1)


@pytest.mark.slow  # twice 64 texts of 200 characters, and sixteen more
def test_the_difference_remains_with_other_seeds(lstm, held):
    identity, clamps = held
    differs = 0
    for seed in range(1, 9):
        texts = (
            "".join(lstm.vocabulary.spell(clamp._continued(*identity, one, seed).generation.ids))
            for one in (clamps["free"], clamps["off"])
        )
        differs += len({next_mark(text) for text in texts}) == 2
    assert differs == 5
    free, off = (quotation_mark._marks(*identity, clamps[name], 1) for name in ("free", "off"))
    says("Change the seed", f"{quotation_mark._TEXTS}", f"{free.closes} close", f"{off.closes} if")


def share_of(meta, text, measure, start, end):
    """The share of a model's dependence on some characters of a text, and its prediction."""
    found = connection_of(meta, text, measure)
    weights = np.abs(found.by_character)
    before = len(text) - len(weights)
    return weights[start - before : end - before].sum() / weights.sum(), found


@pytest.mark.parametrize("beginning", ["Read up to the end", "Compare gradient"])
def test_the_opening_mark_by_occlusion_and_by_gradient(lstm, beginning):
    def shares(until):
        text = LETTER[: LETTER.index(until) + len(until)]
        mark = text.rindex('"')
        found = [
            share_of(lstm.meta, text, measure, mark, mark + 1)
            for measure in (connections.OCCLUSION, connections.GRADIENT)
        ]
        return len(text) - mark, found

    back, ((occluded, found), (slope, _)) = shares("What does she say?")
    if beginning == "Read up to the end":
        assert found.token == '"'
        says(beginning, f"{back} characters", percent(occluded), percent(found.probability))
        weights = np.abs(found.by_character)
        assert (weights > weights[-back]).sum() == 1 == (weights.argmax() == len(weights) - 1)
        assert shares("on Sunday.")[1][0][0] < 0.01
        until = "I think."
        text = QUESTIONS[: QUESTIONS.index(until) + len(until)]
        mark = text.rindex('"')
        says(
            beginning, percent(share_of(lstm.meta, text, connections.OCCLUSION, mark, mark + 1)[0])
        )
        return
    says(beginning, percent(occluded), percent(slope, 1))
    _, ((occluded, _), (slope, _)) = shares("a letter?")
    assert slope > occluded
    more = []
    for text in (LETTER, QUESTIONS):
        marks = [i for i, character in enumerate(text) if character == '"']
        for mark, end in zip(marks[::2], marks[1::2], strict=False):  # one is never closed
            by_occlusion, by_gradient = (
                share_of(lstm.meta, text[:end], measure, mark, mark + 1)[0]
                for measure in (connections.OCCLUSION, connections.GRADIENT)
            )
            more.append(by_gradient > by_occlusion)
    assert (sum(more), len(more)) == (3, 7)
    says(beginning, "three of the seven quotations")


def test_neither_model_looks_back_at_the_name_that_came_before(lstm):
    text = QUESTIONS[: QUESTIONS.index('"Sonya? No') + len('"S')]
    start = text.index("Sonya")
    transformer = snapshots_of(connections.TRANSFORMER)[-1]
    (far, found), (own, _) = (
        share_of(meta, text, connections.OCCLUSION, start, start + len("Sonya?"))
        for meta in (transformer, lstm.meta)
    )
    assert found.token == "onya"
    says("Choose the text *Two", percent(far), percent(own), percent(found.probability))
