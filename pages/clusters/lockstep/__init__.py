"""Parts of the pages on clusters: points, both methods in step, and what follows from them."""
