"""Teaching it what we like: comparisons, a reward model, policy gradients, and what they exploit."""

from lm_core.experiments.preferences.rules import calmness, dialogue_share, sentence_ends
from lm_core.experiments.preferences.tuning import Tuning
from lm_core.generation.best_of_n import best_of_n_kl, best_of_n_mean
from lm_core.generation.rollouts import roll_out
from lm_core.models.low_rank import LowRankUpdate, merge
from lm_core.models.reward_model import RewardModel, continuation_features
from lm_core.training.policy_gradient import (
    leave_one_out_advantages,
    penalised_rewards,
    ppo_loss,
    reinforce_loss,
    token_kl,
)
from lm_core.training.preference_losses import bradley_terry_loss, dpo_loss, fit_reward_weights
from pages.preferences.best_of import best_of, choose_n
from pages.preferences.comparing import choose_judges, comparing
from pages.preferences.hacking import choose_exploited, hacking
from pages.preferences.own_run import own_run
from pages.preferences.reward_and_kl import choose_goal, reward_and_kl
from pages.preferences.samples import choose_tuning, samples
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

HACKING, FRONTIER, PAIRS = "Hacking", "Reward", "Pairs"
SAMPLES, BEST_OF, OWN = "Samples", "Best of n", "Your run"
CODE = {
    HACKING: (dialogue_share, calmness, sentence_ends, penalised_rewards),
    FRONTIER: (
        penalised_rewards,
        leave_one_out_advantages,
        reinforce_loss,
        ppo_loss,
        dpo_loss,
        token_kl,
    ),
    PAIRS: (bradley_terry_loss, fit_reward_weights, RewardModel, continuation_features),
    SAMPLES: (LowRankUpdate, merge, roll_out),
    BEST_OF: (best_of_n_kl, best_of_n_mean),
    OWN: (Tuning,),
}
SUGGESTIONS = {
    HACKING: [
        "Play from the left. When do the two rewards part, and what does the text look like then?",
        "Choose β = 0.3: what is left of the hacking, and what of the reward?",
        "Let the rule itself pay. Is what is written now what you meant by it?",
    ],
    FRONTIER: [
        "Set β to 0: how far does each method go, and is the reward worth it?",
        "Choose *calmer*. Why does every method earn less by the rule there?",
        "At 1 nat, which n has best of n? Is any training better there?",
    ],
    PAIRS: [
        "Judge twenty pairs by one secret taste. From which vote on are you foretold?",
        "Let the rules judge 5 comparisons each: which taste is learned at once, and which hardly at all?",
        "Let the class judge: does one model suit everybody?",
    ],
    SAMPLES: [
        "Which words does the tuned writer use again and again?",
        "Write with 50 % of an update: is it half as far from the writer?",
        "Compare DPO and PPO for the same rule: which one reads better at equal reward?",
    ],
    BEST_OF: [
        "Raise n to 64: does the reward model still keep the text that the rule would?",
        "Choose *calmer*: how often does the kept text score at all by the rule?",
    ],
    OWN: [
        "Tune for your own votes, then write with it: would you have voted for that?",
        "REINFORCE and PPO with one seed: which one moves farther in 30 batches?",
    ],
}

page_header(
    "preferences",
    "The writer of the book learns from comparisons of its texts, not from more text.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part((HACKING, FRONTIER, PAIRS, SAMPLES, BEST_OF, OWN))

# Picture and explanation ----------------------------------------------------------------------
if part == HACKING:
    hacking(screen, choose_exploited(screen))
elif part == FRONTIER:
    reward_and_kl(screen, choose_goal(screen))
elif part == PAIRS:
    comparing(screen, choose_judges(screen))
elif part == SAMPLES:
    samples(screen, choose_tuning(screen))
elif part == BEST_OF:
    best_of(screen, choose_n(screen))
else:
    own_run(screen)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(SUGGESTIONS[part])
