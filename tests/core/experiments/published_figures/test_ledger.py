"""Every published figure is in the ledger, ours is what the files say, and the verdicts follow their rules."""

import json
import math
import re

import pytest

from lm_core.assets import CHECKPOINTS, RESULTS
from lm_core.errors import ResultError
from lm_core.experiments import published
from lm_core.experiments.published_figures import record, sources
from lm_core.experiments.published_figures.ledger import FIGURES, load_ledger, tally
from lm_core.experiments.war_and_peace.results import COUNTED, BookLosses, ModelRow

HOLDS, FAILS = record.Verdict.HOLDS, record.Verdict.DOES_NOT_HOLD

REPORTED = {
    "blog, part VII, and warandpeace": """1.27 1.20 3.3 70 490,502 2,852,672 316,964 19,495 36.867 30
        4.2589 1.2030 1.2002 1.1803 1.90 1.33 1.25
        1.5214 1.3610 1.3156 1.2969 1.2848 1.2772 1.2713""",
    "LearningHowToCount": "5.032 4.265 0.109 0.0879 11 12",
    "MeasuringRNNAccuracy": "1.0000 0.9940 0.9900 0.9260 0.8313 0.5948 0.5769",
    "Word2Vec": """4,056 5.389 4.903 4.777 4.689 4.629 4.568 4.486 8.2 57 2
        0.661 0.630 0.628 0.621 0.770 0.699 0.685 0.650 0.595 0.591 0.573 0.562
        0.678 0.610 0.599 0.578 0.766 0.756 0.746 0.710 0.843 0.777 0.774 0.771""",
    "TemperatureSampling": "0.2786 0.0102",
    "MultiHeadSelfAttention": "530 1,370 2,210 3,050",
    "WikiTextTransformer": "4.8175 4.8115 4.8143 1,723 0.115 3.7 2,360,047 262,228 6,000 6,400",
    "GMM and k-means": "5 181 200 30 16",
    "attention notes": "0.05 0.36 0.40 0.06 0.13",
    "post on Bengio's model": "19,683 75",
    "lecture slides": "0.5",
    "makemore": """2.4765 2.126 2.170 1.918 2.027
        2.1245 2.1682 2.07 2.13 2.0377 2.1070""",
}
"""The figures that each document reports, as read there and not from the code."""


@pytest.fixture(scope="module")
def ledger():
    return {entry.figure.name: entry for entry in load_ledger()}


def raw(name):
    return json.loads((RESULTS / f"{name}.json").read_text())["data"]


# What is listed -------------------------------------------------------------------------------


@pytest.mark.parametrize("document", REPORTED)
def test_every_reported_number_is_listed(document):
    listed = " ".join(f"{f.written} {f.protocol} {f.measured}" for f in FIGURES)
    found = set(re.findall(r"\d[\d,]*(?:\.\d+)?(?<!,)", listed))
    assert set(REPORTED[document].split()) <= found


def test_figures_that_pages_draw_too_are_those_of_the_table():
    written = {f.name: f.written for f in FIGURES}
    networks = {"rnn": published.RECALL_RNN, "lstm": published.RECALL_LSTM}
    for name, accuracies in networks.items():
        for length, accuracy in zip(published.RECALL_LENGTHS, accuracies, strict=True):
            assert float(written[f"recall-{name}-{length}"]) == accuracy
    for epoch, loss in published.COUNTING_LOSSES.items():
        assert float(written[f"counting-loss-{epoch}"]) == loss
    for context, (training, validation) in published.MAKEMORE_MLP.items():
        assert numbers(written[f"makemore-context-{context}"]) == [validation, training]
    for name, (training, validation) in published.MAKEMORE_STARTS.items():
        assert numbers(written[f"makemore-start-{name}"]) == [validation, training]
    assert float(written["makemore-bigrams"]) == published.MAKEMORE_BIGRAMS
    for place, tagger in enumerate(published.TAGGERS):
        shares = [x for x in (tagger.every, tagger.seen, tagger.unseen) if x is not None]
        assert numbers(written[f"tagger-{place}"]) == pytest.approx([100 * x for x in shares])
    bleu = [float(written[f"bleu-{place}"]) for place in range(4)]
    assert bleu == [translator.bleu for translator in published.TRANSLATORS[:4]]
    assert numbers(written["word-loss"]) == [
        *published.WORD_LOSSES[-1:],
        *published.WORD_LOSSES[:-1],
    ]
    assert numbers(written["word-vocabulary"]) == [published.WORD_VOCABULARY]
    for word, roles in published.WORD_NEIGHBOURS.items():
        for role, theirs in zip(("context", "centre"), roles, strict=True):
            found = numbers(written[f"neighbours-{word}-{role}"])
            assert found == [cosine for _, cosine in theirs]
    assert numbers(written["book-characters"]) == list(published.SOURCE_CHARACTERS)


def numbers(text):
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_each_reader_is_asked_by_a_figure():
    assert set(record.READERS) == {
        next(name for name, reader in record.READERS.items() if reader is figure.ours.func)
        for figure in FIGURES
    }


def test_figures_are_told_apart_by_name_and_by_title():
    for values in ([f.name for f in FIGURES], [f.measured for f in FIGURES]):
        assert len(set(values)) == len(values)
    assert all(re.fullmatch(r"[a-z0-9-]+", figure.name) for figure in FIGURES)


def test_every_entry_says_why(ledger):
    for entry in ledger.values():
        assert entry.ours.reason.endswith("."), entry.figure.name
        assert entry.figure.rule.text.endswith("."), entry.figure.name
        if entry.verdict is record.Verdict.NOT_REPRODUCED:
            assert not entry.shown
            assert "needs" in entry.ours.reason
        else:
            assert entry.shown, entry.figure.name


def test_the_tally_counts_every_entry_once(ledger):
    counts = tally(ledger.values())
    assert sum(counts.values()) == len(FIGURES) == len(ledger)
    assert counts[record.Verdict.NOT_READ] == 0
    assert counts[HOLDS] == sum(entry.verdict == "holds" for entry in ledger.values())


# Ours -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("backbone", ["rnn", "lstm"])
@pytest.mark.parametrize("length", [4, 14, 18])
def test_recall_is_that_of_the_file(ledger, backbone, length):
    values = [
        row[3] for row in raw("rnn-vs-lstm")["results"]["original"] if row[:2] == [backbone, length]
    ]
    ours = ledger[f"recall-{backbone}-{length}"].ours
    assert ours.value == pytest.approx(sum(values) / len(values))
    assert (ours.low, ours.high, ours.seeds) == (min(values), max(values), len(values))


def test_the_reason_counts_the_seeds_that_reach_the_published_accuracy(ledger):
    values = [row[3] for row in raw("rnn-vs-lstm")["results"]["original"] if row[:2] == ["rnn", 16]]
    reached = sum(value >= 0.5948 - 5e-5 for value in values)
    assert f"{reached} of them reach" in ledger["recall-rnn-16"].ours.reason
    assert 1 < reached < len(values) / 2


@pytest.mark.parametrize("epoch", [1, 2, 21, 25])
def test_counting_is_that_of_the_file(ledger, epoch):
    values = [losses[str(epoch)] for losses in raw("published-figures")["counting"]]
    ours = ledger[f"counting-loss-{epoch}"].ours
    assert ours.value == pytest.approx(sum(values) / len(values))
    assert (ours.low, ours.high, ours.seeds) == (min(values), max(values), len(values))
    shipped = next(row[1] for row in raw("counting")["losses"] if row[0] == epoch)
    assert f"{shipped:.3f}" in ours.reason


def test_the_network_of_the_book_is_that_of_its_checkpoint(ledger):
    meta = json.loads((CHECKPOINTS / "source-lstm" / "meta.json").read_text())
    assert ledger["book-parameters"].ours.value == meta["parameter_count"]
    assert ledger["book-symbols"].ours.value == meta["config"]["vocabulary_size"]
    assert ledger["book-steps"].ours.value == meta["steps"]
    assert ledger["book-minutes"].ours.value == pytest.approx(meta["seconds"] / 60)


def test_the_losses_of_the_book_are_those_of_the_file(ledger):
    rows = {row["name"]: row for row in raw("war-and-peace")["rows"]}
    reason = ledger["book-validation-loss"].ours.reason
    for protocol in ("A", "B"):
        assert f"{rows['source-lstm']['losses'][protocol][0]:.4f}" in reason
    assert ledger["book-characters"].ours.value == rows["ngram-9"]["characters_seen"]


def test_irises_are_those_of_the_file(ledger):
    rows = raw("published-figures")["iris"]
    hard, soft = [row[0] for row in rows], [row[1] for row in rows]
    assert ledger["iris-k-means"].ours.low == min(hard)
    assert f"{hard.count(min(hard))} of {len(rows)}" in ledger["iris-k-means"].ours.reason
    assert ledger["iris-em-errors"].ours.low == min(soft)
    assert ledger["iris-bad-errors"].ours.high == pytest.approx(100 * max(soft) / 150)
    assert ledger["iris-em-loss"].ours.value == min(rows, key=lambda row: row[1])[2]


def test_other_figures_are_those_of_their_files(ledger):
    data = raw("published-figures")
    assert ledger["temperature-largest"].ours.value == max(data["temperature"])
    assert ledger["temperature-smallest"].ours.value == min(data["temperature"])
    assert ledger["rnn-by-hand"].ours.value == max(data["differences"]["RNN"])
    assert ledger["permuted-transformer"].ours.value == max(
        row[0] for row in data["permutations"]["transformer"]
    )
    n_grams = raw("n-grams")
    score = next(s for s in n_grams["scores"] if (s["text"], s["n"]) == ("names", 4))
    assert ledger["contexts-of-three"].ours.value == score["possible"]
    assert ledger["makemore-bigrams"].ours.value == n_grams["bigrams_of_all_names"]
    starts = {
        t["config"]["network"]["initialisation"]: t for t in raw("neural-language-model")["starts"]
    }
    for name, trained in starts.items():
        assert ledger[f"makemore-start-{name}"].ours.value == trained["validation"]
    tagged = [
        100 * test[0]
        for name, *_, test in raw("part-of-speech-tagging")["scores"]
        if name == "bidirectional-lstm"
    ]
    assert ledger["tagger-0"].ours.value == pytest.approx(sum(tagged) / len(tagged))
    beams = {model["name"]: model["beam"] for model in raw("translation")["models"]}
    assert ledger["bleu-0"].ours.low == beams["translation-transformer"][1]
    one = [beams["translation-one-vector"], beams["translation-one-vector-seed-2"]]
    assert ledger["bleu-1"].ours.value == pytest.approx(sum(score for score, *_ in one) / 2)


def test_neighbours_are_those_of_the_role(ledger):
    context, centre = (ledger[f"neighbours-king-{role}"] for role in ("context", "centre"))
    assert context.shown != centre.shown
    assert context.shown.split()[-1] in context.ours.reason


def test_neighbours_that_are_called_shared_are_published_for_that_role(ledger):
    for name, entry in ledger.items():
        if name.startswith("neighbours-"):
            shared = re.findall(r"[a-z]+", entry.ours.reason.split("nearest: ")[1])
            assert set(shared) <= set(re.findall(r"[a-z]+", entry.figure.written))


# Verdicts -------------------------------------------------------------------------------------


def test_verdicts_that_a_reader_can_check(ledger):
    assert ledger["recall-rnn-14"].verdict is FAILS
    assert ledger["recall-rnn-18"].verdict is HOLDS
    assert ledger["printed-weight"].verdict is FAILS
    assert ledger["book-validation-loss"].verdict is record.Verdict.SCORED_AGAIN
    assert ledger["book-training-loss"].verdict is FAILS
    assert ledger["iris-k-means"].verdict is HOLDS
    assert ledger["iris-bad-errors"].verdict is FAILS
    assert ledger["permuted-transformer"].verdict is FAILS
    assert ledger["wiki-loss"].verdict is record.Verdict.NOT_COMPARABLE
    assert ledger["word-loss"].verdict is record.Verdict.NOT_COMPARABLE


@pytest.mark.parametrize(
    ("rule", "theirs", "ours", "verdict"),
    [
        (record.NEVER_BELOW, 16, (16, 70), HOLDS),
        (record.NEVER_BELOW, 16, (15, 70), FAILS),
        (record.NEVER_ABOVE, 30, (3, 30), HOLDS),
        (record.NEVER_ABOVE, 30, (3, 31), FAILS),
    ],
)
def test_rules_of_a_spread(rule, theirs, ours, verdict):
    assert rule.judge(theirs, 0.005, record.Ours(None, "", *ours)) is verdict


@pytest.mark.parametrize(
    ("theirs", "ours", "verdict"),
    [
        (0.5, (0.4, 0.6), HOLDS),
        (0.7, (0.4, 0.6), FAILS),
        (0.3, (0.4, 0.6), FAILS),
        (0.6, (0.4, 0.596), HOLDS),
        (0.6, (0.4, 0.594), FAILS),
        (0.4, (0.404, 0.6), HOLDS),
        (0.4, (0.406, 0.6), FAILS),
        (0.6, (0.4,) * 19 + (0.6,), HOLDS),  # one of twenty
        (0.6, (0.4,) * 20 + (0.6,), FAILS),  # one of twenty-one
        (0.6, (0.4,) * 38 + (0.6,) * 2, HOLDS),
        (0.2, (0.2,) + (0.4,) * 20, FAILS),
    ],
)
def test_a_figure_holds_if_enough_seeds_are_as_low_and_as_high(theirs, ours, verdict):
    assert record.IN_SPREAD.judge(theirs, 0.005, record.of_seeds(ours, "")) is verdict


@pytest.mark.parametrize(
    ("rule", "theirs", "half", "value", "verdict"),
    [
        (record.AS_WRITTEN, 1.27, 0.005, 1.2684, HOLDS),
        (record.AS_WRITTEN, 1.27, 0.005, 1.275, HOLDS),
        (record.AS_WRITTEN, 1.27, 0.005, 1.2751, FAILS),
        (record.AS_WRITTEN, 70, 0.5, 71, FAILS),
        (record.within(1.0, "about"), 181, 0.5, 180.2, HOLDS),
        (record.within(1.0, "about"), 181, 0.5, 182.1, FAILS),
    ],
)
def test_rules_of_a_number(rule, theirs, half, value, verdict):
    assert rule.judge(theirs, half, record.Ours(value, "")) is verdict


@pytest.mark.parametrize(
    ("written", "value", "decimals"),
    [
        ("1.20", 1.2, 2),
        ("19,683 (27³)", 19_683, 0),
        ("2.1682 (training 2.1245)", 2.1682, 4),
        ("italy 0.661 (then germany 0.630)", 0.661, 3),
        ("True", None, 0),
    ],
)
def test_the_first_number_is_the_one_that_is_compared(written, value, decimals):
    figure = record.PublishedFigure(
        "x", "", "", written, "", record.READERS["not reproduced"], record.AS_WRITTEN, ""
    )
    assert (figure.value, figure.decimals) == (value, decimals)


def test_a_spread_is_that_of_its_seeds():
    ours = record.of_seeds([0.2, 0.5, 0.8], "")
    assert (ours.low, ours.high, ours.seeds) == (0.2, 0.8, 3)
    assert ours.value == pytest.approx(0.5)


def test_a_deviation_is_a_share_of_theirs(ledger):
    entry = ledger["recall-rnn-18"]
    assert entry.deviation == pytest.approx(entry.ours.value / 0.5769 - 1)
    assert entry.relative(0.5769 * 1.1) == pytest.approx(0.1)
    assert ledger["rnn-by-hand"].deviation is None
    assert ledger["k-means-equal-groups"].deviation is None, "of nothing there is no share"


# Damaged files --------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read_costs_only_its_own_figures(monkeypatch):
    def damaged(*_):
        raise ResultError("n-grams.json must be JSON")

    monkeypatch.setattr(sources.NGramResults, "load", damaged)
    found = {entry.figure.name: entry for entry in load_ledger()}
    unread = {name for name, entry in found.items() if entry.verdict is record.Verdict.NOT_READ}
    assert unread == {"contexts-of-three", "makemore-bigrams"}
    assert all(found[name].ours.reason == "n-grams.json must be JSON" for name in unread)
    assert math.isclose(found["xor-sum"].ours.value, 0.5)


@pytest.mark.parametrize("name", ["ngram-9", "other"])
def test_a_file_of_losses_without_them_is_named(monkeypatch, name):
    emptied = BookLosses({}, (ModelRow(name, COUNTED, "source", {}),))
    monkeypatch.setattr(BookLosses, "load", lambda: emptied)
    read = sources.Sources()
    with pytest.raises(ResultError, match="must have source-lstm"):
        read.book_score("source-lstm", "A")
    with pytest.raises(ResultError, match="must have"):
        read.book_score("ngram-9", "A")
    with pytest.raises(ResultError, match="must have"):
        _ = read.characters_of_training


def test_what_is_not_in_a_file_is_named():
    read = sources.Sources()
    with pytest.raises(ResultError, match="rnn at length 5"):
        read.recall("rnn", 5)
    with pytest.raises(ResultError, match="9-grams"):
        read.n_grams_of_names(9)
    with pytest.raises(ResultError, match="7 letters"):
        read.network_on_names(7)
    with pytest.raises(ResultError, match="'ones'"):
        read.start_on_names("ones")
    with pytest.raises(ResultError, match="'oracle'"):
        read.right_tags("oracle")
    with pytest.raises(ResultError, match="'babel'"):
        read.translators("babel")
