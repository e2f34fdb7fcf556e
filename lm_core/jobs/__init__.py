"""Jobs: runs in folders, their queue, and the worker processes that carry them out."""
