"""Components of our own: what Streamlit does not draw. Each is three small files, no build step."""
