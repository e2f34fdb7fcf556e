"""Times as people say them."""


def duration(seconds: float) -> str:
    """Return a time for people, to the second, the minute, or the hour and minute."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
