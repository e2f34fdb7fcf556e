"""Parts of the page on what goes into a recurrent network, and what comes out."""
