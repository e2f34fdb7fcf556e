"""The formula of attention with the numbers of small matrices."""

import math

from lm_core.models.attention import AttentionTrace


def formula(trace: AttentionTrace, query: int, key: int, *, divisor: float) -> list[str]:
    """Return the stages of the chosen cell as lines of LaTeX, each with its ``&=``.

    Parameters
    ----------
    trace : AttentionTrace, of matrices without leading axes
    query, key : int, from 0
    divisor : float, what the scores were divided by
    """
    q, k = trace.queries[query].tolist(), trace.keys[key].tolist()
    products = " + ".join(rf"{_factor(a)} \cdot {_factor(b)}" for a, b in zip(q, k, strict=True))
    score, scaled = float(trace.scores[query, key]), float(trace.scaled_scores[query, key])
    masked, weight = float(trace.masked_scores[query, key]), float(trace.weights[query, key])
    row = [value for value in trace.masked_scores[query].tolist() if value != -math.inf]
    if masked == -math.inf:
        after, share = r"-\infty", r"e^{-\infty} = 0"
    else:
        exponents = " + ".join(f"e^{{{written(value)}}}" for value in row)
        after, share = (
            written(masked),
            rf"\frac{{e^{{{written(masked)}}}}}{{{exponents}}} = {written(weight, 3)}",
        )
    mixed = [
        rf"{written(w, 3)}\,{_vector(v)}"
        for w, v in zip(trace.weights[query].tolist(), trace.values.tolist(), strict=True)
    ]
    return [
        rf"\text{{score}} &= q_{query + 1} \cdot k_{key + 1}",
        rf"&= {products} = {written(score)}",
        rf"\text{{scaled}} &= {written(score)} / {written(divisor, 3)} = {written(scaled)}",
        rf"\text{{masked}} &= {after}",
        rf"\text{{weight}} &= {share}",
        rf"\text{{output}}_{query + 1} &= {mixed[0]}",
        *(rf"&\quad + {term}" for term in mixed[1:]),
        rf"&= \mathbf{{{_vector(trace.output[query].tolist(), 3)}}}",
    ]


def written(number: float, digits: int = 2) -> str:
    """Return a number without zeros that say nothing."""
    return f"{number + 0.0:.{digits}f}".rstrip("0").rstrip(".") or "0"


def _factor(number: float) -> str:
    return f"({written(number)})" if number < 0 else written(number)


def _vector(numbers: list[float], digits: int = 2) -> str:
    return "(" + ",\\, ".join(written(number, digits) for number in numbers) + ")"
