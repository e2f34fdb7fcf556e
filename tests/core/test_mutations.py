"""The suite must notice when the maths is broken: each mutation has to turn its tests red.

Opt-in (``pytest -m mutation``): every case copies the package and runs a part of the suite anew.
``LM_LAB_MUTANTS=5`` draws so many of the list at random and leaves the unbroken copies out.
"""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Mutation(NamedTuple):
    file: str
    before: str
    after: str
    tests: str


MUTATIONS = [
    Mutation(
        "jobs/metrics_log.py",
        "if row.get(having) is not None)",
        "if row.get(having) is None)",
        "jobs/test_metrics_log.py",
    ),
    Mutation(
        "jobs/run_folder.py",
        'having="validation_loss"',
        'having="loss"',
        "jobs/test_run.py",
    ),
    Mutation(
        "text/tokenizers/gpt.py",
        "if self[self._places[i]] == symbol:",
        "if self._places[i] >= 0:",
        "text/tokenizers/test_gpt.py",
    ),
    Mutation(
        "classroom/rooms.py",
        "if asked.is_revealed:",
        "if not asked:",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/queries.py",
        "is_outdated & (since <= now - _CONFIRMED_S)",
        "is_outdated",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/queries.py",
        "since.is_(None) | (since > now)",
        "since.is_(None)",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/rooms.py",
        "return _hash(code, visitor)[:32]",
        "return visitor[:32]",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/queries.py",
        "where=ANSWERS.c.change_count < MOST_CHANGES",
        "where=ANSWERS.c.change_count <= MOST_CHANGES",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/queries.py",
        "is_student = MEMBERS.c.is_presenter.is_(False) & MEMBERS",
        "is_student = MEMBERS",
        "classroom/test_rooms.py",
    ),
    Mutation(
        "classroom/database.py",
        '"BEGIN IMMEDIATE" if writes else "BEGIN"',
        '"BEGIN"',
        "classroom/test_database.py",
    ),
    Mutation(
        "classroom/database.py",
        '"foreign_keys = ON"',
        '"foreign_keys = OFF"',
        "classroom/test_database.py",
    ),
    Mutation(
        "classroom/migrations/versions/0001_rooms.py",
        '        sa.Column("leader", sa.String(32)),\n',
        "",
        "classroom/test_database.py",
    ),
    Mutation(
        "classroom/summaries.py",
        "min(N_BINS - 1, int((number - question.lowest) / width))",
        "int((number - question.lowest) / width)",
        "classroom/test_questions.py",
    ),
    Mutation(
        "classroom/questions.py",
        "return rounded if question.lowest <= float(rounded) <= question.highest else repr(number)",
        "return rounded",
        "classroom/test_questions.py",
    ),
    Mutation(
        "classroom/names.py",
        "{look_of(alias) for alias in taken}",
        "set(taken)",
        "classroom/test_names.py",
    ),
    Mutation(
        "classroom/states.py",
        "self._kept.pop(code, None)",
        "pass",
        "classroom/test_states.py",
    ),
    Mutation(
        "models/task_heads.py",
        "is_separator.cumsum(1) == 1",
        "is_separator.cumsum(1) >= 1",
        "models/test_task_heads.py",
    ),
    Mutation(
        "models/task_heads.py",
        "inside = torch.arange(tokens.shape[1]) < lengths[:, None]",
        "inside = torch.arange(tokens.shape[1]) <= lengths[:, None]",
        "models/test_task_heads.py",
    ),
    Mutation(
        "experiments/fine_tuning/training.py",
        "requires_grad_(config.method != FROZEN)",
        "requires_grad_(True)",
        "experiments/fine_tuning/test_training.py",
    ),
    Mutation(
        "experiments/fine_tuning/labelled_texts.py",
        "tokens += [*text, config.separator_id]",
        "tokens += text",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/auxiliary_loss.py",
        "class_loss + self._weight * predicted",
        "class_loss + predicted",
        "experiments/fine_tuning/test_auxiliary_loss.py",
    ),
    Mutation(
        "experiments/fine_tuning/prose.py",
        "if len(ids) >= shortest:",
        "if ids:",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/authors.py",
        "targets += [author] * len(chosen)",
        "targets += [0] * len(chosen)",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/next_sentences.py",
        "targets.append(follows)",
        "targets.append(1 - follows)",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/tags.py",
        "tags += [tag, *[NOT_ASKED] * (len(ids) - 1)]",
        "tags += [tag] * len(ids)",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/speakers.py",
        "len(set(told)) > 1",
        "told",
        "experiments/fine_tuning/test_tasks.py",
    ),
    Mutation(
        "experiments/fine_tuning/study.py",
        "task.training.take(compared)",
        "task.test",
        "experiments/fine_tuning/test_study.py",
    ),
    Mutation(
        "experiments/fine_tuning/tables.py",
        "for column in (4, 5)",
        "for column in (5, 4)",
        "experiments/fine_tuning/test_study.py",
    ),
    Mutation(
        "experiments/fine_tuning/results.py",
        "weight.copy_(adapter.weights[name])",
        "pass",
        "experiments/fine_tuning/test_study.py",
    ),
    Mutation(
        "experiments/fine_tuning/asking.py",
        "logits[1:][asked.places]",
        "logits[asked.places]",
        "experiments/fine_tuning/test_asking.py",
    ),
    Mutation(
        "experiments/fine_tuning/learning_curves.py",
        "before.at * (after.at / before.at) ** share",
        "before.at + (after.at - before.at) * share",
        "experiments/fine_tuning/test_learning_curves.py",
    ),
    Mutation(
        "experiments/fine_tuning/own_labels.py",
        "key=lambda sentence: abs(probabilities[sentence] - 0.5)",
        "key=lambda sentence: probabilities[sentence]",
        "experiments/fine_tuning/test_own_labels.py",
    ),
    Mutation(
        "experiments/fine_tuning/own_tuning.py",
        "self._others)[:, 1]",
        "self._others)[:, 0]",
        "experiments/fine_tuning/test_own_labels.py",
    ),
    Mutation(
        "experiments/fine_tuning/experiment.py",
        "corpus_sha256=hashlib.sha256(labels.to_text().encode()).hexdigest()",
        "corpus_sha256=hashlib.sha256(labels.labelled[0].encode()).hexdigest()",
        "experiments/fine_tuning/test_own_labels.py",
    ),
    Mutation(
        "experiments/published_figures/record.py",
        "n_as_low = sum(value <= theirs + half for value in ours.values)",
        "n_as_low = sum(value <= theirs for value in ours.values)",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/ledger.py",
        "value / theirs - 1.0",
        "value - theirs",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/sources.py",
        'RecallResults.load().points("original")',
        'RecallResults.load().points("clipped")',
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/recurrent_networks.py",
        "accuracy >= theirs - 5e-5",
        "accuracy <= theirs - 5e-5",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/clustering.py",
        "key=lambda restart: restart.em_errors",
        "key=lambda restart: restart.em_loss",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/words.py",
        'centre if embedding == "input"',
        'centre if embedding != "input"',
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/language_models.py",
        "sources.n_grams_of_names(4)",
        "sources.n_grams_of_names(3)",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/attention.py",
        "(min(scores), max(scores)) if len(scores) > 1",
        "(min(scores), max(scores)) if len(scores) > 0",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/war_and_peace.py",
        "Ours(meta.parameter_count,",
        "Ours(meta.parameter_count - 1,",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/equalities.py",
        "largest = max(differences)",
        "largest = min(differences)",
        "experiments/published_figures/test_ledger.py",
    ),
    Mutation(
        "experiments/published_figures/repetitions.py",
        "outputs.flip(0) if is_equivariant",
        "outputs if is_equivariant",
        "experiments/published_figures/test_repetitions.py",
    ),
    Mutation(
        "experiments/published_figures/results.py",
        "and self.counting and self.iris)",
        "and self.counting)",
        "experiments/published_figures/test_repetitions.py",
    ),
    Mutation(
        "models/low_rank.py",
        "matrix += share * product",
        "matrix += product",
        "models/test_low_rank.py",
    ),
    Mutation(
        "models/reward_model.py",
        "hidden[:, n_prompt:].mean(1)",
        "hidden.mean(1)",
        "models/test_reward_model.py",
    ),
    Mutation(
        "training/policy_gradient.py",
        "torch.minimum(ratio * advantage, clipped * advantage)",
        "(clipped * advantage)",
        "training/test_policy_gradient.py",
    ),
    Mutation(
        "training/preference_losses.py",
        "gradient = -(1.0 - p) @ differences",
        "gradient = -p @ differences",
        "training/test_preference_losses.py",
    ),
    Mutation(
        "generation/rollouts.py",
        "surprises.append(log_p.gather(-1, drawn))",
        "surprises.append(log_p.amax(-1, keepdim=True))",
        "generation/test_rollouts.py",
    ),
    Mutation(
        "generation/best_of_n.py",
        "math.comb(k, n - 1) / ways",
        "math.comb(k + 1, n - 1) / ways",
        "generation/test_best_of_n.py",
    ),
    Mutation(
        "experiments/preferences/rules.py",
        'agitated = sum(word in AGITATED_WORDS for word in words) + text.count("!")',
        "agitated = sum(word in AGITATED_WORDS for word in words)",
        "experiments/preferences/test_rules.py",
    ),
    Mutation(
        "experiments/preferences/prompts.py",
        "if text not in HELD_OUT",
        "if text",
        "experiments/preferences/test_rules.py",
    ),
    Mutation(
        "experiments/preferences/comparisons.py",
        "pairs = pairs[of_pairs[:, 0] != of_pairs[:, 1]]",
        "pairs = pairs[of_pairs[:, 0] >= of_pairs[:, 1]]",
        "experiments/preferences/test_tuning.py",
    ),
    Mutation(
        "experiments/preferences/tuning.py",
        "penalised_rewards(rewards, log_policy, log_reference, config.kl_weight)",
        "penalised_rewards(rewards, log_policy, log_reference, 0.0)",
        "experiments/preferences/test_tuning.py",
    ),
    Mutation(
        "experiments/preferences/evaluation.py",
        "policy_logits[:, of_tokens], logits[:, of_tokens]",
        "policy_logits[:, of_tokens], logits[:, of_tokens] * 0.5",
        "experiments/preferences/test_tuning.py",
    ),
    Mutation(
        "experiments/preferences/settings.py",
        "if self.texts < 2",
        "if self.texts < 1",
        "experiments/preferences/test_tuning.py",
    ),
    Mutation(
        "experiments/preferences/votes.py",
        "preferred = 2 * pairs[:, 0] + pairs[:, 1]",
        "preferred = 2 * pairs[:, 0] + 1 - pairs[:, 1]",
        "experiments/preferences/test_experiment.py",
    ),
    Mutation(
        "experiments/preferences/results.py",
        "run.config != config",
        "run.config == config",
        "experiments/preferences/test_experiment.py",
    ),
    Mutation(
        "experiments/preferences/study.py",
        "max(1, round(config.steps * share))",
        "max(2, round(config.steps * share))",
        "experiments/preferences/test_experiment.py",
    ),
    Mutation(
        "experiments/preferences/writing.py",
        "merge(model, matrices, share)",
        "merge(model, matrices)",
        "experiments/preferences/test_experiment.py",
    ),
    Mutation(
        "experiments/preferences/experiment.py",
        "if votes and settings.reward == RULE",
        "if not votes and settings.reward == RULE",
        "experiments/preferences/test_experiment.py",
    ),
    Mutation(
        "models/reservoir.py",
        "new += (1.0 - leak) * now",
        "new += leak * now",
        "models/test_reservoir.py",
    ),
    Mutation(
        "models/ridge.py",
        "penalised[-1, -1] = self.n_rows",
        "penalised[-1, -1] = self.n_rows + penalty",
        "models/test_reservoir.py",
    ),
    Mutation(
        "models/reservoir_language_model.py",
        "one_hot[text[start + 1 : stop + 1]",
        "one_hot[text[start:stop]",
        "models/test_reservoir.py",
    ),
    Mutation(
        "experiments/reservoir_computing/series.py",
        "middle = (old + new) / 2 + h",
        "middle = (old + new) / 2 - h",
        "experiments/reservoir_computing/test_tasks.py",
    ),
    Mutation(
        "experiments/reservoir_computing/memory.py",
        "windows[self.start - self.delays : -1, ::-1]",
        "windows[self.start - self.delays : -1]",
        "experiments/reservoir_computing/test_tasks.py",
    ),
    Mutation(
        "experiments/reservoir_computing/echo.py",
        "self.states[:, 0] - self.states[:, 1]",
        "self.states[:, 0] - self.states[:, 0]",
        "experiments/reservoir_computing/test_tasks.py",
    ),
    Mutation(
        "experiments/reservoir_computing/rnn.py",
        "cell.bias_ih + cell.bias_hh",
        "cell.bias_ih - cell.bias_hh",
        "experiments/reservoir_computing/test_study.py",
    ),
    Mutation(
        "experiments/reservoir_computing/study.py",
        "errors[HORIZON - 1]",
        "errors[0]",
        "experiments/reservoir_computing/test_study.py",
    ),
    Mutation(
        "experiments/reservoir_computing/letters.py",
        "part.astype(np.float32).astype(float)",
        "part",
        "experiments/reservoir_computing/test_study.py",
    ),
    Mutation(
        "experiments/reservoir_computing/results.py",
        "Readout(rows[:-1], rows[-1])",
        "Readout(rows[1:], rows[-1])",
        "experiments/reservoir_computing/test_study.py",
    ),
    Mutation(
        "experiments/reservoir_computing/command.py",
        "(p.task, p.kind, p.seed) == (LETTERS, SPARSE, 1)",
        "p.task == LETTERS",
        "experiments/reservoir_computing/test_study.py",
    ),
    Mutation(
        "training/early_stopping.py",
        "elif i - best >= patience",
        "elif i - best > patience",
        "training/test_early_stopping.py",
    ),
    Mutation(
        "models/feed_forward.py",
        "delta = delta * trace.masks[place - 1]",
        "delta = delta * trace.masks[0]",
        "models/test_feed_forward.py",
    ),
    Mutation(
        "experiments/overfitting/points.py",
        "dtype=torch.float64) < label_noise",
        "dtype=torch.float64) < 2.0 * label_noise",
        "experiments/overfitting/test_training.py",
    ),
    Mutation(
        "experiments/overfitting/training.py",
        "0.5 * weight_decay * squares",
        "weight_decay * squares",
        "experiments/overfitting/test_training.py",
    ),
    Mutation(
        "experiments/overfitting/double_descent.py",
        "values / (values.square() + weight_decay)",
        "values / (values + weight_decay)",
        "experiments/overfitting/test_double_descent.py",
    ),
    Mutation(
        "experiments/overfitting/machines.py",
        "total / len(sizes) if how",
        "total / sum(sizes) if how",
        "experiments/overfitting/test_machines.py",
    ),
    Mutation(
        "experiments/overfitting/speed_up.py",
        "1.0 / machines)",
        "1.0)",
        "experiments/overfitting/test_machines.py",
    ),
    Mutation(
        "experiments/overfitting/study.py",
        "validation_points(seed=SEED)",
        "validation_points()",
        "experiments/overfitting/test_study.py",
    ),
    Mutation(
        "experiments/overfitting/book.py",
        ".cumprod(1).sum(1)",
        ".sum(1)",
        "experiments/overfitting/test_study.py",
    ),
    Mutation(
        "results.py",
        "if name == value or name not in (info.context or {})",
        "if name == value",
        "test_results.py",
    ),
    Mutation(
        "models/deep_network.py",
        "return (gradient - shift - normalised * stretch) / deviation",
        "return (gradient - shift + normalised * stretch) / deviation",
        "models/test_deep_network.py",
    ),
    Mutation(
        "models/autodiff.py",
        "adjoints[a] += amount",
        "adjoints[a] = amount",
        "models/test_autodiff.py",
    ),
    Mutation(
        "models/elementary_operations.py",
        "(-math.sin(a),)",
        "(math.sin(a),)",
        "models/test_autodiff.py",
    ),
    Mutation(
        "analysis/signal_propagation.py",
        "factors.append(1.0 + gain * read.slope)",
        "factors.append(gain * read.slope)",
        "analysis/test_signal_propagation.py",
    ),
    Mutation(
        "experiments/gradients/expressions.py",
        "left = self._apply(sign, left, self._signed())",
        "left = self._apply(sign, self._signed(), left)",
        "experiments/gradients/test_expressions.py",
    ),
    Mutation(
        "experiments/gradients/recurrence.py",
        "product = product @ step",
        "product = step @ product",
        "experiments/gradients/test_recurrence.py",
    ),
    Mutation(
        "experiments/gradients/cliff.py",
        "(state.sigmoid() - TARGET)",
        "(state - TARGET)",
        "experiments/gradients/test_cliff.py",
    ),
    Mutation(
        "experiments/gradients/normalisation.py",
        "(1.0 - MOMENTUM) * variances[-1] + MOMENTUM * variance",
        "MOMENTUM * variances[-1] + MOMENTUM * variance",
        "experiments/gradients/test_normalisation.py",
    ),
    Mutation(
        "experiments/gradients/study.py",
        "(r.layers, r.batch_size) == (layers, batch_size)",
        "r.layers == layers",
        "experiments/gradients/test_normalisation.py",
    ),
    Mutation(
        "models/gpt2.py",
        'take(f"h.{i}.{theirs}.weight").T',
        'take(f"h.{i}.{theirs}.weight").T.flip(0)',
        "training/test_pretrained.py",
    ),
    Mutation(
        "training/pretrained.py",
        "    model.tie()\n",
        "",
        "training/test_pretrained.py",
    ),
    Mutation(
        "text/pretrained_folder.py",
        "if Path(name).name == name",
        "",
        "training/test_pretrained.py",
    ),
    Mutation(
        "text/pretrained_vocabulary.py",
        "byte & 0xC0 != 0x80",
        "byte != 0x80",
        "training/test_pretrained.py",
    ),
    Mutation(
        "analysis/prompting.py",
        "(logs * is_token).sum(1)",
        "logs.sum(1)",
        "analysis/test_prompting.py",
    ),
    Mutation(
        "experiments/assistant/tasks.py",
        "shown[1:] + shown[:1]",
        "shown",
        "experiments/assistant/test_assistant.py",
    ),
    Mutation(
        "experiments/assistant/study.py",
        "r.chosen != 0 and",
        "",
        "experiments/assistant/test_assistant.py",
    ),
    Mutation(
        "experiments/assistant/tuning.py",
        "np.ones(len(answer), bool)",
        "np.zeros(len(answer), bool)",
        "experiments/assistant/test_assistant.py",
    ),
    Mutation(
        "experiments/assistant/templates.py",
        "len(self.base.symbols) + self.added",
        "self.added",
        "experiments/assistant/test_assistant.py",
    ),
    Mutation(
        "experiments/assistant/results.py",
        "key=lambda cell: cell.shots",
        "key=lambda cell: -cell.shots",
        "experiments/assistant/test_assistant.py",
    ),
    Mutation(
        "models/convolution.py",
        "laid = weights.flip(-2, -1) if is_flipped else weights",
        "laid = weights if is_flipped else weights.flip(-2, -1)",
        "models/test_convolution.py",
    ),
    Mutation(
        "models/image_networks.py",
        "window = self.config.side // 2 if",
        "window = 1 if",
        "models/test_image_networks.py",
    ),
    Mutation(
        "models/character_cnn.py",
        "filters, bias, dilation=dilation)",
        "filters, bias)",
        "models/test_character_cnn.py",
    ),
    Mutation(
        "experiments/convolution/digits.py",
        "order[TEST_DIGITS:], order[:TEST_DIGITS]",
        "order[TEST_DIGITS:], order[-TEST_DIGITS:]",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "experiments/convolution/training.py",
        "on_canvas(digits.images, r, c)",
        "on_canvas(digits.images, c, r)",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "experiments/convolution/study.py",
        "gap + name + END",
        "gap + name",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "experiments/convolution/results.py",
        "s.network, s.places) == (network, places)",
        "s.network, s.network) == (network, network)",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "experiments/convolution/examples.py",
        "float(levels.index(cell))",
        "float(cell != levels[0])",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "experiments/convolution/command.py",
        "networks.setdefault((name, places), network)",
        "networks.setdefault((name, PLACES[0]), network)",
        "experiments/convolution/test_convolution_study.py",
    ),
    Mutation(
        "training/update_rules.py",
        "return decay * before + (1.0 - decay) * new",
        "return decay * before + decay * new",
        "training/test_update_rules.py",
    ),
    Mutation(
        "experiments/optimisers/landscapes.py",
        "- 0.5 * y.square() + 0.25",
        "+ 0.5 * y.square() + 0.25",
        "experiments/optimisers/test_descent.py",
    ),
    Mutation(
        "experiments/optimisers/descent.py",
        "return 2.0 / float",
        "return 1.0 / float",
        "experiments/optimisers/test_descent.py",
    ),
    Mutation(
        "experiments/optimisers/study.py",
        "torch.arange(-n, 0)",
        "torch.arange(1 - n, 1)",
        "experiments/optimisers/test_study.py",
    ),
    Mutation(
        "models/perceptron.py",
        "w + error * x for",
        "w - error * x for",
        "models/test_perceptron.py",
    ),
    Mutation(
        "models/activations.py",
        "return s + a * s * (1.0 - s)",
        "return s + s * (1.0 - s)",
        "models/test_activations.py",
    ),
    Mutation(
        "models/feed_forward.py",
        "(delta @ layers[place].weights.mT) *",
        "(delta @ layers[place].weights.mT) +",
        "models/test_feed_forward.py",
    ),
    Mutation(
        "experiments/perceptron/training.py",
        "(trace.logits >= 0)",
        "(trace.logits < 0)",
        "experiments/perceptron/test_perceptron.py",
    ),
    Mutation(
        "experiments/perceptron/tasks.py",
        "turn + math.pi * class_",
        "turn + 0.0 * class_",
        "experiments/perceptron/test_perceptron.py",
    ),
    Mutation(
        "experiments/perceptron/study.py",
        "n_right < len(points.targets)",
        "n_right <= len(points.targets)",
        "experiments/perceptron/test_perceptron.py",
    ),
    Mutation(
        "models/tagger.py",
        "torch.cat([from_start, reversed_rows(from_end, lengths)], -1)",
        "torch.cat([from_start, from_end], -1)",
        "models/test_tagger.py",
    ),
    Mutation(
        "experiments/part_of_speech_tagging/training.py",
        "strength / (strength + counts)",
        "counts / (strength + counts)",
        "experiments/part_of_speech_tagging/test_training.py",
    ),
    Mutation(
        "models/ngram_counts.py",
        "reliance * own + (1 - reliance) * probability",
        "reliance * own + probability",
        "models/test_ngram_counts.py",
    ),
    Mutation(
        "models/ngram_counts.py",
        "share = share - taken",
        "share = share + taken",
        "models/test_ngram_counts.py",
    ),
    Mutation(
        "models/ngram_network.py",
        "end - tokens.shape[1] : end",
        "end - tokens.shape[1] - 1 : end - 1",
        "models/test_ngram_network.py",
    ),
    Mutation(
        "experiments/n_grams/training.py",
        "raised / raised.sum(1, keepdims=True)",
        "raised / raised.sum()",
        "experiments/n_grams/test_training.py",
    ),
    Mutation(
        "training/evaluation.py",
        "1)[places - context]",
        "1)[places - context - 1]",
        "training/test_evaluation.py",
    ),
    Mutation(
        "experiments/model_ladder/command.py",
        "np.searchsorted(starts, starts[predicted] - context)",
        "np.searchsorted(starts, starts[predicted] - context, side='right')",
        "experiments/model_ladder/test_command.py",
    ),
    Mutation(
        "experiments/neural_language_model/words.py",
        "score(ours - counted[-1], _BLOCK)",
        "score(counted[-1] - ours, _BLOCK)",
        "experiments/neural_language_model/test_words.py",
    ),
    Mutation(
        "models/recurrent_language_model.py",
        "parameter.split(self.config.hidden_size)",
        "parameter.chunk(1)",
        "models/test_recurrent_language_model.py",
    ),
    Mutation(
        "experiments/model_ladder/results.py",
        "pairs[:, 0] - pairs[:, 1]",
        "pairs[:, 0] + pairs[:, 1]",
        "experiments/model_ladder/test_results.py",
    ),
    Mutation(
        "analysis/places_in_words.py",
        "in_word & ~np",
        "in_word & np",
        "analysis/test_places_in_words.py",
    ),
    Mutation(
        "analysis/guessing_game.py",
        "shares[:-1] - shares[1:]",
        "shares[1:] - shares[:-1]",
        "analysis/test_guessing_game.py",
    ),
    Mutation(
        "models/recurrent_language_model.py",
        "self.config.hidden_size] += 1.0",
        "self.config.hidden_size] -= 1.0",
        "models/test_recurrent_language_model.py",
    ),
    Mutation(
        "models/recurrent_language_model.py",
        "/ (1.0 - rate)",
        "/ (1.0 + rate)",
        "models/test_recurrent_language_model.py",
    ),
    Mutation(
        "models/recurrent_language_model.py",
        "tuple(tensor.transpose(0, 1) for tensor in end)",
        "tuple(tensor.transpose(0, 1) for tensor in end[::-1])",
        "models/test_recurrent_language_model.py",
    ),
    Mutation(
        "training/batching.py",
        "self._positions[start + 1 : stop + 1].T",
        "self._positions[start:stop].T",
        "training/test_loop.py",
    ),
    Mutation(
        "training/optimizers.py",
        "0.5 * (1.0 + math.cos",
        "0.5 * (1.0 - math.cos",
        "training/test_loop.py",
    ),
    Mutation(
        "training/language_modelling.py",
        "if self._holds_out else len(",
        "if not self._holds_out else len(",
        "training/test_loop.py",
    ),
    Mutation(
        "training/language_modelling.py",
        "tuple(tensor.detach() for tensor in state)",
        "self._state",
        "training/test_loop.py",
    ),
    Mutation(
        "training/evaluation.py",
        "tokens[start + 1 : stop + 1]",
        "tokens[start:stop]",
        "training/test_evaluation.py",
    ),
    Mutation(
        "training/evaluation.py",
        "logits, state = model(tokens[None",
        "logits, _ = model(tokens[None",
        "training/test_evaluation.py",
    ),
    Mutation(
        "training/evaluation.py",
        "math.log1p(-weight) - second",
        "math.log1p(weight) - second",
        "training/test_evaluation.py",
    ),
    Mutation(
        "generation/logit_transforms.py",
        "logits / temperature",
        "logits * temperature",
        "generation/test_logit_transforms.py",
    ),
    Mutation(
        "training/checkpoints.py", "strict=True", "strict=False", "training/test_checkpoints.py"
    ),
    Mutation(
        "training/checkpoints.py",
        "if digest != meta.weights_sha256",
        "if digest == meta.weights_sha256",
        "training/test_checkpoints.py",
    ),
    Mutation(
        "training/batching.py",
        'tuple(saved["pass"]), saved["position"]',
        'tuple(saved["pass"]), 0',
        "training/test_loop.py",
    ),
    Mutation(
        "training/loop.py",
        "if not (math.isfinite(loss) and math.isfinite(norm))",
        "if False",
        "jobs/test_run.py",
    ),
    Mutation(
        "jobs/resume.py", "_LONGEST_S = 1.0, 7.0", "_LONGEST_S = 1.0, 12.0", "jobs/test_resume.py"
    ),
    Mutation("jobs/locks.py", "fcntl.LOCK_EX |", "fcntl.LOCK_SH |", "jobs/test_locks.py"),
    Mutation(
        "jobs/store.py",
        "(pair[1].turn, pair[1].ticket)",
        "(pair[1].turn, -pair[1].ticket)",
        "jobs/test_jobs.py",
    ),
    Mutation(
        "jobs/queue.py",
        "status.crashes + (asked is not Marker.REQUEUE)",
        "status.crashes",
        "jobs/test_jobs.py",
    ),
    Mutation(
        "jobs/metrics_log.py",
        "self._file.truncate(_whole_lines(self._file.read()))",
        "pass",
        "jobs/test_metrics_log.py",
    ),
    Mutation(
        "models/attention.py", "distance < window", "distance <= window", "models/test_attention.py"
    ),
    Mutation(
        "models/attention.py",
        "masked_fill(nothing, 0.0)",
        "masked_fill(nothing, 1.0)",
        "models/test_attention.py",
    ),
    Mutation(
        "models/positional_encoding/relative.py",
        "cap = per_direction - 1",
        "cap = n_buckets - 1",
        "models/test_positional_encoding.py",
    ),
    Mutation(
        "models/transformer.py",
        "behind < config.context",
        "behind <= config.context",
        "models/test_transformer.py",
    ),
    Mutation(
        "models/transformer.py",
        "min(n_keys, config.context - 1)",
        "n_keys",
        "models/test_transformer.py",
    ),
    Mutation(
        "models/transformer.py",
        "tensor.shape[1] - n_kept",
        "tensor.shape[1] - n_kept + 1",
        "models/test_transformer.py",
    ),
    Mutation(
        "models/transformer_blocks.py",
        'norm(layer_norm, x) if self.config.norm == "pre" else x',
        "x",
        "models/test_transformer.py",
    ),
    Mutation(
        "models/multi_head_attention.py",
        "torch.cat([past[0], keys], 1)",
        "torch.cat([keys, past[0]], 1)",
        "models/test_attention.py",
    ),
    Mutation(
        "models/multi_head_attention.py",
        "table[-queries.shape[-2] :]",
        "table[: queries.shape[-2]]",
        "models/test_transformer.py",
    ),
    Mutation(
        "analysis/attention_trace.py",
        "* shares[:, None, None]",
        "",
        "analysis/test_attention_trace.py",
    ),
    Mutation(
        "analysis/attention_trace.py",
        "squares - 2.0 * cubes",
        "squares + 2.0 * cubes",
        "analysis/test_attention_trace.py",
    ),
    Mutation(
        "analysis/head_ablation.py",
        "heads=wanted.heads | {(i, head)}",
        "heads=frozenset({(i, head)})",
        "analysis/test_head_ablation.py",
    ),
    Mutation(
        "analysis/head_patterns.py",
        "range(-1, len(symbols) - 1)",
        "range(-2, len(symbols) - 2)",
        "analysis/test_head_patterns.py",
    ),
    Mutation(
        "analysis/unit_activations.py",
        'h = parts["o"] * torch.tanh(c)',
        "h = torch.tanh(c)",
        "analysis/test_unit_activations.py",
    ),
    Mutation(
        "analysis/unit_search.py",
        "activations[split:, best], target[split:]",
        "activations[:split, best], target[:split]",
        "analysis/test_unit_search.py",
    ),
    Mutation(
        "analysis/connectivity.py",
        "falls.append(whole - logits",
        "falls.append(whole + logits",
        "analysis/test_connectivity.py",
    ),
    Mutation(
        "analysis/surprisal.py",
        "logits, state = model(",
        "logits, _ = model(",
        "analysis/test_surprisal.py",
    ),
    Mutation(
        "analysis/translation_support.py",
        "[START, *target[:-1]]",
        "[START, *target[1:]]",
        "analysis/test_translation_support.py",
    ),
    Mutation(
        "analysis/attention_cell.py",
        "exponentials.sum()",
        "exponentials.max()",
        "analysis/test_attention_cell.py",
    ),
    Mutation(
        "training/muon.py",
        'spared |= {id(p) for name, p in model.named_parameters() if name == "output.weight"}',
        "pass",
        "training/test_loop.py",
    ),
    Mutation(
        "models/efficient_attention.py",
        "(q @ k.mT).tril()",
        "(q @ k.mT)",
        "models/test_efficient_attention.py",
    ),
    Mutation("clustering/fast.py", "moved.neg_()", "moved", "clustering/test_k_means.py"),
    Mutation(
        "clustering/fast.py", "- old.bincount", "+ old.bincount", "clustering/test_k_means.py"
    ),
    Mutation("clustering/fast.py", "(centres + origin)", "centres", "clustering/test_k_means.py"),
    Mutation("clustering/fast.py", "alpha=2.0", "alpha=1.0", "clustering/test_k_means.py"),
    Mutation(
        "clustering/fast.py", "= centres[0]", "= centres.mean(0)", "clustering/test_k_means.py"
    ),
    Mutation(
        "clustering/fast.py", "= centres[0]", "= 0.0 * centres[0]", "clustering/test_k_means.py"
    ),
    Mutation(
        "clustering/fast.py",
        "sums.index_add_(0, labels[block]",
        "sums.index_copy_(0, labels[block]",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/fast.py",
        "torch.where(counts > 0, means, centres)",
        "means",
        "clustering/test_k_means.py",
    ),
    Mutation("clustering/k_means.py", ".argmin(1)", ".argmax(1)", "clustering/test_k_means.py"),
    Mutation(
        "clustering/k_means.py",
        "torch.equal(labels, before)",
        "True",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/k_means.py",
        "can_spare = counts[labels] > 1",
        "can_spare = counts[labels] > 0",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/k_means.py", "distances[farthest] == 0.0", "False", "clustering/test_k_means.py"
    ),
    Mutation(
        "clustering/k_means.py",
        "counts[labels[farthest]] -= 1",
        "pass",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/initialisation.py",
        "nearest.argmax()",
        "nearest.argmin()",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/initialisation.py",
        "(points - points[taken]).square()",
        "(points - points[taken]).abs()",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/points.py",
        "if not torch.linalg",
        "if torch.linalg",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/points.py",
        "min(first + size,",
        "min(first + size - 1,",
        "clustering/test_k_means.py",
    ),
    Mutation(
        "clustering/fast.py",
        "- step[:, :, None] * step[:, None, :]",
        "",
        "clustering/test_em.py",
    ),
    Mutation("clustering/fast.py", "shares.sqrt()", "shares", "clustering/test_em.py"),
    Mutation(
        "clustering/fast.py",
        "log_likelihood += float",
        "log_likelihood = float",
        "clustering/test_em.py",
    ),
    Mutation(
        "clustering/covariances.py",
        "values.clamp(min=1.0)",
        "values.clamp(max=1.0)",
        "clustering/test_em.py",
    ),
    Mutation(
        "clustering/covariances.py",
        "shares[:, None, None] * found",
        "found",
        "clustering/test_em.py",
    ),
    Mutation(
        "clustering/em.py", "shares.T @ points", "points[:len(counts)]", "clustering/test_em.py"
    ),
    Mutation(
        "clustering/em.py",
        "points[:, None, :] - means",
        "points[:, None, :] + means",
        "clustering/test_em.py",
    ),
    Mutation(
        "clustering/em.py",
        "(expected - torch.xlogy",
        "(expected + torch.xlogy",
        "clustering/test_em.py",
    ),
    Mutation(
        "clustering/gaussian_mixture.py",
        "- half_log_determinants",
        "+ half_log_determinants",
        "clustering/test_gaussian_mixture.py",
    ),
    Mutation(
        "clustering/gaussian_mixture.py",
        "mixture.factors[labels] @",
        "mixture.covariances[labels] @",
        "clustering/test_gaussian_mixture.py",
    ),
    Mutation(
        "clustering/gaussian_mixture.py",
        "clusters * width + clusters - 1",
        "clusters * width + clusters",
        "clustering/test_gaussian_mixture.py",
    ),
    Mutation(
        "clustering/metrics.py",
        "(counts[labels] - 1.0)",
        "counts[labels]",
        "clustering/test_gaussian_mixture.py",
    ),
    Mutation(
        "clustering/metrics.py",
        "row_price[row_of[j]] += step",
        "pass",
        "clustering/test_gaussian_mixture.py",
    ),
    Mutation(
        "experiments/estimation/population.py",
        "birds / (birds + others)",
        "birds / others",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/models.py",
        "1.0 - h.square()",
        "1.0 + h.square()",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/models.py",
        "- decay * weights",
        "+ decay * weights",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/models.py",
        "torch.where(better[:, None], weights + step, weights)",
        "weights + step",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/experiment.py",
        "1.0 - probabilities)",
        "probabilities)",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/experiment.py",
        ".square().sum(0) / (n - 1)",
        ".square().sum(0) / n",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "experiments/estimation/experiment.py",
        "samples.can_fly.long(), interval",
        "1 - samples.can_fly.long(), interval",
        "experiments/estimation/test_estimation.py",
    ),
    Mutation(
        "generation/sampling.py",
        "min(uniform * total",
        "min((1.0 - uniform) * total",
        "generation/test_sampling.py",
    ),
    Mutation(
        "generation/logit_transforms.py",
        "before >= p",
        "before >= 1 - p",
        "generation/test_logit_transforms.py",
    ),
    Mutation(
        "generation/logit_transforms.py",
        "return mu - rate *",
        "return mu + rate *",
        "generation/test_logit_transforms.py",
    ),
    Mutation(
        "generation/beam_search.py",
        "totals + logits.log_softmax",
        "0 * totals + logits.log_softmax",
        "generation/test_beam_search.py",
    ),
    Mutation(
        "generation/beam_search.py",
        "select_rows(state, parents",
        "select_rows(state, 0 * parents",
        "generation/test_beam_search.py",
    ),
    Mutation(
        "generation/text_generation.py",
        "del self._ids[self._n_prompt + n_written :]",
        "del self._ids[n_written :]",
        "generation/test_text_generation.py",
    ),
    Mutation(
        "models/recurrent.py",
        "(1 - z) * n + z * h",
        "z * n + (1 - z) * h",
        "models/test_recurrent.py",
    ),
    Mutation(
        "models/recurrent.py",
        "input_n + r * state_n",
        "input_n + state_n",
        "models/test_recurrent.py",
    ),
    Mutation(
        "models/ngram.py",
        "1 - 2 * share * n2 / n1",
        "1 + 2 * share * n2 / n1",
        "models/test_ngram.py",
    ),
    Mutation(
        "models/ngram.py",
        "backoff = (1 - mass.sum",
        "backoff = (1 + mass.sum",
        "models/test_ngram.py",
    ),
    Mutation(
        "text/normalisation.py",
        "[before.ends[right - 1]] * len(written)",
        "[before.ends[left]] * len(written)",
        "text/test_normalisation.py",
    ),
    Mutation(
        "text/tokenizers/merges.py",
        "ids[i], ids[j] = both, -1",
        "ids[i], ids[j] = rank, -1",
        "text/tokenizers/test_byte_pair.py",
    ),
    Mutation(
        "analysis/word_space.py",
        "return self.nearest(first - second + third",
        "return self.nearest(first + second - third",
        "analysis/test_word_space.py",
    ),
    Mutation(
        "analysis/gradients.py",
        "(norms[0] / norms[-1])",
        "(norms[-1] / norms[0])",
        "analysis/test_gradients.py",
    ),
    Mutation(
        "models/seq2seq.py",
        ".sum(1) / lengths[:, None]",
        ".mean(1)",
        "experiments/sequence_models/test_sequence_models.py",
    ),
    Mutation(
        "experiments/sequence_models/tasks.py",
        "return inputs, targets.masked_fill(behind, _NO_TARGET)",
        "return inputs, targets",
        "experiments/sequence_models/test_sequence_models.py",
    ),
    Mutation(
        "experiments/counting/inference.py",
        "logits, state = model(torch.tensor([[number]]), state)",
        "logits, _ = model(torch.tensor([[number]]), state)",
        "experiments/counting/test_counting.py",
    ),
    Mutation(
        "experiments/counting/training.py",
        "(config.epochs - step // BATCHES_PER_EPOCH)",
        "config.epochs",
        "experiments/counting/test_counting.py",
    ),
    Mutation(
        "experiments/inside_a_cell/training.py",
        "first = digits[:, :1]",
        "first = digits[:, 1:2]",
        "experiments/inside_a_cell/test_inside_a_cell.py",
    ),
    Mutation(
        "experiments/word2vec/short_text.py",
        "@ snapshot.output.T).softmax(1)[0]",
        "@ snapshot.output.T)[0]",
        "experiments/word2vec/test_short_text.py",
    ),
    Mutation(
        "models/mlp.py",
        "text.unfold(1, self.config.context_size, 1)",
        "text.flip(1).unfold(1, self.config.context_size, 1)",
        "models/test_mlp.py",
    ),
    Mutation(
        "experiments/neural_language_model/training.py",
        "windows[places - context_size].copy()",
        "windows[places - context_size + 1].copy()",
        "experiments/neural_language_model/test_training.py",
    ),
    Mutation(
        "analysis/saturation.py",
        "is_saturated.all(0)",
        "is_saturated.any(0)",
        "analysis/test_saturation.py",
    ),
    Mutation(
        "experiments/rnn_vs_lstm/results.py",
        "set(self.results) or not",
        "set(self.results) and not",
        "experiments/rnn_vs_lstm/test_results.py",
    ),
    Mutation(
        "experiments/counting/training.py",
        "min(64, self.network.numbers - 2)",
        "min(64, self.network.numbers - 1)",
        "experiments/counting/test_counting.py",
    ),
    Mutation(
        "experiments/counting/training.py",
        "1 <= self.length <= most",
        "1 <= self.length < most",
        "experiments/counting/test_counting.py",
    ),
    Mutation(
        "experiments/attention_by_hand/printed_example.py",
        "max(map(len, rows)) > MOST_COLUMNS",
        "max(map(len, rows)) >= MOST_COLUMNS",
        "experiments/attention_by_hand/test_printed_example.py",
    ),
    Mutation(
        "jobs/queue.py",
        "len(free) - n_unknown",
        "len(free)",
        "jobs/test_jobs.py",
    ),
    Mutation(
        "jobs/run_folder.py",
        "if status.state.is_over:",
        "if status.state is RunState.FINISHED:",
        "jobs/test_jobs.py",
    ),
    Mutation(
        "models/masked_language_model.py",
        "model.predict(hidden[rows, places + 1])",
        "model.predict(hidden[rows, places])",
        "models/test_masked_language_model.py",
    ),
    Mutation(
        "training/masking.py",
        "(fate < masking.masked + masking.random)",
        "(fate < masking.random)",
        "training/test_masking.py",
    ),
    Mutation(
        "text/whole_words.py",
        "~(begins[ids[1:]] & ends[ids[:-1]])",
        "~begins[ids[1:]]",
        "text/test_whole_words.py",
    ),
    Mutation(
        "generation/gibbs.py",
        "text[0, place] = model.config.mask_id",
        "pass",
        "generation/test_gibbs.py",
    ),
    Mutation(
        "analysis/gaps.py",
        "a.values[:, None] * second",
        "b.values * second",
        "analysis/test_gaps.py",
    ),
    Mutation(
        "analysis/pseudo_log_likelihood.py",
        "row[place:stop] = model.config.mask_id",
        "row[place] = model.config.mask_id",
        "analysis/test_gaps.py",
    ),
    Mutation(
        "experiments/masked_language_model/segments.py",
        "fitting = self._last_end[starts + n_inner - 1] - starts + 1",
        "fitting = self._last_end[starts + n_inner - 1] - starts",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "training/resumable.py",
        "part.set_state(saved)",
        "pass",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "experiments/masked_language_model/split_scores.py",
        "rng, n, right, nats = generator(seed), 0, 0, 0.0",
        "rng, n, right, nats = generator(seed + len(scores)), 0, 0, 0.0",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "experiments/masked_language_model/text_scores.py",
        "float(vocabulary.lengths[ids[1:]].sum())",
        "len(ids[1:])",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "experiments/masked_language_model/windows.py",
        "cursor = start + len(spelled)\n",
        "cursor = start\n",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "experiments/masked_language_model/word_classes.py",
        "[(EVERY, guesses), *ordered]",
        "[*ordered, (EVERY, guesses)]",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "experiments/masked_language_model/measuring.py",
        "training.loop.step < recipe.training.steps",
        "training.loop.step > recipe.training.steps",
        "experiments/masked_language_model/test_masked_language_model.py",
    ),
    Mutation(
        "results.py",
        "return {str(n): _plain(entry",
        "return {n: _plain(entry",
        "test_results.py",
    ),
    Mutation("results.py", "if value not in known:", "if not known:", "test_results.py"),
]


ROOMS = {
    "results.py",
    "text",
    "classroom",
    "models",
    "clustering",
    "generation",
    "analysis",
    "training",
    "jobs",
    "experiments",
}


def drawn() -> list[Mutation]:
    """Return the mutations to run: all, or as many as are asked for, drawn anew each time."""
    asked = os.environ.get("LM_LAB_MUTANTS")
    if asked is None:
        return MUTATIONS
    # The processes of one run draw the same; where there are none, there is nothing to agree on.
    lots = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
    return lots.sample(MUTATIONS, int(asked))


DRAWN = drawn()
SUITES = sorted({mutation.tests for mutation in MUTATIONS}) if DRAWN is MUTATIONS else []


def named(mutation: Mutation) -> str:
    return f"{mutation.file}: {mutation.before} -> {mutation.after}"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=named)
def test_the_line_to_break_and_its_tests_are_there(mutation):
    assert mutation.before in (ROOT / "lm_core" / mutation.file).read_text(encoding="utf-8")
    assert (ROOT / "tests" / "core" / mutation.tests).is_file()


def test_the_list_reaches_every_room():
    assert {mutation.file.split("/")[0] for mutation in MUTATIONS} == ROOMS


def copy_of_the_package(folder: Path) -> Path:
    for name in ("lm_core", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "assets").symlink_to(ROOT / "assets")
    return folder


def run_of(tests: str, folder: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-x", "-q", f"tests/core/{tests}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.mutation
@pytest.mark.parametrize("tests", SUITES)
def test_a_copy_that_nothing_is_broken_in_is_green(tests, tmp_path):
    run = run_of(tests, copy_of_the_package(tmp_path))
    assert run.returncode == 0, run.stdout[-2000:]


@pytest.mark.mutation
@pytest.mark.parametrize("mutation", DRAWN, ids=named)
def test_a_mutation_turns_the_suite_red(mutation, tmp_path):
    path = copy_of_the_package(tmp_path) / "lm_core" / mutation.file
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace(mutation.before, mutation.after), encoding="utf-8")
    run = run_of(mutation.tests, tmp_path)
    assert run.returncode == 1, run.stdout[-2000:]
