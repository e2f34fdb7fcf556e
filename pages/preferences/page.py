"""Teaching it what we like: comparisons, a reward model, policy gradients, and what they exploit."""

from lm_core.experiments.preferences import rules
from lm_core.experiments.preferences.tuning import Tuning
from lm_core.generation.best_of_n import best_of_n_kl, best_of_n_mean
from lm_core.generation.rollouts import roll_out
from lm_core.models.low_rank import LowRankUpdate, merge
from lm_core.models.reward_model import RewardModel, continuation_features
from lm_core.training import policy_gradient as policy
from lm_core.training.policy_gradient import penalised_rewards
from lm_core.training.preference_losses import bradley_terry_loss, dpo_loss, fit_reward_weights
from pages.preferences.best_of import best_of
from pages.preferences.comparing import comparing
from pages.preferences.hacking import hacking
from pages.preferences.own_run import own_run
from pages.preferences.reward_and_kl import reward_and_kl
from pages.preferences.samples import samples
from pages.shared import page

_RULES = (rules.dialogue_share, rules.calmness, rules.sentence_ends)
_LOSSES = (policy.reinforce_loss, policy.ppo_loss, dpo_loss, policy.token_kl)
_SCORES = (bradley_terry_loss, fit_reward_weights, RewardModel, continuation_features)

page.draw(
    "preferences",
    "A language model that has read *War and Peace* is trained further: not on more text, but on"
    " judgements which of two of its texts is better, so that it writes more of what is liked.",
    [
        page.Part("Hacking", hacking, (*_RULES, penalised_rewards)),
        page.Part(
            "Reward", reward_and_kl, (penalised_rewards, policy.leave_one_out_advantages, *_LOSSES)
        ),
        page.Part("Pairs", comparing, _SCORES),
        page.Part("Samples", samples, (LowRankUpdate, merge, roll_out)),
        page.Part("Best of n", best_of, (best_of_n_kl, best_of_n_mean)),
        page.Part("Your run", own_run, (Tuning,)),
    ],
)
