"""Between the network and the pages: what the process and Streamlit do for all visitors."""
