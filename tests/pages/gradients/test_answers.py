"""What the answers for teachers say of gradients, held to what the page computes."""

from functools import cache
from statistics import mean

import pytest

from lm_core.experiments.gradients import normalisation
from lm_core.experiments.gradients.expressions import compute
from lm_core.experiments.gradients.study import GradientResults
from lm_core.models import autodiff, deep_network
from pages.gradients import autodiff as autodiff_part
from pages.gradients import clipping, depth, jacobian, networks_by_depth
from pages.shared import page
from pages.shared.numbers import percent, significant
from tests.pages import answering
from tests.pages.answering import suggestion

PAGE = "gradients"
NETWORK, RECURRENCE, DESCENT = map(
    page.starts, (depth.Network, jacobian.Recurrence, clipping.Chosen)
)


def assert_says(address, beginning, *said):
    """Hold an answer to figures that are written with plain spaces, as answers are."""
    answering.assert_says(address, beginning, *(text.replace("\u202f", " ") for text in said))


@cache
def arrives(**changed):
    """Return the variance of the gradient at the input by initialisation."""
    found = networks_by_depth.variances_of.__wrapped__(NETWORK._replace(**changed)).gradients
    return {name: row[0] for name, row in found.items()}


@cache
def unrolled(**changed):
    return jacobian._unrolled.__wrapped__(RECURRENCE._replace(**changed))


@cache
def descents(**changed):
    return clipping._descents.__wrapped__(DESCENT._replace(**changed))


def leaves(way):
    """Return after how many steps a descent has left the picture."""
    low, high = clipping._LEFT, clipping._RIGHT
    w, b = way.places.unbind(-1)
    out = (w < low) | (w > high) | (b < clipping._LOW) | (b > clipping._HIGH)
    return next((step for step, is_out in enumerate(out.tolist()) if is_out), None)


# Depth ----------------------------------------------------------------------------------------


def test_tanh_keeps_its_gradient_at_a_smaller_deviation_than_relu():
    tanh, relu = (
        {
            sigma: arrives(activation=name, deviation=sigma)["naive"]
            for sigma in networks_by_depth.DEVIATIONS
        }
        for name in ("tanh", "relu")
    )
    best = min(tanh, key=lambda sigma: abs(depth._log(tanh[sigma])))
    said = f"σ = {best:g}", significant(tanh[best], 2), significant(relu[best], 1)
    assert_says(PAGE, "Under *More*, find the σ", *said, f"about {round(tanh[0.2], -3):,.0f}")
    assert_says(PAGE, "Under *More*, find the σ", f"σ = {(2 / networks_by_depth.WIDTH) ** 0.5:.2f}")
    others = [arrives(activation="tanh", deviation=0.2, seed=s)["naive"] for s in range(2, 9)]
    said = " to ".join(f"{round(some, -3):,.0f}" for some in (min(others), max(others)))
    assert_says(PAGE, "Under *More*, find the σ", f"next seven to {said}")
    assert tanh[0.05] < 1e-15
    assert relu[0.1] < 1e-9 < 1e8 < relu[0.2]


def test_of_relu_only_hes_gradient_keeps_its_size():
    found = arrives(activation="relu")
    said = [significant(found["He"], 2), significant(found["Xavier"], 1)]
    assert_says(PAGE, "Choose ReLU", *said)
    others = [arrives(activation="relu", seed=seed)["He"] for seed in range(2, 9)]
    said = " to ".join(significant(some, 2) for some in (min(others), max(others)))
    assert_says(PAGE, "Choose ReLU", f"{said} with the next seven")
    assert found["orthogonal"] < 1e-8


def test_of_sigmoid_residual_layers_and_batch_norm_help():
    plain, layer_norm = (
        arrives(activation="sigmoid"),
        arrives(activation="sigmoid", block=deep_network.LAYER_NORM),
    )
    assert max(plain, key=plain.__getitem__) == "He"
    powers = {
        power: round(depth._log(found["He"]))
        for power, found in (("⁻³⁰", plain), ("⁻²⁵", layer_norm))
    }
    assert powers == {"⁻³⁰": -30, "⁻²⁵": -25}
    assert_says(PAGE, "Choose *Sigmoid*", *(f"10{power}" for power in powers))
    batch_norm = arrives(activation="sigmoid", block=deep_network.BATCH_NORM)
    assert_says(PAGE, "Choose *Sigmoid*", f"about {batch_norm['He']:.1f}")
    residual = arrives(activation="sigmoid", block=deep_network.RESIDUAL)
    assert min(residual.values()) > 1
    assert arrives(activation="sigmoid", deviation=1.0)["naive"] > 0.1


def test_batch_norm_lets_gradients_grow_by_a_factor_in_each_layer():
    relu, tanh = (
        arrives(activation=name, block=deep_network.BATCH_NORM)["Xavier"]
        for name in ("relu", "tanh")
    )
    factors = [f"about {found ** (1 / NETWORK.depth):.1f}" for found in (relu, tanh)]
    whole = f"about {round(relu, -4):,.0f}", f"about {round(tanh, -1):.0f}"
    assert_says(PAGE, "Batch norm makes", *factors, *whole)


# Jacobian -------------------------------------------------------------------------------------


def test_it_depends_on_the_seed_after_how_many_steps_a_gradient_is_ten_times_as_long():
    after = []
    for seed in range(1, 13):
        norms = unrolled(radius=1.1, seed=seed).norms.tolist()
        after.append(next((step for step, norm in enumerate(norms) if norm >= 10), None))
    within = [step for step in after[1:] if step]
    assert_says(PAGE, "Move the spectral", f"{after[0]} steps", f"{min(within)} to {max(within)}")
    assert after.count(None) == 3


def test_a_triangular_matrix_lets_a_gradient_grow_and_vanish():
    found = unrolled(matrix="Triangular")
    for values in (found.norms, found.largest):
        most = significant(float(values.max()), 2)
        assert_says(PAGE, "Triangular", f"{most} after {int(values.argmax())}")
    assert_says(PAGE, "Triangular", f"{float(found.norms[-1]):.2f}")


def test_tanh_vanishes_at_the_largest_radius_but_with_an_orthogonal_matrix_it_depends():
    largest = {"radius": jacobian.RADII[-1], "recurrent_activation": "tanh"}
    left = [float(unrolled(seed=seed, **largest).norms[-1]) for seed in range(1, 9)]
    said = [f"about {percent(left[0])}", f"{percent(min(left[1:]))} to {percent(max(left[1:]))}"]
    radius = float(unrolled(seed=1, **largest).radii.mean())
    assert_says(PAGE, "Choose *Tanh*", *said, f"{radius:.2f} on average")
    first, *others = (
        float(unrolled(seed=seed, matrix="Orthogonal", **largest).norms[-1]) for seed in range(1, 9)
    )
    assert first == pytest.approx(1, abs=0.1)
    said = f"{percent(min(others))} to {round(max(others), 1) * 100:.0f} %"
    assert_says(PAGE, "Choose *Tanh*", said)


def test_an_orthogonal_matrix_keeps_every_length():
    found = unrolled(matrix="Orthogonal", radius=1.0)
    assert found.norms.tolist() == pytest.approx([1] * 41)
    assert found.largest.tolist() == pytest.approx([1] * 41)


# Clipping -------------------------------------------------------------------------------------


def test_beside_the_cliff_a_descent_is_thrown_and_elsewhere_not():
    starts = [w / 10 for w in range(20, 81)]
    thrown = [w for w in starts if leaves(descents(start_w=w, start_b=-2.5)["not clipped"])]
    assert_says(PAGE, "Drag the start", f"w = {min(thrown)} and {max(thrown)}")
    settled = descents(start_w=3.0, start_b=-1.0)["not clipped"]
    assert_says(PAGE, "Drag the start", f"{float(settled.norms.max()):.2f}")
    assert float(settled.losses[-1]) < 1e-9
    slow = descents(start_w=7.0, start_b=-2.0)["not clipped"]
    assert leaves(slow) is None
    assert float(slow.places[-1, 0]) > 6.8


def test_a_large_norm_throws_the_clipped_descent_back():
    ends = {c: descents(clip=c)["clipped"] for c in clipping.NORMS}
    assert [leaves(way) for way in ends.values()] == [None] * len(ends)
    losses = [f"{significant(float(ends[c].losses[-1]), 2)} with c = {c:g}" for c in (1.0, 2.0)]
    assert max(float(ends[c].losses[-1]) for c in (0.2, 0.5)) < 1e-5
    longest = float(descents()["not clipped"].norms.max())
    assert_says(PAGE, "How large may c", *losses, f"about {round(longest, -1):.0f}")
    far = descents(clip_rate=2.0, clip=2.0)["clipped"]
    assert_says(PAGE, "How large may c", f"{leaves(far)} steps")


# Batch norm -----------------------------------------------------------------------------------


def test_a_pair_is_often_two_zeros():
    zeros = float((normalisation.unit_values() == 0).double().mean()) ** 2
    assert_says(PAGE, "Batches of 2", f"about {percent(zeros)}")


def test_batch_norm_is_as_good_as_layer_norm_at_32_and_its_own_statistics_are_worse_from_8_on():
    results = GradientResults.load()

    def wrong(layers, size, value="evaluated"):
        return mean(getattr(run, value) for run in results.of(layers, size))

    pairs = {
        n: (wrong(normalisation.BATCH_NORM, n), wrong(normalisation.LAYER_NORM, n))
        for n in normalisation.BATCH_SIZES
    }
    assert all(batch > layer for n, (batch, layer) in pairs.items() if n < 32)
    for n, joined in ((32, " and "), (64, " against ")):
        assert_says(PAGE, "At which batch", joined.join(percent(share, 1) for share in pairs[n]))
    assert wrong(normalisation.NONE, 64) == pytest.approx(pairs[64][1], abs=0.005)
    own = {n: wrong(normalisation.BATCH_NORM, n, "in_batches") for n in normalisation.BATCH_SIZES}
    assert [n for n in normalisation.BATCH_SIZES if own[n] > pairs[n][0]] == [8, 16, 32, 64]
    assert_says(PAGE, "Why is a network", percent(pairs[8][0]), percent(own[8]))


# Autodiff -------------------------------------------------------------------------------------


def computed(formula, x):
    return compute(formula, autodiff_part.VALUES | {"x": x})


def test_the_adjoint_of_x_is_the_sum_of_three_ways():
    x = autodiff_part.VALUES["x"]
    found = computed("x*x*x", x)
    ((adjoint,),) = autodiff.jacobian(
        found.graph, [found.inputs["x"]], found.outputs, is_reverse=True
    )
    assert_says(PAGE, "Type `x*x*x`", f"{adjoint:g} at x = {x:g}")


def test_the_innermost_tanh_saturates_first():
    graph = computed("tanh(tanh(tanh(x)))", 3.0).graph
    inner, *outer = (node.partials[0] for node in graph.nodes if node.arguments)
    assert_says(PAGE, "Type `tanh", f"{inner:.2f}", " and ".join(f"{slope:.2f}" for slope in outer))


def test_formulas_come_back_above_3():
    for formula in ("1/(x - 2)", "log(x - 3)"):
        assert formula in suggestion(PAGE, "Type `1/(x").text
        with pytest.raises(autodiff.DomainError):
            computed(formula, autodiff_part.VALUES["x"])
        assert computed(formula, 3.5).outputs
