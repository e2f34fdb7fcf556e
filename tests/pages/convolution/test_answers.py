"""What the answers for teachers say of convolution, held to what the page computes and measured."""

from functools import cache
from itertools import product
from string import ascii_lowercase

import pytest
import torch

from lm_core.experiments.convolution import examples
from lm_core.experiments.convolution.digits import CANVAS, LEVELS
from lm_core.experiments.convolution.moved import move
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, GLOBAL_CNN, MLP, first_responses
from lm_core.experiments.convolution.training import CENTRED, PLACES
from lm_core.models.convolution import (
    AVERAGE,
    MAXIMUM,
    output_size,
    pool,
    shifted,
    toeplitz_matrix,
    trace_convolution,
)
from pages.convolution import digit_choice, inside_cnn, names
from pages.convolution.rows import AS_WRITTEN, FLIPPED, SLIDE_ROW, Rows, listed
from pages.shared.numbers import percent
from tests.pages.answering import assert_says

PAGE = "convolution"
(SHIFTED,) = set(PLACES) - {CENTRED}


@pytest.fixture(scope="module")
def results():
    return ConvolutionResults.load()


def feature_map(picture, weights):
    return trace_convolution(picture[None], weights[None]).output


def signed(number):
    return f"{number:g}".replace("-", "−")


# Image ----------------------------------------------------------------------------------------


def test_horizontal_edges_sees_the_bar_and_the_end_of_the_stem():
    found = feature_map(examples.PICTURES["T"], examples.FILTERS[examples.HORIZONTAL])
    bar, stem, end = found[:3], found[3:-1], found[-1]
    said = f"up to {bar.max():g}", f"down to {signed(bar.min())}", f"its end, {signed(end.min())}"
    assert_says(PAGE, "Choose *Horizontal edges*", *said)
    assert not stem.any()


def test_falling_line_responds_most_to_its_own_picture():
    weights = examples.FILTERS["Falling line"]
    most, least = ((weights * sign > 0).float() for sign in (1, -1))
    assert [float((weights * window).sum()) for window in (most, least)] == [6, -6]


def test_own_filters_give_the_picture_move_it_and_find_corners():
    picture = examples.PICTURES["Square"]
    same, beside = torch.zeros(2, 3, 3)
    same[1, 1] = beside[1, 2] = 1
    assert feature_map(picture, same).equal(picture[1:-1, 1:-1])
    assert feature_map(picture, beside).equal(picture[1:-1, 2:])
    corner = torch.tensor([[-1.0, -1, -1], [-1, 1, 1], [-1, 1, -1]])
    found = feature_map(picture, corner)
    assert (found == found.max()).nonzero().tolist() == [[1, 1]]
    said = f"A single {same.max():g} in the middle", f"weights of {corner.max():g}"
    assert_says(PAGE, "Choose the filter *Your own*", *said, f"rest {signed(corner.min())}")


def test_no_filter_responds_to_an_empty_picture():
    for weights in examples.FILTERS.values():
        assert not feature_map(torch.zeros(10, 10), weights).any()
    assert_says(PAGE, "Clear the picture", "all cells are 0")


# One row --------------------------------------------------------------------------------------


def sums(inputs, weights, zeros, convention):
    return Rows(inputs, weights, zeros, convention).trace(convention).output[0].tolist()


def test_a_symmetric_row_and_a_swap():
    x, w = SLIDE_ROW.inputs, SLIDE_ROW.weights
    found = [sums(x, (1.0, 2.0, 1.0), 2, convention) for convention in (FLIPPED, AS_WRITTEN)]
    assert found[0] == found[1]
    assert_says(PAGE, "Find two rows", "1 2 1")
    once, twice = sums(x, w, len(w) - 1, FLIPPED), sums(w, x, len(x) - 1, FLIPPED)
    assert once == twice
    assert_says(PAGE, "Swap x and w", listed(once), f"to be {len(x) - 1} now")
    turned = [sums(*rows, AS_WRITTEN) for rows in ((x, w, 2), (w, x, 3))]
    assert turned[0] == turned[1][::-1] != turned[1]


def test_half_of_what_a_row_has_beyond_one_keeps_the_length():
    x = tuple(map(float, range(8)))
    same = {(n, p) for n in range(1, 6) for p in range(5) if output_size(len(x), n, p) == len(x)}
    assert same == {(n, (n - 1) // 2) for n in (1, 3, 5)}
    assert_says(PAGE, "Which padding makes z", "(n − 1)/2 zeros", "it is 0")


# Sizes ----------------------------------------------------------------------------------------


def test_which_padding_keeps_the_size_and_which_makes_a_filter_fit():
    kept = {f: next(p for p in range(4) if output_size(8, f, p) == 8) for f in (3, 5)}
    said = f"Padding {kept[3]} for 3 × 3, padding {kept[5]} for 5 × 5"
    assert_says(PAGE, "With stride 1, which padding", said)
    places = {
        (f - x) % 2: output_size(x, f, -((x - f) // 2)) for f in range(2, 8) for x in range(1, f)
    }
    assert places == {0: 1, 1: 2}
    assert_says(PAGE, "Choose *Your own sizes* and a filter", "(f − x)/2", "with stride 1 there")


def test_two_images_give_the_same_map():
    found = {x: output_size(x, 3, 1, 2) for x in range(1, 13)}
    rows, columns = ([x for x, out in found.items() if out == size] for size in (3, 4))
    said = " and ".join(f"{row} × {column}" for row, column in zip(rows, columns, strict=True))
    assert_says(PAGE, "Choose *Your own sizes*. Find two", said)


def test_a_weight_stands_in_every_row_of_the_matrix():
    example = examples.SIZE_EXAMPLES[examples.SMALL]
    matrix = toeplitz_matrix(example.weights[0], (3, 3))
    assert (matrix == 3).sum(1).tolist() == [1, 1, 1, 1]
    assert_says(PAGE, "Choose *3 × 3 by 2 × 2*", "so four times")


# Shift ----------------------------------------------------------------------------------------


def moved(right, size=2, kind=MAXIMUM, names_=("Square", examples.VERTICAL)):
    picture, weights = examples.PICTURES[names_[0]], examples.FILTERS[names_[1]]
    return move(picture, weights, (0, right), size, kind)


def changed(*chosen, **others):
    return int(moved(*chosen, **others).changed.sum())


def test_a_move_by_the_stride_moves_the_pooled_map():
    before, after = moved(2).pooled
    assert torch.equal(shifted(before, 0, 1)[:, 1:], after[:, 1:])
    before, after = moved(3).pooled
    assert not any(torch.equal(shifted(before, 0, n)[:, n:], after[:, n:]) for n in (0, 1))
    assert_says(PAGE, "Move by 2, then by 3", "by 2 and not by 3")


def test_an_average_changes_more_often_and_by_less():
    found = {kind: moved(1, kind=kind).pooled for kind in (MAXIMUM, AVERAGE)}
    most = {kind: float((a - b).abs().max()) for kind, (a, b) in found.items()}
    said = f"{changed(1, kind=AVERAGE)} of {found[MAXIMUM][0].numel()} instead of {changed(1)}"
    most_said = f"at most {most[AVERAGE]:g} instead of {most[MAXIMUM]:g}"
    assert_says(PAGE, "Choose *average*", said, most_said)
    assert_says(PAGE, "Choose *average*", "mostly by less")
    less = []
    for names_ in product(examples.PICTURES, examples.FILTERS):
        assert changed(1, kind=AVERAGE, names_=names_) >= changed(1, names_=names_) > 0
        maximum, average = (
            float((a - b).abs().max())
            for a, b in (moved(1, kind=k, names_=names_).pooled for k in (MAXIMUM, AVERAGE))
        )
        less.append(average < maximum)
    assert sum(less) > len(less) / 2


def test_averages_that_cancel_stay_where_maxima_change():
    edges = ("Square", "All edges")
    assert changed(2, kind=AVERAGE, names_=edges) == 0
    assert not any(pooled.any() for pooled in moved(2, kind=AVERAGE, names_=edges).pooled)
    assert_says(
        PAGE,
        "Choose *average*",
        f"moved by 2, {changed(2, names_=edges)} maxima change and no average",
    )
    fewer = [
        changed(right, kind=AVERAGE, names_=names_) < changed(right, names_=names_)
        for right in (1, 2, 3)
        for names_ in product(examples.PICTURES, examples.FILTERS)
    ]
    assert 0 < sum(fewer) < len(fewer) / 10


def test_a_large_window_hides_a_move():
    assert [changed(right, 4) for right in (1, 2, 3)] == [0, 0, 2]
    picture = feature_map(examples.PICTURES["Square"], examples.FILTERS[examples.VERTICAL])
    assert pool(picture, 1).equal(picture)
    said = "by 1 or 2 changes none of the four", "by 3 changes two"
    assert_says(PAGE, "Set *Window of pooling*", "With 1 nothing", *said)


def test_at_the_edge_a_new_side_comes_into_view():
    picture = torch.zeros(10, 10)
    picture[:, :4] = 1
    before, after = (
        feature_map(shown, examples.FILTERS[examples.VERTICAL])
        for shown in (picture, shifted(picture, 0, 1))
    )
    assert not before[:, 0].any()
    assert after[:, 0].all()
    assert after[:, 1:].equal(before[:, :-1])


# Digits ---------------------------------------------------------------------------------------


def test_global_pooling_reads_corners(results):
    def corners(name, places=CENTRED):
        found = results.accuracies(name, places)[::4, ::4]
        return f"{percent(found.min())} to {percent(found.max())}"

    said = f"reads {corners(GLOBAL_CNN)}", f"CNN reads {corners(CNN)} there", f"MLP {corners(MLP)}"
    assert_says(PAGE, "Draw a digit in a corner", *said, f"CNN reads {corners(CNN, SHIFTED)}:")


def test_shifted_digits_cost_the_mlp_the_middle(results):
    for name, before in ((MLP, "falls from "), (CNN, "CNN from ")):
        middle = [percent(results.accuracies(name, places)[2, 2]) for places in (CENTRED, SHIFTED)]
        assert_says(PAGE, "Choose *shifted*", f"{before}{' to '.join(middle)}")


def shown(canvas, right=0):
    return digit_choice.Shown(digit_choice.INSIDE, CENTRED, canvas, right, 0)


def test_filters_prefer_directions_but_respond_to_all(results):
    middle = torch.arange(2, CANVAS - 2)
    strokes = torch.zeros(4, CANVAS, CANVAS)
    level = (5, middle)
    ends = (level, level[::-1], (middle, middle), (middle, CANVAS - 1 - middle))
    for stroke, place in zip(strokes, ends, strict=True):
        stroke[place] = LEVELS
    network = results.digit_networks[CNN, CENTRED]
    found = torch.stack(
        [network.trace(shown(stroke).image).first[0].amax((1, 2)) for stroke in strokes]
    )
    ratios = found.amax(0) / found.amin(0)
    assert int((found.argmax(0) == 0).sum()) == 5
    said = f"{ratios.min():.1f} to {ratios.max():.1f} times", "Five respond most"
    assert_says(PAGE, "Under *Inside*, draw", *said)


def test_a_digit_is_read_before_the_filters_have_changed_much(results):
    networks = [*inside_cnn._early.__wrapped__(CENTRED), results.digit_networks[CNN, CENTRED]]
    first, *_, last = filters = [network.first.flatten() for network in networks]
    way = [float((now - first).norm() / (last - first).norm()) for now in filters]
    three = digit_choice._examples.__wrapped__()["3"]
    reads = {
        right: [int(network(shown(three, right).image)[0].argmax()) for network in networks]
        for right in (0, 1)
    }
    at = {right: found.index(3) for right, found in reads.items()}
    later = reads[1][at[1] :]
    assert later[-1] == 3
    assert [a == 3 for a in later].count(False) == 1
    step = {right: inside_cnn._EARLY[i] for right, i in at.items()}
    moved_, centred = (percent(way[at[right]]) for right in (1, 0))
    said = f"first after {step[1]} steps", f"filters have come {moved_}"
    assert_says(PAGE, "Under *Inside*, play", *said, f"after {step[0]} steps, at {centred}")


# Names ----------------------------------------------------------------------------------------


@cache
def read(name):
    return names._read(ConvolutionResults.load(), name)


def test_the_same_letters_respond_alike_and_predict_otherwise():
    found = read("leelee")
    assert (found.responses[:, 2] == found.responses[:, 5]).all()
    first, second = (percent(float(found.next_letters[CNN][step][0])) for step in (3, 6))
    said = f"with {first} after the first", f"with {second} after the second"
    assert_says(PAGE, "Type a name twice", *said)


@pytest.mark.parametrize(
    ("listed_", "typed"),
    [("tta, ika", ("anna", "luna", "laura", "isabella")), ("eig, vey", ("mia", "olivia", "julia"))],
)
def test_which_filter_finds_an_a_depends_on_the_letters_before_it(results, listed_, typed):
    for name in typed:
        strongest = read(name).responses[:, -1].argmax()
        assert ", ".join(f.letters for f in results.favourites[strongest][:2]) == listed_
    said = f"*{listed_}*", *(f"*{name}*" for name in typed)
    assert_says(PAGE, "Which filters find the end", *said)


def test_each_three_letters_find_a_filter(results):
    threes = ["".join(letters) for letters in product(ascii_lowercase, repeat=3)]
    strongest = first_responses(results.character_cnn, threes)[:, :, -1].amax(1)
    own = strongest[threes.index("qxz")]
    assert own > strongest.median()
    said = f"with {own:.1f}", f"all {len(threes):,} threes", f"below {strongest.min():.1f}"
    assert_says(PAGE, "Try three letters", *said)
