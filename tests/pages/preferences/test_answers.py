"""What the answers for teachers say of preferences, held to the prepared tunings and to reward models."""

import random
import re
from functools import cache
from statistics import mean
from types import SimpleNamespace

import pytest
import torch

from lm_core.experiments.preferences import votes as voting
from lm_core.experiments.preferences.evaluation import SEED
from lm_core.experiments.preferences.prompts import HELD_OUT, N_PROMPT, encode_prompts, texts_of
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import (
    AGITATED_WORDS,
    CALM,
    CALM_WORDS,
    DIALOGUE,
    RULES,
    SHORT,
    words_of,
)
from lm_core.experiments.preferences.settings import (
    DPO,
    LENGTH,
    PPO,
    REINFORCE,
    REWARD_MODEL,
    RULE,
    WRITER,
    TuningConfig,
)
from lm_core.experiments.preferences.tuning import Rewarding, Tuning
from lm_core.generation.best_of_n import best_of_n_kl
from lm_core.generation.rollouts import roll_out
from lm_core.models.low_rank import tuned_copy
from lm_core.rng import generator
from lm_core.training.policy_gradient import token_kl
from pages.preferences import reward_and_kl, scene
from pages.shared.models.language_models import model_named
from pages.shared.numbers import NARROW_SPACE, percent
from tests.pages.answering import assert_says

PAGE = "preferences"
RESULTS = PreferenceResults.load()
NOT_COMPUTED = {
    "Tune for your own votes": "a tuning of 20 s, made once by hand: PPO, β = 0.3, the votes of `women` below",
    "Which words does": "shares of spoken sentences, of the book, which is not shipped; counted once by hand",
    "REINFORCE and PPO": "the other seed, and PPO with one step on a batch: four tunings of 15 s, made once by"
    " hand; 141 against 8 nats, and 9 nats",
}


def says(beginning, *said):
    assert_says(PAGE, beginning, *(text.replace(NARROW_SPACE, " ") for text in said))


def run_of(rule, method, weight, reward=REWARD_MODEL):
    return scene.runs_of(RESULTS, rule, method, reward)[weight]


def end_of(rule, method, weight, reward=REWARD_MODEL):
    return run_of(rule, method, weight, reward).points[-1]


@cache
def written(rule, weight, share=1.0):
    """Return what PPO's model with a share of its update writes, scored: texts, their KL and reward."""
    original = model_named(WRITER).model
    model = tuned_copy(original, run_of(rule, PPO, weight).matrices, share)
    prompts = encode_prompts(HELD_OUT).repeat_interleave(4, 0)
    with torch.no_grad():
        rollouts = roll_out(model, prompts, LENGTH, generator(SEED))
        logits, before = (
            one(rollouts.tokens, one.initial_state(len(prompts)))[0][:, N_PROMPT - 1 : -1]
            for one in (model, original)
        )
    measured = RESULTS.rules[rule]
    rewarding = Rewarding(RULES[rule], measured.mean, measured.deviation)
    return SimpleNamespace(
        texts=texts_of(rollouts.written),
        kl=float(token_kl(logits, before).sum(-1).mean()),
        reward=float(rewarding.by_rule(rollouts.written).mean()),
    )


# Hacking --------------------------------------------------------------------------------------


def test_the_rules_reward_rises_faster_and_falls_when_no_word_is_left():
    points = run_of(SHORT, PPO, 0.0).points
    assert [p.model_reward for p in points] == sorted(p.model_reward for p in points)
    best, last = max(points, key=lambda p: p.reward), points[-1]
    assert best.reward > 2 * best.model_reward
    for beginning in ("Play from the left", "Choose β = 0.3"):
        says(beginning, f"{best.reward:.1f} after {best.step} batches", f"{last.reward:.1f}")
    says("Play from the left", f"to {last.model_reward:.1f}")
    texts = written(SHORT, 0.0).texts
    wordless = [text for text in texts if not words_of(text)]
    assert 0.4 < len(wordless) / len(texts) < 0.6
    assert not any(map(RULES[SHORT].score, wordless))


def test_a_penalty_keeps_both_rewards_together():
    last = end_of(SHORT, PPO, 0.3)
    said = f"{last.model_reward:.1f} by the model", f"{last.reward:.1f} by the rule"
    says("Choose β = 0.3", f"{last.kl:.1f} nats", f"{end_of(SHORT, PPO, 0.0).kl:.0f}", *said)


def test_the_rule_itself_is_earned_almost_wholly():
    measured = RESULTS.rules[SHORT]
    most = (1 - measured.mean) / measured.deviation
    says("Choose *rule* under", f"{end_of(SHORT, PPO, 0.0, RULE).reward:.1f}", f"{most:.1f}")


# Reward ---------------------------------------------------------------------------------------


def test_without_a_penalty_the_long_way_earns_nothing():
    ppo, reinforce = (end_of(SHORT, method, 0.0) for method in (PPO, REINFORCE))
    best = max(run_of(SHORT, PPO, 0.0).points, key=lambda p: p.reward)
    beginning = "Set β to 0"
    says(beginning, f"{ppo.kl:.0f} nats", f"{reinforce.kl:.0f}")
    says(beginning, f"PPO {ppo.reward:.1f}", f"REINFORCE {reinforce.reward:.1f}")
    says(beginning, f"{best.reward:.1f} at {best.kl:.0f} nats")


def scores(rule):
    return [[RULES[rule].score(text) for text in texts] for texts in RESULTS.candidates.values()]


def test_calm_is_hard_to_learn_but_there_are_calm_texts():
    beginning = "Choose *calmer*. Why"
    for rule in (CALM, DIALOGUE):
        says(beginning, percent(mean(RESULTS.rules[rule].accuracies[-1].accuracies)))
    assert len(CALM_WORDS | AGITATED_WORDS) == pytest.approx(60, abs=5)
    without = mean(score == 0 for row in scores(CALM) for score in row)
    assert without == pytest.approx(3 / 4, abs=0.03)
    by_rule, by_model = (RESULTS.rules[CALM].best_of[by][-1] for by in (RULE, REWARD_MODEL))
    most = max(run.points[-1].reward for run in RESULTS.tuned if run.config.rule == CALM)
    says(beginning, *(f"{reward:.1f}" for reward in (by_rule.reward, by_model.reward, most)))


def test_at_one_nat_no_training_is_clearly_ahead_of_best_of_n():
    assert best_of_n_kl(6) == pytest.approx(1, abs=0.05)
    at = {
        rule: {
            name: value
            for name in (scene.BEST_OF_N, PPO, DPO, REINFORCE)
            if (value := reward_and_kl._at(curves, name, 1.0))
        }
        for rule in RULES
        for curves in [reward_and_kl._curves(RESULTS, rule, 0.3)]
    }
    said = (f"{name} {value:.2f}" for name, value in at[SHORT].items() if name != scene.BEST_OF_N)
    says("At 1 nat", f"earns {at[SHORT][scene.BEST_OF_N]:.2f}", *said)
    assert all(max(found, key=found.__getitem__) == scene.BEST_OF_N for found in at.values())


# Pairs ----------------------------------------------------------------------------------------


def twenty_votes(taste):
    """Return the first votes that a taste decides; the others are skipped."""
    scored = [(i, taste(pair.left), taste(pair.right)) for i, pair in enumerate(RESULTS.pairs)]
    return [(i, int(right > left)) for i, left, right in scored if left != right][:20]


def predicted(votes):
    return voting.predicted(RESULTS, votes, every=5)


def women(text):
    return len(re.findall("she|her |natasha|sonya|princess|countess", text.lower()))


def test_a_taste_for_punctuation_is_found_in_twenty_votes_and_one_for_women_is_not():
    beginning = "Judge twenty pairs"
    marks, short, about = (
        predicted(twenty_votes(taste))
        for taste in (lambda text: text.count("!"), RULES[SHORT].score, women)
    )
    assert max(i for i, right in enumerate(short, 2) if not right) == 5
    said = f"{sum(marks)} of {len(marks)}", f"in {sum(short)}", f"{sum(about)} of {len(about)}"
    tossed = [
        sum(predicted([(i, coin.randrange(2)) for i in range(20)]))
        for coin in map(random.Random, range(10))
    ]
    says(beginning, *said, "last wrong guess at the fifth vote", f"{min(tossed)} to {max(tossed)}")


def test_five_comparisons_teach_dialogue_and_hardly_calm():
    for rule in RULES:
        shares = RESULTS.rules[rule].accuracies[0].accuracies
        says("Let the rules judge", percent(mean(shares)))
        if rule == SHORT:
            says("Let the rules judge", f"{percent(min(shares))} to {percent(max(shares))}")


def agreement(votes, rule):
    model = voting.reward_model_of(RESULTS, votes)
    unseen = voting.rule_votes(RESULTS, rule, held_out=True)
    return voting.agreement_with(RESULTS, model, unseen)


def test_votes_of_different_tastes_harm_each_other():
    dialogue, calm = (voting.rule_votes(RESULTS, rule)[:60] for rule in (DIALOGUE, CALM))
    assert len(calm) == pytest.approx(60, abs=2)
    opposite = [(pair, 1 - side) for pair, side in dialogue]
    assert agreement(dialogue + opposite, DIALOGUE) == 0.5
    twice = agreement(dialogue + opposite + dialogue, DIALOGUE)
    says("Let the class judge", percent(twice), percent(1 - twice))
    says("Let the class judge", percent(agreement(dialogue + calm, CALM)))


# Samples --------------------------------------------------------------------------------------


def count(texts, word):
    return sum(words_of(text).count(word) for text in texts)


def test_speech_comes_with_short_sentences_and_names_with_calm():
    before, after = written(SHORT, 0.1, 0.0).texts, written(SHORT, 0.1).texts
    said = count(after, "said") / count(before, "said")
    marks = sum(text.count('"') for text in after) / sum(text.count('"') for text in before)
    says("Which words does", f"{said:.0f} times as often", f"{marks:.0f} times")
    texts = written(CALM, 0.0).texts
    names = sum(count(texts, name) for name in ("prince", "anna"))
    assert names / sum(len(words_of(text)) for text in texts) == pytest.approx(1 / 3, abs=0.04)


def test_half_an_update_is_less_than_half_as_far():
    half, whole = (written(SHORT, 0.1, share) for share in (0.5, 1.0))
    beginning = "Write with 50 %"
    says(beginning, f"{half.kl:.1f} nats", f"whole one {whole.kl:.1f}")
    says(beginning, f"{half.reward:.1f} against {whole.reward:.1f}")
    freely = (written(SHORT, 0.0, share).kl for share in (0.5, 1.0))
    says(beginning, " against ".join(f"{kl:.0f}" for kl in freely))
    assert half.kl / whole.kl == pytest.approx(1 / 3, abs=0.05)


def test_ppo_is_nearer_at_equal_reward():
    for method in (PPO, DPO):
        points = run_of(SHORT, method, 0.1).points
        rising = points[: 1 + max(range(len(points)), key=lambda i: points[i].reward)]
        for reward in (2.0, 3.0):
            kl = scene.interpolated([(p.reward, p.kl) for p in rising], reward)
            says("Compare DPO and PPO", f"{kl:.1f}")


# Best of n ------------------------------------------------------------------------------------


def kept(rule, n):
    """Return the rule's rewards of the kept texts and of the best ones, one pair for a beginning."""
    measured, by_model = RESULTS.rules[rule], RESULTS.candidate_rewards[rule].tolist()
    return [
        tuple((score - measured.mean) / measured.deviation for score in (found, max(row[:n])))
        for row, rewards in zip(scores(rule), by_model, strict=True)
        for found in [row[max(range(n), key=rewards.__getitem__)]]
    ]


def test_with_more_texts_the_kept_one_is_less_often_the_best():
    beginning = "Raise n to 64"
    few, many = kept(SHORT, 4), kept(SHORT, 64)
    hits = [sum(found == best for found, best in pairs) for pairs in (few, many)]
    says(beginning, f"{hits[0]} of {len(few)}", f"after {hits[1]}")
    says(beginning, *(f"{mean(values):.1f}" for values in zip(*many, strict=True)))
    gaps = [mean(best - found for found, best in pairs) for pairs in (few, many)]
    assert gaps[0] < gaps[1]


def test_a_text_kept_for_calm_seldom_scores():
    none = -RESULTS.rules[CALM].mean / RESULTS.rules[CALM].deviation
    scored = [sum(found != none for found, _ in kept(CALM, n)) for n in (16, 64)]
    says("Choose *calmer*: how", f"{scored[0]} of 22", f"after {scored[1]}")


# Your run -------------------------------------------------------------------------------------


def test_without_a_penalty_ppo_moves_farther_and_with_one_both_stay():
    ends = [f"{end_of(SHORT, method, 0.0).kl:.0f}" for method in (PPO, REINFORCE)]
    says("REINFORCE and PPO", f"{ends[0]} nats against {ends[1]}")
    assert 2 < max(end_of(SHORT, method, 0.3).kl for method in (PPO, REINFORCE)) < 3


@pytest.mark.slow  # a tuning of 60 batches
def test_reinforce_goes_as_far_with_twice_the_batches():
    measured = RESULTS.rules[SHORT]
    rewarding = Rewarding(RULES[SHORT], measured.mean, measured.deviation, measured.model)
    config = TuningConfig(SHORT, REINFORCE, kl_weight=0.0, steps=60)
    *_, last = Tuning(model_named(WRITER).model, config, rewarding)
    assert last.kl == pytest.approx(250, abs=20)  # of one batch
    says("REINFORCE and PPO", f"{config.steps} batches", "about 250")
