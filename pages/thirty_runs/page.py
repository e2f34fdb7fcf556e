"""Thirty runs: the same experiment again and again, by one visitor or by a class of phones."""

from lm_core.experiments.neural_language_model.training import train_network
from lm_core.experiments.thirty_runs import lengths as recall
from lm_core.experiments.thirty_runs import runs, votes, workers
from lm_core.experiments.thirty_runs import scaling as law
from lm_core.training.preference_losses import fit_reward_weights
from pages.shared import page
from pages.thirty_runs.dropout import NAME as DROPOUT
from pages.thirty_runs.dropout import dropout
from pages.thirty_runs.lengths import NAME as LENGTHS
from pages.thirty_runs.lengths import lengths
from pages.thirty_runs.one_model import NAME as ONE_MODEL
from pages.thirty_runs.one_model import one_model
from pages.thirty_runs.optimisers import NAME as OPTIMISERS
from pages.thirty_runs.optimisers import optimisers
from pages.thirty_runs.rates import NAME as RATES
from pages.thirty_runs.rates import learning_rates
from pages.thirty_runs.restarts import NAME as RESTARTS
from pages.thirty_runs.restarts import restarts
from pages.thirty_runs.samples import NAME as SAMPLES
from pages.thirty_runs.samples import samples
from pages.thirty_runs.scaling import NAME as SCALING
from pages.thirty_runs.scaling import scaling
from pages.thirty_runs.starts import NAME as STARTS
from pages.thirty_runs.starts import starts
from pages.thirty_runs.votes import NAME as VOTES
from pages.thirty_runs.votes import votes as class_votes

PARTS = [
    page.Part(SAMPLES, samples, (runs.estimate_of_sample, runs.running_means)),
    page.Part(STARTS, starts, (runs.failures_of_starts, runs.running_means)),
    page.Part(RESTARTS, restarts, (runs.inertia_of_start,)),
    page.Part(RATES, learning_rates, (law.loss_above_entropy,)),
    page.Part(OPTIMISERS, optimisers, (law.loss_above_entropy, train_network)),
    page.Part(DROPOUT, dropout, (law.loss_above_entropy,)),
    page.Part(SCALING, scaling, (law.loss_above_entropy, law.fit_power_law, law.Source)),
    page.Part(LENGTHS, lengths, (recall.accuracy_at_length,)),
    page.Part(ONE_MODEL, one_model, (workers.descend,)),
    page.Part(VOTES, class_votes, (votes.fitted_scores, fit_reward_weights)),
]

page.draw(
    "thirty-runs",
    "One run may be luck, so here the same experiment is made thirty times. Thirty runs, each"
    " with random numbers of its own, say how much of a result is chance. In a class, each phone"
    " makes a run.",
    PARTS,
)
