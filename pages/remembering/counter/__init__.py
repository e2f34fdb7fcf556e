"""Parts of the page on learning to count."""
