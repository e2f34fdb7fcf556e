"""Best-of-n: 64 texts of one beginning by the model's reward and by the rule's, and the best of n."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.preferences.prompts import HELD_OUT
from lm_core.experiments.preferences.results import RuleResults
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.settings import REWARD_MODEL
from lm_core.experiments.preferences.study import NS
from lm_core.generation.best_of_n import best_of_n_kl
from pages.preferences.scene import HEIGHT, choose_rule, one_line, shipped_results
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE, VERMILLION

_STYLES = {
    "kept": page.LineStyle(ORANGE),
    "by the rule": page.LineStyle(BLUE),
    "by the model": page.LineStyle(VERMILLION, 1),
}
_LEAST, _MOST = -3.0, 8.0


def best_of(screen: page.FirstScreen) -> None:
    """Draw the first n texts of a beginning as points, and ring the one that the reward model keeps."""
    rule = choose_rule(screen)
    with screen.controls:
        n = page.pick("n", "Texts, n", NS, 16, width=200)
    with page.more(screen):
        prompt = page.choice("beginning_of_n", "Beginning", HELD_OUT, HELD_OUT[1])
    results = shipped_results()
    measured, texts = results.rules[rule], results.candidates[prompt][:n]
    by_model = results.candidate_rewards[rule][list(results.candidates).index(prompt)].tolist()[:n]
    scores = [RULES[rule].score(text) for text in texts]
    by_rule = [(score - measured.mean) / measured.deviation for score in scores]
    kept = max(range(n), key=by_model.__getitem__)
    with screen.picture:
        st.markdown(
            f"**Of {n} texts the kept one has {by_rule[kept]:.1f} standard deviations by the rule;"
            f" the best of them {max(by_rule):.1f}**"
        )
        _points([one_line(text) for text in texts], by_model, by_rule, kept)
    with screen.beside:
        st.caption("Kept")
        st.container(border=True).text(f"{prompt}… {one_line(texts[kept])}")
        st.markdown(
            f"KL of best of {n}: log {n} − {n - 1}/{n} = **{best_of_n_kl(n):.2f} nats**, if no two"
            " texts have the same score; where some have, it is less, because choosing between"
            " equals selects nothing."
        )
    page.note_beside(
        screen,
        "*Best of n* trains nothing: the model writes n texts, the reward model scores them, and the best"
        " is kept. How far this is from the original model is known in advance, so training is compared"
        " with it at equal KL.",
    )
    if not page.is_presenting():
        _means(measured, n)


def _points(texts: list[str], by_model: list[float], by_rule: list[float], kept: int) -> None:
    names = [f"{i}: {text}" for i, text in enumerate(texts, 1)]
    places = list(zip(by_model, by_rule, strict=True))
    page.show_chart(
        page.line_chart(
            {},
            _STYLES,
            page.Axis("reward by the model (standard deviations)", (_LEAST, 4.0)),
            page.Axis("reward by the rule", (_LEAST, _MOST)),
            dots={name: [place] for name, place in zip(names, places, strict=True)},
            rings={"kept": [places[kept]]},
            has_names=False,
            height=HEIGHT,
        ),
        pa.table({"text": names, "by the model": by_model, "by the rule": by_rule}),
        key="candidates",
        alt=f"{len(texts)} texts; the kept one has {by_model[kept]:.2f} by the model and"
        f" {by_rule[kept]:.2f} by the rule.",
        name="best-of-n",
    )


def _means(measured: RuleResults, n: int) -> None:
    """Draw the means over all beginnings, by n."""
    found = measured.best_of[REWARD_MODEL]
    now = next(one for one in found if one.n == n)
    st.header("Over all beginnings", anchor=False)
    st.markdown(
        f"The best of {n} by the model earns **{now.reward:.2f}** by the rule and"
        f" **{now.model_reward:.2f}** by the model itself, which has only learned to imitate the"
        f" rule, so the two differ. Both are means over {len(HELD_OUT)} beginnings and all ways to take {n} of"
        " 64 texts."
    )
    page.show_lines(
        "best_of_means",
        {
            "by the rule": [(float(one.n), one.reward) for one in found],
            "by the model": [(float(one.n), one.model_reward) for one in found],
        },
        _STYLES,
        page.Axis("n", (1.0, 64.0), True, tuple(float(one.n) for one in found)),
        page.Axis("reward (standard deviations)", (-0.5, 4.0)),
        beside={"KL": [one.kl for one in found]},
        now=float(n),
        has_points=True,
        height=240,
    )
