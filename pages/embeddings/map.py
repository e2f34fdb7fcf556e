"""The map: vectors of many numbers drawn in two or three, and the neighbours that this preserves."""

from typing import NamedTuple

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.t_sne import TsneStep, t_sne
from lm_core.analysis.word_space import axis_between
from lm_core.errors import SettingError
from lm_core.rng import generator
from pages.embeddings.neighbours import neighbours_of
from pages.embeddings.shown_words import Shown, choose_shown
from pages.embeddings.vectors import MOST_TYPED, Choice, choose_table, follow_click, read_or_say
from pages.shared import charts
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import asked_by_link, control
from pages.shared.ui.figures import download_csv, show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import playback_bar

_KINDS = ("PCA", "t-SNE", "3-D", "Axes")
K = 10
"""k of neighbourhood preservation: true neighbours that are looked for in the map."""


class MapView(NamedTuple):
    """What is to be drawn, whatever the projection.

    Attributes
    ----------
    choice : Choice
    table : str
    shown : Shown
    unit : Tensor of shape (n, D)
        The shown words' vectors at length 1.
    is_revealed : bool
        Whether the true neighbours may be drawn.
    """

    choice: Choice
    table: str
    shown: Shown
    unit: Tensor
    is_revealed: bool

    @property
    def words(self) -> list[str]:
        """The shown words; the chosen one comes first."""
        return [self.choice.vocabulary.words[i] for i in self.shown.ids]


class Picture(NamedTuple):
    """Where the words lie, (n, 2) or (n, 3), what the axes are called, and what is to be said."""

    points: Tensor
    titles: tuple[str, str]
    note: str


class Truth(NamedTuple):
    """Which of the chosen word's neighbours are near in the picture, as places and in sentences."""

    near: list[int]
    far: list[int]
    finding: str
    mean: str


@fragment
def word_map(choice: Choice) -> None:
    """Draw the map of the kind that is chosen, and say which neighbours it preserves."""
    left, right = st.columns([1.15, 3], gap="medium")
    with left:
        kind = control(
            st.segmented_control,
            "projection",
            "Projection",
            _KINDS,
            default=_KINDS[0],
            required=True,
        )
        more = st.container(key="pairs_map")
        with more:
            table = choose_table()
            shown = choose_shown(choice, table)
        unit = choice.space(table).unit(shown.ids)
    with right:
        place = st.container()
        view = MapView(choice, table, shown, unit, is_revealed=_is_revealed(unit))
    if kind == "t-SNE":
        with more:
            settings = choose_t_sne(view)
        with place:
            draw_t_sne(view, settings)
    elif kind == "Axes":
        with more:
            picture = on_own_axes(view)
        with place:
            draw_map(view, picture)
    elif kind == "3-D":
        with place:
            draw_space(view, _components(unit, 3))
    else:
        with place:
            draw_map(view, _components(unit, 2))


def _components(unit: torch.Tensor, k: int) -> Picture:
    found = principal_components(unit, k)
    shares = [f"{share:.1%}" for share in found.shares.tolist()]
    return Picture(
        found.points,
        ("first component", "second component"),
        f"The {k} directions in which these words differ most hold {float(found.shares.sum()):.1%}"
        f" of their variance ({' + '.join(shares)}). The picture does not show the rest.",
    )


def _is_revealed(unit: torch.Tensor) -> bool:
    """Ask how many neighbours a map preserves; return whether the answer may be drawn."""
    return predict_then_reveal(
        "preservation",
        f"A map has room for 2 of a vector's {unit.shape[1]} numbers. How many of a word's {K} true"
        f" neighbours are among its {K} nearest in the PCA map, on average?",
        (f"All {K}, or nearly", "About half", f"Fewer than {K // 2}"),
    ).revealed


# The picture ----------------------------------------------------------------------------------


def _truth(view: MapView, points: Tensor) -> Truth:
    n = len(view.shown.ids)
    found = neighbourhood_preservation(view.unit, points.to(view.unit.dtype), K)
    true, kept = found.true[0], found.preserved[0]
    are_all_shown = {n.id for n in neighbours_of(view.choice, view.table)} <= set(view.shown.ids)
    whose = view.choice.name if are_all_shown else f"{view.choice.name} among these words"
    finding = (
        f"Of the {K} true neighbours of {whose}, {int(kept.sum())}"
        f" {'is' if int(kept.sum()) == 1 else 'are'} near it here"
    )
    mean = (
        f"*Neighbourhood preservation*, the share of true neighbours that stay near in a picture, is"
        f" **{found.share * K:.1f} of {K}** over all {n} words. Random places would preserve"
        f" {K * K / (n - 1):.1f}."
    )
    return Truth(true[kept].tolist(), true[~kept].tolist(), finding, mean)


def _frame(view: MapView, picture: Picture) -> tuple[pd.DataFrame, Truth | None]:
    truth = _truth(view, picture.points) if view.is_revealed else None
    frame = charts.map_frame(
        view.words,
        picture.points.numpy(),
        view.shown.groups,
        chosen=0,
        near=truth.near if truth else (),
        far=truth.far if truth else (),
    )
    return frame, truth


def _say(view: MapView, picture: Picture, truth: Truth | None) -> None:
    parts = [picture.note]
    if truth is not None:
        far = ", ".join(view.words[i] for i in truth.far)
        parts.append(
            f"{truth.mean} Lines lead from {view.choice.name} to its true neighbours among these"
            f" words, by cosine in all {view.unit.shape[1]} numbers. They are solid to neighbours that"
            " are near in the picture" + (f", and dashed to {far}." if far else ".")
        )
    st.markdown("  \n".join(parts))


def draw_map(view: MapView, picture: Picture | None) -> None:
    """Draw a flat picture; a click on a word chooses it."""
    if picture is None:
        return
    frame, truth = _frame(view, picture)
    n = len(frame)
    title = (
        truth.finding if truth else f"{view.choice.name} among {n} words ({view.table} embedding)"
    )
    st.markdown(f"**{title}**")
    chosen = show_chart(
        charts.word_map(frame, titles=picture.titles, groups=view.shown.legend),
        frame,
        key="map",
        alt=f"{title}. {n} words as points. {picture.note}",
        name=f"map-{view.choice.name}",
        selectable=True,
    )
    follow_click("map", charts.picked_word(chosen), "word")
    _say(view, picture, truth)


def draw_space(view: MapView, picture: Picture) -> None:
    """Draw a picture of three dimensions, to be turned by hand or by the two controls."""
    flat, truth = _frame(view, picture)
    frame = flat.assign(z=picture.points[:, 2].numpy())
    title = (
        truth.finding
        if truth
        else f"{view.choice.name} among {len(frame)} words ({view.table} embedding)"
    )
    st.markdown(f"**{title}**")
    place = st.container()
    left, right = st.columns(2, gap="medium")
    with left:
        turn = control(st.slider, "turn", "Turned by", -180, 180, 30, format="%d°")
    with right:
        tilt = control(st.slider, "tilt", "Tilted by", -90, 90, 15, format="%d°")
    style = chart_style()
    name = f"space-{view.choice.name}"
    figure = charts.space_figure(
        frame,
        groups=view.shown.legend,
        turn=turn,
        tilt=tilt,
        ink=style.text_colour,
        text_size=style.text_size,
        height=round(560 * style.growth),
    )
    with place:
        st.plotly_chart(
            figure,
            key="space",
            alt=f"{title}. {len(frame)} words in three dimensions.",
            config={"toImageButtonOptions": {"format": "svg", "filename": name}},
        )
    with st.popover("Data and export", icon=":material/table:", type="tertiary", key="space_data"):
        st.dataframe(frame, hide_index=True, height=320)
        download_csv(frame, name, key="space_csv")
        st.caption("The camera button above the picture saves it as SVG.")
    st.caption("Drag to turn. A link stores the two angles above, not a turn by hand.")
    _say(view, picture, truth)


# Axes made of words ---------------------------------------------------------------------------

_MOST = 8
_ENDS = {
    "left": ("Left end", "she her woman lady"),
    "right": ("Right end", "he his man gentleman"),
    "low": ("Lower end", "peace quiet home"),
    "high": ("Upper end", "war battle enemy"),
}


def on_own_axes(view: MapView) -> Picture | None:
    """Draw the four lists of words, and return where the words lie between them."""
    ends = {}
    for name, (label, words) in _ENDS.items():
        typed = control(st.text_input, name, label, words, max_chars=MOST_TYPED)
        found = read_or_say(typed, view.choice.meta, view.choice.vocabulary, name=name, most=_MOST)
        ends[name] = found.known if found else ()
    if not all(ends.values()):
        return None
    space = view.choice.space(view.table)
    unit = {name: space.unit(ids) for name, ids in ends.items()}
    try:
        across = axis_between(unit["left"], unit["right"])
        up = axis_between(unit["low"], unit["high"])
    except SettingError as error:
        show_error(error)
        return None
    first = {name: view.choice.vocabulary.words[ids[0]] for name, ids in ends.items()}
    return Picture(
        view.unit @ torch.stack([across, up]).T,
        (f"{first['left']} ← → {first['right']}", f"{first['low']} ← → {first['high']}"),
        f"A word's place is the cosine of its vector with an axis. An axis leads from the mean of some"
        f" words to that of others: across, {len(ends['left'])} to {len(ends['right'])}; up,"
        f" {len(ends['low'])} to {len(ends['high'])}. The cosine of the two axes is"
        f" {float(across @ up):.2f}; at 0 they measure different things.",
    )


# t-SNE ----------------------------------------------------------------------------------------

_STEP = "t_sne_step"
_ASKED = "t_sne_asked"
_PERPLEXITIES = (3, 5, 10, 20, 30, 50)
_STEPS, _EVERY = 500, 20
Settings = tuple[str, str, bool, tuple[int, ...], int, int]


def choose_t_sne(view: MapView) -> Settings | None:
    """Draw perplexity, seed and the button; return the settings if this visitor asked for them."""
    most = (len(view.words) - 2) // 2
    perplexity = control(
        st.select_slider,
        "perplexity",
        "Perplexity",
        _PERPLEXITIES,
        10,
        help="How many neighbours each word has in effect.",
    )
    seed = int(control(st.number_input, "seed", "Seed", 0, 9_999, 1))
    settings = (
        view.choice.meta.name,
        view.table,
        view.choice.subtract_mean,
        view.shown.ids,
        min(perplexity, most),
        seed,
    )
    asked = st.session_state.setdefault(_ASKED, [])
    if asked_by_link(_STEP) and settings not in asked:
        asked.append(settings)
    is_asked = settings in asked
    if st.button(
        "Run t-SNE",
        type="primary",
        icon=":material/play_arrow:",
        disabled=is_asked,
        key="t_sne_run",
    ):
        asked.append(settings)
        del asked[:-8]
        st.session_state[_STEP] = _STEPS // _EVERY
        is_asked = True
    if perplexity > most:
        st.caption(f"{len(view.words)} words: perplexity {most} at most.")
    return settings if is_asked else None


def draw_t_sne(view: MapView, settings: Settings | None) -> None:
    """Draw the steps of t-SNE and the picture of one; nothing runs before the button is pressed."""
    if settings is None:
        st.info(
            "t-SNE moves the words until true neighbours are near each other. It takes a second. Choose"
            " perplexity and seed, then press the button."
        )
        return
    steps = _t_sne_steps(settings, view.unit)
    playback_bar(
        _STEP,
        len(steps),
        lambda i: draw_map(view, _picture(steps[i], settings)),
        label=f"t-SNE step, every {_EVERY}th",
        start=len(steps) - 1,
        seconds_per_step=0.5,
    )


@st.cache_resource(max_entries=24, show_spinner="Running t-SNE")
def _t_sne_steps(settings: Settings, _unit: torch.Tensor) -> list[TsneStep]:
    *_, perplexity, seed = settings
    run, kept = t_sne(_unit, float(perplexity), generator(seed), steps=_STEPS), []
    for _ in range(_STEPS + 1):
        with model_calls:
            step = next(run)
        if step.step % _EVERY == 0:
            kept.append(step)
    return kept


def _picture(step: TsneStep, settings: Settings) -> Picture:
    *_, perplexity, seed = settings
    return Picture(
        step.points,
        ("", ""),
        f"Step {step.step} of {_STEPS}, perplexity {perplexity}, seed {seed}: the divergence from the"
        f" true neighbours is {step.divergence:.2f} nats. Axes, sizes of clusters and gaps between them"
        " mean nothing. Another seed gives another map.",
    )
