"""Charts as pure functions from tidy numbers: fixed axes, units, no state, no torch.

Each is a `Drawing`: a specification in the words of `vega_lite`, and the rows that it draws. A chart that
one page draws lives with that page.

Colours say the same thing on every page, and never say it alone: what is blocked is dashed, what
is a reference is grey and named, what is chosen carries a mark.
"""
