"""How much worse models are than one of them: bars from zero, with the play of chance beside them."""

import altair as alt
import pandas as pd

from pages.shared.charts.palette import GREY

_ROW = 27  # pixels


def difference_bars(frame: pd.DataFrame, *, chance: float, title: str) -> alt.LayerChart:
    """Draw a bar for each model, the best above, each with its value.

    Parameters
    ----------
    frame : DataFrame
        Columns model, difference (negative is better) and colour.
    chance : float, at least 0
        Differences up to this, either way, are drawn in a grey band: another seed makes as much.
    title : str
        Of the axis, with the unit.
    """
    low = min(-1.5 * chance, 1.1 * frame["difference"].min())
    high = max(1.5 * chance, frame["difference"].max())
    # Room on both sides for the values, which are written beside the bars.
    room = 0.16 * (high - low)
    scale = alt.Scale(domain=[low - room, high + room], nice=False)
    values = frame.assign(
        text=frame["difference"].map("{:+.3f}".format),
        anchor=frame["difference"].clip(lower=0.0),
        before=frame["difference"].clip(upper=0.0),
    )
    models = values.sort_values("difference")["model"].tolist()
    y = alt.Y("model:N", sort=models, title=None, axis=alt.Axis(labelLimit=220))
    x = alt.X("difference:Q", scale=scale, axis=alt.Axis(title=title, tickCount=6))
    base = alt.Chart(values).encode(y=y)
    tooltip = ["model:N", alt.Tooltip("difference:Q", format="+.4f")]
    band = pd.DataFrame([{"low": -chance, "high": chance}])
    layers = [
        alt.Chart(band)
        .mark_rect(color=GREY, opacity=0.25)
        .encode(alt.X("low:Q", scale=scale), x2="high:Q"),
        base.mark_bar(height={"band": 0.6}).encode(
            x, color=alt.Color("colour:N", scale=None), tooltip=tooltip
        ),
        base.mark_text(align="left", dx=5).encode(alt.X("anchor:Q", scale=scale), text="text:N"),
    ]
    return alt.layer(*layers).properties(height=85 + _ROW * len(models))
