"""Parts of the page on the number of clusters."""
