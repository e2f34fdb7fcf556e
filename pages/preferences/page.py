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
        [
            "Play from the left. When do the two rewards part, and what does the text look like then?",
            "Choose β = 0.3: what is left of the hacking, and what of the reward?",
            "Let the rule itself pay. Is what is written now what you meant by it?",
        ],
    ),
    page.Part(
        "Reward",
        reward_and_kl,
        (
            *(policy_gradient.penalised_rewards, policy_gradient.leave_one_out_advantages),
            *(policy_gradient.reinforce_loss, policy_gradient.ppo_loss),
            *(preference_losses.dpo_loss, policy_gradient.token_kl),
        ),
        [
            "Set β to 0: how far does each method go, and is the reward worth it?",
            "Choose *calmer*. Why does every method earn less by the rule there?",
            "At 1 nat, which n has best of n? Is any training better there?",
        ],
    ),
    page.Part(
        "Pairs",
        comparing,
        (
            *(preference_losses.bradley_terry_loss, preference_losses.fit_reward_weights),
            *(RewardModel, continuation_features),
        ),
        [
            "Judge twenty pairs by one secret taste. From which vote on does the reward model predict you?",
            "Let the rules judge 5 comparisons each: which taste is learned at once, and which hardly at all?",
            "Let the class judge: does one model suit everybody?",
        ],
    ),
    page.Part(
        "Samples",
        samples,
        (LowRankUpdate, merge, roll_out),
        [
            "Which words does the tuned writer use again and again?",
            "Write with 50 % of an update: is it half as far from the writer?",
            "Compare DPO and PPO for the same rule: which one reads better at equal reward?",
        ],
    ),
    page.Part(
        "Best of n",
        best_of,
        (best_of_n_kl, best_of_n_mean),
        [
            "Raise n to 64: does the reward model still keep the text that the rule would?",
            "Choose *calmer*: how often does the kept text score at all by the rule?",
        ],
    ),
    page.Part(
        "Your run",
        own_run,
        (Tuning,),
        [
            "Tune for your own votes, then write with it: would you have voted for that?",
            "REINFORCE and PPO with one seed: which one moves farther in 30 batches?",
        ],
    ),
]

page.draw(
    "preferences",
    "A language model that has read *War and Peace* is trained further: not on more text, but on judgements which of two of its texts is better.",
    PARTS,
)
