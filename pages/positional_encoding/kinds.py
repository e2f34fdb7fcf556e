"""What the ways to say a position are called."""

TITLES = {
    "none": "none",
    "learned": "learned codes",
    "sinusoidal": "sines and cosines",
    "binary": "binary digits",
    "rotary": "rotary",
    "t5": "T5's buckets",
    "alibi": "ALiBi",
}
"""By the name that a transformer's config has for them."""
