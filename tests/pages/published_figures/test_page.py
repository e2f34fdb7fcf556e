"""The page of published figures: what waits for a guess, what the controls list, and where the links lead."""

import json

import pytest

from lm_core.errors import ResultError
from lm_core.experiments.published_figures import sources
from lm_core.experiments.published_figures.ledger import FIGURES, load_ledger, tally
from lm_core.experiments.published_figures.record import Verdict
from pages.published_figures.picture import _table
from pages.shared.registry import page_at
from tests.pages.visits import arrive, guess, numbers, text, visit

PAGE = "pages/published_figures/page.py"
OPEN = {"reveal": "published"}


def drawn(app):
    """Return what the list was sent."""
    (element,) = [e for e in app.get("bidi_component") if e.proto.component_name.endswith("ledger")]
    return json.loads(element.proto.json)


def rows(app):
    return [row for group in drawn(app)["groups"] for row in group["rows"]]


@pytest.fixture(scope="module")
def ledger():
    return {entry.figure.name: entry for entry in load_ledger()}


# The guess ------------------------------------------------------------------------------------


def test_figures_stand_beside_ours_and_the_verdicts_wait_for_a_guess(ledger):
    app = visit(PAGE)
    assert len(rows(app)) == len(FIGURES)
    assert {(row["spread"], row["word"], row["kind"]) for row in rows(app)} == {
        ("", "waits", "waits")
    }
    assert {row["name"]: row["ours"] for row in rows(app)} == {
        name: entry.shown for name, entry in ledger.items()
    }
    assert {row["ours_at"] for row in rows(app)} == {None}
    assert {row["theirs"] for row in rows(app)} == {entry.theirs for entry in ledger.values()}
    assert app.button_group(key="verdict").disabled
    assert not app.get("download_button")


def test_an_opened_row_does_not_give_the_answer_away(ledger):
    entry = ledger["recall-rnn-14"]
    facts = dict(drawn(visit(PAGE, figure=entry.figure.measured))["opened"]["facts"])
    assert facts["Protocol"] == entry.figure.protocol
    assert not {"Here", "Rule"} & set(facts)


@pytest.mark.parametrize(("option", "badge"), [(2, "green-badge"), (0, "orange-badge")])
def test_the_guess_is_judged_by_the_ledger(ledger, option, badge):
    app = guess(visit(PAGE), "published", option)
    counts = tally(ledger.values())
    said = next(e.value for e in app.markdown if "badge" in e.value)
    assert badge in said
    assert numbers(said)[:3] == [counts[Verdict.HOLDS], len(ledger), counts[Verdict.DOES_NOT_HOLD]]
    assert sum(numbers(said)[i] for i in (0, 2, 3)) == len(ledger)


def test_a_lucky_figure_is_named_after_the_guess(ledger):
    lucky = ledger["recall-rnn-18"].ours.reason
    assert lucky not in text(visit(PAGE))
    assert lucky in text(visit(PAGE, **OPEN))


# The list -------------------------------------------------------------------------------------


def test_a_row_shows_ours_its_spread_and_the_verdict(ledger):
    found = {row["name"]: row for row in rows(visit(PAGE, **OPEN))}
    entry, row = ledger["recall-rnn-14"], found["recall-rnn-14"]
    assert (row["theirs"], row["ours"], row["spread"]) == ("0.8313", entry.shown, entry.spread)
    assert (row["kind"], row["word"]) == ("does-not-hold", "does not hold")
    assert row["low_at"] < row["ours_at"] < row["high_at"] < 0
    assert row["ours_at"] == pytest.approx(entry.ours.value / 0.8313 - 1)


@pytest.mark.parametrize("verdict", ["holds", "does not hold", "not comparable", "not reproduced"])
def test_verdicts_are_listed_alone(ledger, verdict):
    app = visit(PAGE, verdict=verdict, **OPEN)
    expected = {name for name, entry in ledger.items() if entry.verdict == verdict}
    assert {row["name"] for row in rows(app)} == expected
    assert f"{len(expected)} of {len(ledger)}" in text(app)


def test_a_chapter_is_listed_alone(ledger):
    chapter = "Clustering and statistics"
    found = drawn(visit(PAGE, chapter=chapter, **OPEN))["groups"]
    assert [group["title"] for group in found] == [chapter]
    assert {row["name"] for row in found[0]["rows"]} == {
        name for name, entry in ledger.items() if entry.figure.page == "clustering"
    }


def test_all_words_have_to_occur_whatever_their_case():
    app = visit(PAGE, find="IRIS k-means", **OPEN)
    assert [row["name"] for row in rows(app)] == ["iris-k-means"]
    assert rows(visit(PAGE, find="zeppelin", **OPEN)) == []
    assert "empty the search" in drawn(visit(PAGE, find="zeppelin", **OPEN))["none"]


def test_a_verdict_in_the_link_waits_for_the_guess_too(ledger):
    app = visit(PAGE, verdict="holds")
    assert len(rows(app)) == len(ledger)


def test_an_opened_row_says_why_and_leads_to_its_experiment(ledger):
    entry = ledger["recall-rnn-18"]
    app = visit(PAGE, figure=entry.figure.measured, **OPEN)
    opened = drawn(app)["opened"]
    facts = dict(opened["facts"])
    assert facts["Here"] == entry.ours.reason
    assert facts["Rule"] == entry.figure.rule.text
    assert opened["link"] == "rnn-vs-lstm?protocol=original+settings&lengths=4+to+18"
    assert page_at("rnn-vs-lstm").term in opened["link_text"]
    app.selectbox(key="figure").set_value("none").run()
    assert drawn(app)["opened"] is None


def test_the_table_to_take_away_has_everything(ledger):
    frame = _table(tuple(ledger.values())).set_index("figure")
    assert len(frame) == len(FIGURES)
    row = frame.loc["RNN, 18 symbols: right answers"]
    ours = ledger["recall-rnn-18"].ours
    assert (row["theirs"], row["seeds"], row["verdict"]) == ("0.5769", 20, "holds")
    assert (row["lowest"], row["highest"]) == (ours.low, ours.high)
    assert frame.loc["Tokens of WikiText-2, in millions", "verdict"] == "not reproduced"
    assert visit(PAGE, **OPEN).get("download_button")


# Links ----------------------------------------------------------------------------------------

LINKS = {(figure.page, *sorted(figure.settings.items())): figure for figure in FIGURES}


@pytest.mark.parametrize("figure", LINKS.values(), ids=lambda figure: figure.name)
def test_a_link_opens_its_experiment_with_its_settings(figure):
    app = arrive(page_at(figure.page).path, **figure.settings)
    assert not app.exception
    assert [title.value for title in app.title] == [page_at(figure.page).title]
    assert not [warning.value for warning in app.warning]
    assert not [error.value for error in app.error]
    drawn_controls = app.session_state["lab_drawn"]
    for name, value in figure.settings.items():
        assert drawn_controls[name].values == (value,), name


def test_settings_that_a_page_does_not_offer_would_be_seen():
    assert arrive(page_at("clustering").path, data="irises").warning


# Damaged files --------------------------------------------------------------------------------


def test_a_damaged_file_is_named_once_and_the_other_rows_are_shown(monkeypatch, ledger):
    def damaged(*_):
        raise ResultError("translation.json must be JSON")

    monkeypatch.setattr(sources.TranslationResults, "load", damaged)
    app = visit(PAGE, **OPEN)
    (warning,) = [w.value for w in app.warning]
    assert "translation.json" in warning
    assert "4 of 78" in warning
    found = {row["name"]: row for row in rows(app)}
    assert {n for n, row in found.items() if row["kind"] == "not-readable"} == {
        name for name in ledger if name.startswith("bleu-")
    }
    assert found["recall-rnn-18"]["ours"] == ledger["recall-rnn-18"].shown
