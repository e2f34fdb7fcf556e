"""Parts of the page on who remembers the beginning."""
