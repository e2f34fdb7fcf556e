"""The map in three dimensions, to be turned by hand or by two controls."""

import streamlit as st

from pages.embeddings.map_view import Drawn, MapView, Picture, title_of, true_neighbours
from pages.embeddings.word_space_chart import least_crowded_view, space_figure
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import download_csv

_HEIGHT = 370  # what a presenter's screen has left, too


def draw_space(view: MapView, picture: Picture) -> None:
    """Draw a picture of three dimensions, to be turned by hand or by the two controls."""
    truth = true_neighbours(view, picture.points) if view.is_revealed else None
    flat = Drawn.of(view, picture, truth).frame
    frame = flat.assign(z=picture.points[:, 2].numpy())
    title = title_of(view, picture, truth)
    st.markdown(f"**{title}**")
    place = st.container()
    opening = least_crowded_view(picture.points.numpy())
    with st.container(horizontal=True):
        turn = control(st.slider, "turn", "Turned by", -180, 180, opening[0], format="%d°")
        tilt = control(st.slider, "tilt", "Tilted by", -90, 90, opening[1], format="%d°")
    style = chart_style()
    name = f"space-{view.choice.name}"
    figure = space_figure(
        frame,
        groups=view.shown.legend,
        turn=turn,
        tilt=tilt,
        ink=style.text_colour,
        text_size=style.text_size,
        height=_HEIGHT,
    )
    with place:
        st.plotly_chart(
            figure,
            key="space",
            alt=f"{title}. {len(frame)} words in three dimensions.",
            config={"toImageButtonOptions": {"format": "svg", "filename": name}},
        )
    if is_presenting():
        return
    with st.popover("Data and export", icon=":material/table:", type="tertiary", key="space_data"):
        st.dataframe(frame, hide_index=True, height=320)
        download_csv(frame, name, key="space_csv")
        st.caption("The camera button above the picture saves it as SVG.")
    st.caption("Drag to turn. A link stores the two angles above, not a turn by hand.")
