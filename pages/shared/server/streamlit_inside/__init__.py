"""All that the lab needs of Streamlit's inner side, and of what Streamlit runs on; nothing else reaches there.

`reliances` names each private name that is used here, and what the lab is without it. `turn_on_all` and
`is_on` look whether they are there: on a version of Streamlit that has not got one, what needs it stays off,
the log says so, and the lab runs without.
"""
