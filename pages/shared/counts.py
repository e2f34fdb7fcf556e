"""So many of a thing, in words: never "1 words"."""


def counted(n: int, noun: str) -> str:
    """Return a number of things whose plural takes an s.

    Examples
    --------
    >>> counted(1, "word"), counted(1200, "token")
    ('1 word', '1,200 tokens')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
