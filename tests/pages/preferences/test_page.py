"""The page on preferences: what waits for a guess, votes and rules as judges, hacking, samples, best of n, a run."""

import pytest
import streamlit as st

from lm_core.experiments.preferences.prompts import HELD_OUT
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import CALM, RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL, RULE
from lm_core.experiments.preferences.votes import rule_votes
from lm_core.generation.best_of_n import best_of_n_kl
from lm_core.jobs import jobs
from pages.preferences.class_votes import ClassVotes
from tests.pages.playing import put
from tests.pages.visits import alt, data, drawn_rows, guess, numbers, press, shows, text, visit

PAGE = "pages/preferences/page.py"
KL, REWARD_OF = "KL from the original model (nats per text)", "reward (standard deviations)"
REWARD, PAIRS, SAMPLES, BEST_OF, OWN = "Reward", "Pairs", "Samples", "Best of n", "Your run"


@pytest.fixture(scope="module")
def results():
    return PreferenceResults.load()


def run_of(results, rule, method, weight, reward=REWARD_MODEL):
    return next(
        run
        for run in results.tuned
        if (run.config.rule, run.config.method, run.config.kl_weight, run.config.reward)
        == (rule, method, weight, reward)
    )


# Reward and KL --------------------------------------------------------------------------------


def test_the_method_that_is_asked_about_waits_for_the_guess(results):
    app = visit(PAGE, part=REWARD)
    assert set(drawn_rows(app, "frontier").query("kind == 'line'")["name"]) == {
        "best of n",
        REINFORCE,
        DPO,
    }
    assert PPO not in set(data(app, "frontier")["line"])
    app = guess(app, "equal_kl", 0)
    rows = drawn_rows(app, "frontier")
    assert set(rows.query("kind == 'line'")["name"]) == {"best of n", PPO, REINFORCE, DPO}
    assert "guess" in set(rows["kind"])
    table = data(app, "frontier")
    points = run_of(results, SHORT, PPO, 0.3).points
    assert sorted(table.query("line == @PPO")[REWARD_OF]) == sorted(p.reward for p in points)
    best = table[table["line"] == "best of n"]
    assert best[KL].tolist() == pytest.approx([best_of_n_kl(2**i) for i in range(7)], abs=1e-3)


def test_another_rule_has_its_own_curves_and_formula(results):
    app = visit(PAGE, part=REWARD, rule=CALM, kl_weight="0")
    assert not app.radio
    table = data(app, "frontier")
    points = run_of(results, CALM, PPO, 0.0).points
    assert table.query("line == @PPO")[KL].max() == max(p.kl for p in points)
    assert any(RULES[CALM].latex in element.value for element in app.latex)


def test_a_link_with_what_is_not_there_keeps_the_page():
    app = visit(PAGE, part=REWARD, rule="wiser", kl_weight="7")
    assert len(app.warning) == 2
    assert app.selectbox(key="rule").value == SHORT


# Pairs ----------------------------------------------------------------------------------------


def test_votes_are_taken_undone_and_learned_from():
    app = visit(PAGE, part=PAIRS)
    first = [element.value for element in app.text][:2]
    app = press(app, "prefer_0")
    assert [element.value for element in app.text][:2] != first
    app = press(app, "undo_vote")
    assert [element.value for element in app.text][:2] == first
    for side in (0, 1, 0, 1):
        app = press(app, f"prefer_{side}")
    app = press(app, "prefer_none")
    assert not app.exception
    assert shows(app, "Pair", 6)
    assert shows(app, "predicted", 3)  # of 3 votes after the first
    app.selectbox(key="judge").set_value("Everybody here").run()
    assert shows(app, 1, "have voted")


def test_a_rule_judges_in_place_of_people(results):
    app = visit(PAGE, part=PAIRS, judge=CALM, comparisons="40")
    votes = rule_votes(results, CALM)[:40]
    assert shows(app, len(votes), "comparisons", len(rule_votes(results, CALM, held_out=True)))
    ring = drawn_rows(app, "accuracies").query("kind == 'ring'")
    assert ring["x"].tolist() == [40.0]
    assert 0.5 < float(ring["y"].iloc[0]) <= 1.0


def test_votes_of_one_visitor_are_kept_apart_and_bounded():
    votes = ClassVotes()
    votes.cast("a", 0, 1)
    votes.cast("a", 0, 0)  # the same pair again, from a button pressed twice
    votes.cast("a", 1, None)
    votes.cast("b", 0, 0)
    assert votes.of("a") == ((0, 1),)
    assert votes.of_all() == ((0, 1), (0, 0))
    assert (votes.next_pair("a"), votes.n_visitors()) == (2, 2)
    for i in range(300):
        votes.cast(f"visitor {i}", 0, 1)
    assert votes.n_visitors() == 200
    votes.clear()
    assert votes.of_all() == ()


# Hacking --------------------------------------------------------------------------------------


def test_the_page_opens_on_a_reward_that_waits_for_the_guess(results):
    app = visit(PAGE)
    last = run_of(results, SHORT, PPO, 0.0).points[-1]
    assert set(drawn_rows(app, "hacking_rewards").query("kind == 'line'")["name"]) == {"model"}
    assert f"{last.reward:.1f}" not in app.markdown[1].value
    app = guess(app, "hacked", 1)
    assert shows(
        app, pytest.approx(last.reward, abs=0.06), pytest.approx(last.model_reward, abs=0.06)
    )
    assert data(app, "hacking_rewards")["rule"].iloc[-1] == last.reward
    put(app, "hacking_step", 0)
    assert numbers(alt(app, "hacking_rewards"))[0] == 0


def test_what_the_distance_means_depends_on_it():
    far, near = (text(visit(PAGE, hacking_weight=weight)) for weight in ("0", "0.3"))
    assert "almost never write" in far
    assert "almost never write" not in near
    assert "times as probable to it as to the original model" in near


def test_the_rule_itself_may_pay(results):
    app = visit(PAGE, rewarded_by="rule")
    last = run_of(results, SHORT, PPO, 0.0, RULE).points[-1]
    assert shows(app, pytest.approx(last.reward, abs=0.06))


# Samples, best of n, own run ------------------------------------------------------------------


def test_samples_follow_the_step_and_the_update(results):
    app = visit(PAGE, part=SAMPLES, update="0")
    run = run_of(results, SHORT, PPO, min(w for w in (0.1, 0.3) if _has(results, w)))
    assert any(run.points[-1].texts[0][0] in element.value for element in app.text)
    written = [element.value for element in app.text][-6:]
    assert written[:3] == written[3:]  # none of the update: the same writer
    app.slider(key="update").set_value(100).run()
    written = [element.value for element in app.text][-6:]
    assert written[:3] != written[3:]
    app.text_input(key="beginning").set_value("**Пьер**").run()
    assert any("does not know" in message.value for message in app.error)


def _has(results, weight):
    return any(
        (r.config.rule, r.config.method, r.config.kl_weight) == (SHORT, PPO, weight)
        for r in results.tuned
    )


def test_the_best_of_n_is_ringed(results):
    app = visit(PAGE, part=BEST_OF, n="4")
    row = list(results.candidates).index(HELD_OUT[1])
    rewards = results.candidate_rewards[SHORT][row][:4]
    ring = drawn_rows(app, "candidates").query("kind == 'ring'")
    assert ring["x"].tolist() == pytest.approx([float(rewards.max())])
    assert len(data(app, "candidates")) == 4
    assert shows(app, "log", 4, round(best_of_n_kl(4), 2))


def test_a_run_is_asked_for_with_what_was_chosen(monkeypatch):
    asked = []

    def submit(config, *_, **__):
        asked.append(config)
        raise jobs.RunError("not today")

    monkeypatch.setattr(jobs, "submit", submit)
    monkeypatch.setattr(jobs, "expect_one", lambda: None)
    app = visit(PAGE, part=OWN, train_method=DPO, train_weight="0.1", train_batches="10")
    app = press(app, "preferences_train")
    assert asked[0].training["method"] == DPO
    assert (asked[0].training["kl_weight"], asked[0].training["steps"]) == (0.1, 10)
    assert any("not today" in message.value for message in app.error)
    app.select_slider(key="train_weight").set_value(0.0).run()
    assert app.button(key="preferences_train").disabled
    app.selectbox(key="train_goal").set_value("my votes").run()
    assert app.button(key="preferences_train").disabled
    st.cache_resource.clear()
