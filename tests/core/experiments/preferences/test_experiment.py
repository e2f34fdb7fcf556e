"""Votes, the shipped results and a tuning as a run."""

from dataclasses import replace

import pytest
import torch

from lm_core.errors import ResultError, SettingError, TextError
from lm_core.experiments.preferences.experiment import preference_run
from lm_core.experiments.preferences.results import N_PAIRS, FinishedTuning, PreferenceResults
from lm_core.experiments.preferences.rules import DIALOGUE, RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, EXPERIMENT, RULE, WRITER, TuningConfig
from lm_core.experiments.preferences.study import NS, RUNS, evaluated_at
from lm_core.experiments.preferences.votes import (
    FOR_VOTES,
    agreement_with,
    checked_votes,
    judged,
    pairs_of,
    predicted,
    reward_model_of,
    rule_votes,
)
from lm_core.experiments.preferences.writing import read_beginning, write_on
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.low_rank import tuned_copy
from lm_core.training.checkpoints import load_checkpoint, load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

SHORT_RUN = TuningConfig(SHORT, steps=1, prompts=1, texts=2)


@pytest.fixture(scope="module")
def results():
    return PreferenceResults.load()


def test_votes_are_places_among_the_continuations():
    assert judged([(0, 1), (3, 0)]).preferred.tolist() == [1, 6]
    assert judged([(0, 1), (3, 0)]).rejected.tolist() == [0, 7]


@pytest.mark.parametrize("vote", [(N_PAIRS, 0), (-1, 0), (0, 2), (0,)])
def test_impossible_votes_are_refused(vote):
    with pytest.raises(SettingError, match="a vote must be"):
        checked_votes([vote])


def test_a_rule_is_learned_from_its_votes(results):
    votes = rule_votes(results, DIALOGUE)
    score = RULES[DIALOGUE].score
    for pair, side in votes:
        texts = results.pairs[pair].left, results.pairs[pair].right
        assert score(texts[side]) > score(texts[1 - side])
    assert max(pair for pair, _ in votes) < FOR_VOTES
    model = reward_model_of(results, votes)
    assert agreement_with(results, model, rule_votes(results, DIALOGUE, held_out=True)) > 0.75
    opposite = [(pair, 1 - side) for pair, side in votes]
    assert agreement_with(results, model, opposite) < 0.25
    right = predicted(results, votes[:30], every=5)
    assert len(right) == 29
    assert sum(right) > 18
    assert predicted(results, votes[:1]) == []


def test_the_shipped_texts_are_the_shipped_tokens(results):
    pairs = pairs_of(results, [(2, 1)])
    assert torch.equal(pairs.preferred[0], results.tokens[2, 1].long())
    assert torch.equal(pairs.rejected[0], results.tokens[2, 0].long())
    assert len(results.pairs) == N_PAIRS
    assert [run.config for run in results.tuned] == list(RUNS)


def test_a_tuning_is_read_for_its_own_settings_alone(results):
    own, other = results.tuned[:2]
    assert FinishedTuning({}, own).of(own.config) is own
    with pytest.raises(ResultError, match="other settings"):
        FinishedTuning({}, own).of(other.config)


def test_a_prepared_tuning_is_evaluated_until_its_end():
    assert evaluated_at(replace(SHORT_RUN, steps=30)) == (6, 8, 10, 12, 16, 22, 30)
    assert evaluated_at(SHORT_RUN) == (1,)


def test_both_continuations_of_a_pair_are_those_whose_tokens_are_kept(results):
    vocabulary = vocabulary_of(load_shipped(WRITER).meta)
    for pair, tokens in zip(results.pairs, results.tokens.tolist(), strict=True):
        written = [vocabulary.decode(ids) for ids in tokens]
        assert written == [pair.prompt + text for text in (pair.left, pair.right)]


def test_best_of_one_is_the_mean_of_the_writer(results):
    for measured in results.rules.values():
        for found in measured.best_of.values():
            assert [one.n for one in found] == list(NS)
            assert found[0].kl == 0.0
            assert found[0].reward == pytest.approx(0.0, abs=0.2)
        by_rule = [one.reward for one in measured.best_of[RULE]]
        assert by_rule == sorted(by_rule)


def test_a_run_is_carried_out_and_leaves_a_writer_of_its_own(tmp_path):
    votes = ((0, 1), (1, 0), (2, 0))
    config = preference_run(SHORT_RUN, votes)
    assert config.fingerprint() == preference_run(SHORT_RUN, votes).fingerprint()
    assert config.fingerprint() != preference_run(SHORT_RUN).fingerprint()
    run = RunFolder(tmp_path / "run")
    steps = list(train_here(run, config))
    assert [step.step for step in steps] == [1]
    checkpoint = load_checkpoint(run.checkpoint)
    assert checkpoint.meta.experiment == EXPERIMENT
    assert checkpoint.meta.recipe["votes"] == [list(vote) for vote in votes]


def test_runs_that_cannot_be_are_refused(tmp_path):
    paid_by_rule = preference_run(replace(SHORT_RUN, reward=RULE), ((0, 1),))
    with pytest.raises(SettingError, match="votes need the reward model"):
        list(train_here(RunFolder(tmp_path / "a"), paid_by_rule))
    config = preference_run(replace(SHORT_RUN, method=DPO))
    unknown = replace(config, training={**config.training, "speed": 1})
    with pytest.raises(SettingError, match="speed"):
        list(train_here(RunFolder(tmp_path / "b"), unknown))


def test_a_share_of_the_update_writes_between_the_two(results):
    writer = load_shipped(WRITER).model
    beginning = read_beginning("Pierre looked at")
    matrices = results.tuned[1].matrices
    texts = [write_on(tuned_copy(writer, matrices, share), beginning, 2, 1) for share in (0, 1)]
    assert texts[0] == write_on(writer, beginning, 2, 1)
    assert texts[1] != texts[0]


@pytest.mark.parametrize(
    ("text", "message"), [("  ", "is empty"), ("a" * 81, "at most 80"), ("Пьер", "does not know")]
)
def test_beginnings_that_cannot_be_read_are_refused(text, message):
    with pytest.raises(TextError, match=message):
        read_beginning(text)
