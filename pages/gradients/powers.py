"""Numbers over many powers of ten, as a page says them."""

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_powers(value: float) -> str:
    """Return a number of two digits, with a power of ten where it is far from 1.

    Examples
    --------
    >>> in_powers(0.0242), in_powers(5.4e-19), in_powers(1234.0), in_powers(0.0)
    ('0.024', '5.4 × 10⁻¹⁹', '1,200', '0')
    """
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "infinite"
    if 1e-3 <= abs(value) < 1e5:
        shown = f"{float(f'{value:.2g}'):,g}"
        return shown.replace("-", "−")
    digits, power = f"{value:.1e}".split("e")
    return f"{digits} × 10{str(int(power)).translate(_RAISED)}".replace("-", "−")
