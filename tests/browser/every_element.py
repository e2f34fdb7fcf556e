"""One of each of Streamlit's elements that the lab's styles or scripts look for; only a test ever sees it."""

import pandas as pd
import streamlit as st

COMPONENT = st.components.v2.component("one", html="<p>One</p>\n", js="export default () => {}\n")

st.title("Every element")
st.html("<style>p { color: inherit; }</style>")
st.markdown("Words")
st.text("Words")
st.caption("Small words")
st.skeleton()
st.code("words = []")
st.dataframe({"x": [0, 1]})
st.warning("A note")
st.sidebar.markdown("Beside")
st.exception(ValueError("an error"))
for column in st.columns(2):
    column.caption("In a column")
with st.container(horizontal=True, key="row"):
    st.button("Less", type="tertiary")
    st.button("More", type="primary")
with st.popover("A popover"):
    st.markdown("Within")
st.menu_button("Examples", ["a"])
st.slider("Slider", 0, 9)
st.toggle("Switch")
st.text_input("Text")
st.text_area("Long text")
st.selectbox("One of two", ["a", "b"])
st.multiselect("Some of two", ["a", "b"], ["a"])
st.radio("Which", ["a", "b"])
st.segmented_control("Part", ["a", "b"])
st.page_link("https://example.org", label="Elsewhere")
with st.container(key="charted_one"):
    st.vega_lite_chart(
        pd.DataFrame({"x": [0, 1]}), {"mark": "point", "encoding": {"x": {"field": "x"}}}
    )
st.plotly_chart({"data": [{"type": "scatter", "y": [0, 1]}], "layout": {}})
COMPONENT(data={}, key="own")
