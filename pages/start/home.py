"""Home."""

import streamlit as st

st.title("LM Lab")
