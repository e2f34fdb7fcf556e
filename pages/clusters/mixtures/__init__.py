"""Parts of the page on what can go wrong with a mixture."""
