"""Numbers as people read them: 45 %, 1,200, 0.25 and 3 × 10⁻⁵."""

import math

NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""What stands within a number and before its unit: no line is broken there."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")  # digits and sign of an exponent
_LEAST, _MOST = 1e-4, 1e7  # beyond these, a number is written with a power of ten


def percent(share: float, decimals: int = 0, *, signed: bool = False) -> str:
    r"""Return a share as a percentage.

    Examples
    --------
    >>> percent(0.45), percent(0.0832, 1), percent(0.02, signed=True), percent(-0.001)
    ('45\u202f%', '8.3\u202f%', '+2\u202f%', '0\u202f%')
    """
    said = f"{100 * share:{'+' if signed else ''}z.{decimals}f}"
    return f"{said}{NARROW_SPACE}%".replace("-", "−")


def significant(value: float, digits: int) -> str:
    r"""Return a number with so many significant digits, never as a programmer's ``1e-05``.

    Examples
    --------
    >>> significant(140.2, 2), significant(0.3146, 3), significant(-0.0, 2), significant(-0.5, 1)
    ('140', '0.315', '0', '−0.5')
    >>> significant(5.4e-19, 2), significant(2.5e9, 1), significant(math.inf, 3), significant(1e-7, 1)
    ('5.4\u202f×\u202f10⁻¹⁹', '2\u202f×\u202f10⁹', '∞', '10⁻⁷')
    >>> significant(1e-4, 1), significant(9.9e-5, 2), significant(9.9e6, 2), significant(1e7, 1)
    ('0.0001', '9.9\u202f×\u202f10⁻⁵', '9,900,000', '10⁷')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    rounded = float(f"{mantissa}e{exponent}")
    if math.isnan(value) or rounded == 0 or _LEAST <= abs(rounded) < _MOST:
        return f"{rounded + 0.0:,.{max(digits, 7)}g}".replace("-", "−")
    power = f"10{str(int(exponent)).translate(RAISED)}"
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    factors = [power] if mantissa == "1" else [mantissa.replace("-", "−"), power]
    return f"{NARROW_SPACE}×{NARROW_SPACE}".join(factors)


def written(value: float, form: str) -> str:
    r"""Return a number by a format of Python's that an axis knows too, such as ``.1%`` or ``.2f``.

    Examples
    --------
    >>> written(0.5, ".1%"), written(-0.5, ".2f")
    ('50.0\u202f%', '−0.50')
    """
    if form.endswith("%"):
        return percent(value, int(form[1:-1]))
    return format(value, form).replace("-", "−")
