"""Teaching it what we like: comparisons, a reward model, policy gradients, and what they exploit."""

from lm_core.experiments.preferences import rules
from lm_core.experiments.preferences.tuning import Tuning
from lm_core.generation.best_of_n import best_of_n_kl, best_of_n_mean
from lm_core.generation.rollouts import roll_out
from lm_core.models.low_rank import LowRankUpdate, merge
from lm_core.models.reward_model import RewardModel, continuation_features
from lm_core.training import policy_gradient, preference_losses
from pages.preferences.best_of import best_of
from pages.preferences.comparing import comparing
from pages.preferences.hacking import hacking
from pages.preferences.own_run import own_run
from pages.preferences.reward_and_kl import reward_and_kl
from pages.preferences.samples import samples
from pages.shared import page

PARTS = [
    page.Part(
        "Hacking",
        hacking,
        (
            *(rules.dialogue_share, rules.calmness, rules.sentence_ends),
            policy_gradient.penalised_rewards,
        ),
    ),
    page.Part(
        "Reward",
        reward_and_kl,
        (
            *(policy_gradient.penalised_rewards, policy_gradient.leave_one_out_advantages),
            *(policy_gradient.reinforce_loss, policy_gradient.ppo_loss),
            *(preference_losses.dpo_loss, policy_gradient.token_kl),
        ),
    ),
    page.Part(
        "Pairs",
        comparing,
        (
            *(preference_losses.bradley_terry_loss, preference_losses.fit_reward_weights),
            *(RewardModel, continuation_features),
        ),
    ),
    page.Part("Samples", samples, (LowRankUpdate, merge, roll_out)),
    page.Part("Best of n", best_of, (best_of_n_kl, best_of_n_mean)),
    page.Part("Your run", own_run, (Tuning,)),
]

page.draw(
    "preferences",
    "A language model that has read *War and Peace* is trained further: not on more text, but on"
    " judgements which of two of its texts is better, so that it writes more of what is liked.",
    PARTS,
)
