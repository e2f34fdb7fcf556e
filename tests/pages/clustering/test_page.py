"""The three pages on clusters: both methods side by side, choosing K, and mixture pitfalls."""

import base64
import json
import math
import re
from collections import Counter
from types import SimpleNamespace
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch

from lm_core.clustering import k_means, side_by_side
from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.metrics import inertia_of_groups, is_misassigned
from lm_core.clustering.number_of_clusters import RESTARTS
from lm_core.clustering.restarts import KINDS, STARTS_OF_A_KIND
from lm_core.experiments.clustering.editing import (
    LONGEST,
    MOST_EDITS,
    PointEdit,
    read_edits,
    with_edits,
)
from pages.clustering import editing, moves
from pages.clustering import numbers as numbers_of_page
from pages.clustering.editing import MOST_IN_LINK
from pages.clustering.runs import Moment
from pages.clustering.tables import plain_points
from pages.shared.clustering import data as drawn_data
from pages.shared.clustering import words
from pages.shared.clustering.uploaded_table import read_table
from pages.shared.components import cluster_panels
from pages.shared.components.cluster_panels import Edit, Panel, bounds_of, checked_edit
from pages.shared.registry import PAGES
from pages.shared.word_links import WORDS
from tests.pages.playing import put
from tests.pages.visits import (
    alt,
    charts,
    data,
    drawn_rows,
    guess,
    holds,
    numbers,
    press,
    sent_to,
    shows,
    text,
    visit,
)

PAGE = "pages/clustering/page.py"


ANSWERED = ",".join(f"groups_{name}" for name in ("955", "twoblobs", "iris", "yourowntable"))


def arrive(**asked):
    """Open the page as a visitor who has answered which method finds the groups."""
    return visit(PAGE, **({"reveal": ANSWERED} | asked))


def panels(app):
    found = sent_to(app)
    return next(data for data in found if "panels" in data)


def labels(panel):
    return list(base64.b64decode(panel["labels"]))


def errors_at_the_end(app):
    """How many points each method has in a wrong cluster when it has converged."""
    return table_of(app, "wrong at the end")["wrong at the end"].tolist()


def significant(value):
    """A value as the page writes it, with four digits."""
    return float(f"{value:.4g}")


def table_of(app, column):
    return next(t.value for t in app.dataframe if column in t.value.columns)


# Both methods ---------------------------------------------------------------------------------


def test_each_step_brings_those_beside_it_along():
    app = arrive(points="60", step="0")
    last = int(app.slider(key="step").max)
    seen = []
    for step in range(last + 1):
        put(app, "step", step)
        seen.append(panels(app))
    for step, shown in enumerate(seen):
        foreseen = {f["button"]: f for f in shown["foreseen"]}
        beside = {"step_back": step - 1, "step_forward": step + 1}
        assert foreseen.keys() == {b for b, to in beside.items() if 0 <= to <= last}
        for button, found in foreseen.items():
            assert found["panels"] == seen[beside[button]]["panels"]
            assert app.button(key=button)


@pytest.mark.parametrize("step", ["0", "1"])
def test_while_guesses_are_asked_for_nothing_is_brought_along(step):
    data = panels(arrive(points="60", step=step, predict="true"))
    assert data["foreseen"] == [], "it would lack the mark ?, and a click would add a point"


def test_one_iteration_is_one():
    app = arrive(points="30", initialisation="placed by hand", centres="5 1; 1 4")
    put(app, "step", app.slider(key="step").max)
    hard, soft = (panel["note"] for panel in panels(app)["panels"])
    assert re.search(r"\b1 iteration: converged", hard)
    assert re.search(r"\b4 iterations: converged", soft)


def test_both_methods_start_from_the_same_centres_and_step_together():
    app = arrive(step="0")
    hard, soft = panels(app)["panels"]
    assert hard["centres"] == soft["centres"]
    assert "assignment step" in hard["note"]
    put(app, "step", 1)
    hard, soft = panels(app)["panels"]
    assert hard["centres"] != soft["centres"]
    assert "update step" in hard["note"]
    assert "M-step" in soft["note"]
    assert len(hard["trails"][0]) == 2
    assert hard["assigned_by"] == hard["trails"][0][:1] + hard["trails"][1][:1]
    assert hard["centres"] == [trail[-1] for trail in hard["trails"]]
    before = labels(hard)
    app = press(app, "step_back")
    assert app.slider(key="step").value == 0
    assert labels(panels(app)["panels"][0]) == before, "an update must not relabel"


def test_shares_travel_with_the_points_and_sum_to_one():
    data = panels(arrive(step="4", clusters="4"))
    shares = np.frombuffer(base64.b64decode(data["panels"][1]["shares"]), np.uint8)
    assert shares.reshape(100, 4).astype(int).sum(1) == pytest.approx(255, abs=2)
    assert labels(data["panels"][1]) == shares.reshape(100, 4).argmax(1).tolist()
    assert data["panels"][0]["background"] == "hard"
    assert data["panels"][1]["background"] == "soft"


def test_the_page_opens_at_the_end_and_shows_nothing_of_the_truth_before_the_guess():
    app = visit(PAGE)
    step = app.slider(key="step")
    assert step.value == step.max
    assert shows(app, "divide", 100, 2), "how, that is asked"
    shown = panels(app)
    assert shown["truth"] == []
    assert [panel["wrong"] for panel in shown["panels"]] == [None, None]
    assert not any("wrong now" in table.value for table in app.dataframe)
    right, wrong = guess(app, "groups_955", 1), guess(visit(PAGE), "groups_955", 0)
    for answered, said in ((right, "Right"), (wrong, "Not quite")):
        assert shows(answered, said, "EM", 32, 100, 0)
        assert len(panels(answered)["truth"]) == 2
        assert sum(base64.b64decode(panels(answered)["panels"][0]["wrong"])) == 32


def test_the_end_stays_on_screen_while_settings_change_and_another_step_does_not():
    app = visit(PAGE)
    app.slider(key="clusters").set_value(4).run()
    assert app.slider(key="step").value == app.slider(key="step").max
    put(app, "step", 2)
    app.slider(key="clusters").set_value(3).run()
    assert app.slider(key="step").value == 2


def test_the_bad_case_is_bad_for_k_means_alone_and_the_good_one_for_none():
    app = arrive()
    assert errors_at_the_end(app) == [32, 0]
    assert 100 in numbers(table_of(app, "published")["published"][0])
    app = press(app, "example_two blobs")
    assert errors_at_the_end(app)[0] == 0
    assert app.selectbox(key="data").value == "two blobs"


def test_a_case_of_the_source_is_shown_as_it_was_whatever_was_changed():
    app = arrive(
        edits="9 4; 1 1; 2 2",
        covariance="tied",
        em_initialisation="from the k-means clusters",
        step="2",
    )
    app = press(app, "example_95 : 5")
    assert n_points(app) == 100
    assert app.selectbox(key="covariance").value == "full"
    assert errors_at_the_end(app) == [32, 0]
    app = press(app, "clusters_undo")
    assert n_points(app) == 103
    app = press(press(app, "example_two blobs"), "example_95 : 5")
    assert n_points(app) == 100


def reason(app):
    """What the verdict and the sentence on the errors say of both inertias: k-means', the true groups'."""
    said = [markdown.value for markdown in app.markdown if "The inertia" in markdown.value]
    assert said == [] or len(said) == 2, "beside the picture and under the table"
    return said


def test_why_k_means_errs_is_what_the_two_inertias_say():
    app = arrive()
    drawn = drawn_data.load("95 : 5", 100, 8)
    true = inertia_of_groups(drawn.points, drawn.labels)
    stopped = k_means.fit(drawn.points, initial_centres(drawn.points, 2, "random points", 8, 1))
    assert stopped.inertia > true, "the groups would be better, so the reason is where it began"
    for said in reason(app):
        assert holds(said, significant(stopped.inertia), significant(true))
        assert "local optimum" in said
    assert shows(app, 96, 4), "what was drawn of 95 : 5"
    lucky = press(app, "next_restart")
    put(lucky, "step", lucky.slider(key="step").max)
    assert errors_at_the_end(lucky)[0] == 0
    assert not reason(lucky)


def test_where_k_means_prefers_other_groups_no_start_is_recommended():
    app = arrive(data="rings", reveal="groups_rings")
    drawn = drawn_data.load("rings", 100, 8)
    true = inertia_of_groups(drawn.points, drawn.labels)
    ends = [
        k_means.fit(drawn.points, initial_centres(drawn.points, 2, "random points", 8, n)).inertia
        for n in range(1, 20)
    ]
    assert max(ends) < true
    for said in reason(app):
        assert holds(said, significant(ends[0]), significant(true))
        assert "by its own measure the wrong division is the better one" in said
    assert reason(app)


@pytest.mark.parametrize("clusters", ["1", "3", "5"])
def test_the_reason_is_said_of_as_many_clusters_as_groups_alone(clusters):
    assert not reason(arrive(clusters=clusters))


def test_an_added_point_leaves_the_start_as_it_was():
    before, after = arrive(step="0"), arrive(step="0", edits="4.5 1.2")
    assert n_points(after) == 101
    for a, b in zip(panels(before)["panels"], panels(after)["panels"], strict=True):
        assert a["centres"] == b["centres"]
    ends = errors_at_the_end(arrive(edits="4.5 1.2"))
    assert ends[0] == 32, "one point more does not end another way"


def test_counts_say_what_the_rings_show():
    app = arrive(step="2")
    now = table_of(app, "wrong now")["wrong now"].tolist()
    rings = [sum(base64.b64decode(panel["wrong"])) for panel in panels(app)["panels"]]
    assert rings == now
    app.button_group(key="drawn").set_value(["borders"]).run()
    assert panels(app)["panels"][0]["wrong"] is None
    assert panels(app)["truth"] == []


def test_traces_end_where_the_text_says():
    app = arrive(step="3")
    inertia = data(app, "inertia")
    likelihoods = data(app, "likelihood").query("line == 'log-likelihood'")
    likelihood = likelihoods["log-likelihood of EM"].tolist()
    values = inertia["inertia of k-means"].tolist()
    assert values == sorted(values, reverse=True)
    now_and_end = (values[3], values[-1], likelihood[3], likelihood[-1])
    assert shows(app, *map(significant, now_and_end))
    assert inertia["phase"].tolist()[:2] == ["assignment", "update"]


def test_the_present_step_of_the_first_line_is_ringed_and_what_is_infinite_is_left_out(monkeypatch):
    drawn = {}
    monkeypatch.setattr(
        numbers_of_page.page,
        "show_lines",
        lambda key, lines, *_, **given: drawn.update(given, of=lines),
    )
    lines = {"log-likelihood": [-5.0, -3.0, math.inf], "lower bound": [-6.0, -4.0, math.nan]}
    for step, ringed in ((0, (0, -5.0)), (1, (1, -3.0)), (99, (1, -3.0))):
        numbers_of_page._by_step("likelihood", "title", lines, ("E-step", "M-step"), step)
        assert drawn["of"]["log-likelihood"] == [(0, -5.0), (1, -3.0)]
        assert drawn["rings"] == {"log-likelihood": [ringed]}
        assert drawn["now"] == ringed[0]


def test_log_likelihood_and_lower_bound_differ_by_dash_too():
    rows = drawn_rows(arrive(step="3"), "likelihood")
    dashes = rows[rows["kind"] == "line"].groupby("name")["dash"].unique()
    assert dashes["log-likelihood"] != dashes["lower bound"]
    assert rows[rows["kind"] == "ring"]["x"].tolist() == [3.0]


def test_the_numbers_of_a_point_are_those_of_the_formula():
    app = arrive(point="17", step="6", clusters="3")
    rows = table_of(app, "responsibility")
    assert rows["responsibility"].sum() == pytest.approx(1.0)
    joint = rows["π N(x)"]
    best = int(rows["responsibility"].idxmax())
    assert rows["responsibility"][best] == pytest.approx(joint[best] / joint.sum())
    assert f"r_{{17,{best + 1}}}" in app.get("latex")[0].value
    assert f"= {rows['responsibility'][best]:.3f}" in app.get("latex")[0].value


def test_a_component_that_only_the_floor_holds_up_is_named_when_it_happens():
    app = arrive(points="20", clusters="6", step="0")
    assert not app.warning
    put(app, "step", app.slider(key="step").max)
    assert 1e-6 in numbers(app.warning[0].value)
    app = hand_in(arrive(data="your own table"), "5\n6\n9\n1")
    put(app, "step", 2)
    assert not app.warning, "on a line all components are flat"


def test_densities_that_no_number_can_hold_are_powers_of_e():
    far = "; ".join(["1500 1 1000000000", "9 9"])
    formula = arrive(points="1500", edits=far, point="1500", step="0").get("latex")[0].value
    powers = [int(power) for power in re.findall(r"e\^\{(-\d+)\}", formula)]
    assert len(powers) == 3, "one above, two below"
    assert powers[0] == max(powers)
    assert r"\frac{0}" not in formula


def test_many_components_are_summed_up_in_the_formula():
    app = arrive(clusters="6", step="4")
    total = table_of(app, "responsibility")["π N(x)"].sum()
    below = re.search(r"\\frac\{[\d.]+\}\{([\d.]+)\} =", app.get("latex")[0].value)[1]
    assert float(below) == pytest.approx(total, abs=1e-4)


def test_a_point_that_is_gone_takes_its_number_with_it():
    app = arrive(point="90")
    app.slider(key="points").set_value(20).run()
    assert not app.exception
    assert app.number_input(key="point").value == 20


# Restarts, edits, undo ------------------------------------------------------------------------


def test_run_from_here_starts_both_from_a_methods_centres_and_is_undone():
    app = arrive(step="3")
    there = panels(app)["panels"][1]["centres"]
    app = press(app, "start_from_em")
    assert app.selectbox(key="initialisation").value == editing.BY_HAND
    assert app.slider(key="step").value == 0
    hard, soft = panels(app)["panels"]
    assert hard["centres"] == soft["centres"]
    assert np.allclose(hard["centres"], there, rtol=1e-3)
    app = press(app, "clusters_undo")
    assert app.selectbox(key="initialisation").value == "random points"
    assert app.slider(key="step").value == 3
    assert panels(app)["panels"][1]["centres"] == there


def test_run_from_here_keeps_centres_that_lie_far_from_zero_apart():
    rows = "\n".join(f"{1_700_000_000 + 300 * (i % 2) + i},{i % 5}" for i in range(40))
    app = hand_in(arrive(data="your own table"), rows)
    put(app, "step", app.slider(key="step").max)
    there = panels(app)["panels"][0]["centres"]
    app = press(app, "start_from_k_means")
    assert np.allclose(panels(app)["panels"][0]["centres"], there, rtol=0.0, atol=0.1)


def test_centres_are_typed_and_travel_with_the_link():
    app = arrive(initialisation="placed by hand", centres="1 4; 5 1", step="0")
    assert panels(app)["panels"][0]["centres"] == [[1.0, 4.0], [5.0, 1.0]]
    app.slider(key="clusters").set_value(3).run()
    assert panels(app)["panels"][0]["centres"][:2] == [[1.0, 4.0], [5.0, 1.0]]
    assert len(panels(app)["panels"][0]["centres"]) == 3


@pytest.mark.parametrize(("typed", "named"), [("1 4 7", (2, 1, 3)), ("a b", ())])
def test_centres_that_are_none_get_a_message_and_a_random_start(typed, named):
    app = arrive(initialisation="placed by hand", centres=typed)
    assert holds(app.error[0].value, *named)
    assert len(panels(app)["panels"][0]["centres"]) == 2


def test_another_start_draws_other_centres_and_other_points_forget_those_by_hand():
    app = arrive(step="0")
    first = panels(app)["panels"][0]["centres"]
    app = press(app, "next_restart")
    assert panels(app)["panels"][0]["centres"] != first
    assert app.number_input(key="restart").value == 2
    app = press(app, "start_from_k_means")
    app.selectbox(key="data").set_value("moons").run()
    assert app.selectbox(key="initialisation").value == "random points"


def downloads(app):
    return [button.key for button in app.get("download_button")]


def n_points(app):
    return len(labels(panels(app)["panels"][0]))


def test_points_changed_by_hand_come_with_the_link_and_belong_to_its_points():
    app = arrive(step="0", edits="9 9; 5 0 -7")
    assert n_points(app) == 101
    assert panels(app)["bounds"][2] < -7 < 9 < panels(app)["bounds"][3]
    assert table_of(app, "wrong now")["of"].tolist() == [100, 100]
    app.number_input(key="seed").set_value(9).run()
    assert n_points(app) == 100, "other points begin unchanged"
    assert app.query_params.get("edits") is None
    app.number_input(key="seed").set_value(8).run()
    assert n_points(app) == 101, "the points that they were made on get them back"


@pytest.mark.parametrize(
    ("edits", "named"),
    [
        ("<script>; 1 2", (1,)),
        ("nan 1", ("finite",)),
        ("900 1 1", (900, 100)),
        ("9 9; " * 600, (MOST_EDITS, 600)),
        ("9 9; " * 5000, (LONGEST, LONGEST + 1)),
    ],
)
def test_edits_that_are_none_get_a_message_and_change_nothing(edits, named):
    app = arrive(edits=edits, clusters="3")
    assert holds(app.error[0].value, *named)
    assert n_points(app) == 100
    assert app.slider(key="clusters").value == 3
    assert app.text_input(key="edits").value, "what was typed must stay to be mended"


def test_edits_wait_for_a_plane_and_for_room():
    app = arrive(data="Iris", edits="9 9")
    assert "two columns" in app.error[0].value
    app = arrive(data="moons", points="2000", edits="9 9")
    assert holds(app.error[0].value, 2_000, 2_001)


def test_a_hundred_edits_travel_with_the_link_and_more_are_kept_as_a_file():
    app = arrive(edits="; ".join(["9 9"] * 100))
    assert "edits" in app.query_params
    assert "clusters_points_file" not in downloads(app)
    app.text_input(key="edits").set_value("; ".join(["9 9"] * 101)).run()
    assert n_points(app) == 201
    assert "edits" not in app.query_params
    assert "edits" not in app.session_state["lab_drawn"], "nor in the link that is offered"
    assert shows(app, 101, MOST_IN_LINK)
    assert "clusters_points_file" in downloads(app)
    app = arrive(edits="; ".join(["9 9"] * 101))
    assert n_points(app) == 201, "a longer link is taken over"
    assert "edits" not in app.query_params


def test_points_kept_as_a_file_come_back_with_their_groups():
    data = drawn_data.load("95 : 5", 40, 8)
    points = with_edits(data.points, read_edits("3 1.5 2; 9 9", 40))
    kept = plain_points(SimpleNamespace(data=data._replace(points=points)))
    table = read_table(kept.to_csv(index=False))
    assert torch.equal(table.values, points)
    assert table.label_name == "true group"
    groups = [data.groups.index(group) for group in table.labels["true group"]]
    assert groups == data.labels.tolist(), "the added point has no group, the others have theirs"


def test_the_link_carries_no_changes_of_a_table_that_it_does_not_carry():
    app = hand_in(arrive(data="your own table"), "1,2\n3,4\n5,6")
    app.text_input(key="edits").set_value("9 9").run()
    assert n_points(app) == 4
    assert "edits" not in app.query_params
    assert "clusters_points_file" in downloads(app)
    app = hand_in(app, "1,2\n3,4\n5,7")
    assert n_points(app) == 3


GOOD = {"kind": "centre", "panel": 1, "index": 2, "x": 0.5, "y": -1}


BOX = (0.0, 2.0, -1.0, 1.0)


def test_an_edit_of_the_browser_is_taken_and_kept_near_the_picture():
    assert checked_edit(GOOD, 10, [3, 3], BOX) == Edit("centre", 1, 2, (0.5, -1.0))
    assert checked_edit(GOOD | {"kind": "add", "index": 0}, 10, [3, 3], BOX).kind == "add"
    assert checked_edit(GOOD | {"x": 1e300, "y": -1e300}, 10, [3, 3], BOX).place == (8.0, -7.0)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "drop"},
        {"panel": 2},
        {"panel": "1"},
        {"index": 3},
        {"index": None},
        {"kind": "point", "index": 10},
        {"x": math.nan},
        {"y": "a"},
        {"kind": "add", "index": 1},
    ],
)
def test_what_is_no_edit_is_refused(change):
    with pytest.raises(ValueError, match=r"no |could not convert"):
        checked_edit(GOOD | change, 10, [3, 3], BOX)


def test_an_edit_too_many_is_refused_before_the_others_are_lost(monkeypatch):
    points = 1e6 + torch.rand(2000, 2, dtype=torch.float64, generator=torch.Generator())
    state = {}
    monkeypatch.setattr(editing.st, "session_state", state)
    edits, n = (), 0
    while editing.edit_point(edits, PointEdit(1e6 + 0.12345, 1e6 + 0.54321, 1500 + n), points):
        edits, n = read_edits(state["edits"], len(points)), n + 1
    assert 300 < n < MOST_EDITS, "these numbers are long"
    assert len(read_edits(state["edits"], len(points))) == n


def test_an_edit_of_what_is_gone_since_changes_nothing(monkeypatch):
    mounted, edits = {}, []
    panel = Panel("k-means", "", np.zeros(3), [(0.0, 0.0)] * 3)
    monkeypatch.setattr(cluster_panels, "_PANELS", lambda **settings: mounted.update(settings))
    scene = cluster_panels.Scene(np.zeros((3, 2)), ("x", "y"), BOX, "", is_flat=True)
    cluster_panels.cluster_panels(scene, [panel, panel], key="panels", on_edit=edits.append)
    told = []
    monkeypatch.setattr(cluster_panels.st, "toast", told.append)
    for sent in (GOOD | {"kind": "point", "index": 3}, GOOD):
        state = {"panels": SimpleNamespace(edited=sent)}
        monkeypatch.setattr(cluster_panels.st, "session_state", state)
        mounted["on_edited_change"]()
    assert edits == [Edit("centre", 1, 2, (0.5, -1.0))]
    assert len(told) == 1, "of the first, whose point is gone"


def test_an_added_point_has_no_group_and_is_never_ringed_as_wrong():
    groups = torch.arange(20) % 2
    found = torch.cat([groups, torch.tensor([0, 1])])
    assert not is_misassigned(found, groups).any()
    found[3] = 1 - found[3]
    assert is_misassigned(found, groups).nonzero()[0].tolist() == [3]


def test_points_of_another_shape_are_other_points():
    drawn = drawn_data.load("two blobs", 20, 1)
    shapes = ((4, 2), (2, 4))
    found = {drawn._replace(points=torch.zeros(shape)).fingerprint for shape in shapes}
    assert len(found) == 2


def test_bounds_are_never_empty():
    left, right, bottom, top = bounds_of(np.ones((3, 2)))
    assert left < 1 < right
    assert bottom < 1 < top


# Points ---------------------------------------------------------------------------------------


def test_iris_reaches_the_known_figures_where_em_begins_after_k_means():
    app = arrive(
        data="Iris",
        clusters="3",
        em_initialisation="from the k-means clusters",
        initialisation="k-means++",
    )
    assert errors_at_the_end(app)[1] == 5
    assert shows(app, 150, 5, 180.19)
    drawn = panels(app)
    assert holds(drawn["names"][0], 1, 92)
    assert not drawn["is_flat"]
    assert drawn["panels"][0]["background"] is None


def test_columns_are_chosen_and_scaled_and_two_are_the_whole_plane():
    app = arrive(data="Iris", clusters="3")
    plane = "sepal length (cm) × petal width (cm)"
    app.selectbox(key="plane").set_value(plane).run()
    assert panels(app)["names"] == plane.split(" × ")
    app.multiselect(key="columns").set_value(["petal length (cm)", "petal width (cm)"]).run()
    assert panels(app)["is_flat"]
    app.toggle(key="scaled").set_value(True).run()
    left, right, *_ = panels(app)["bounds"]
    assert right - left < 5
    app.multiselect(key="columns").set_value(["petal length (cm)"]).run()
    assert not app.exception
    app.multiselect(key="columns").set_value([]).run()
    assert len(app.info) == 1
    assert "sepal length (cm)" in app.selectbox(key="plane").options[1]
    assert panels(app)["panels"]


TABLE = "name,a,b,c\n" + "\n".join(
    f"{'<b>x</b>' if i % 2 else 'y'},{i % 7},{i % 5 + 10 * (i % 2)},{i}" for i in range(40)
)


def hand_in(app, typed):
    app.text_area(key="own_table_text").set_value(typed)
    return press(app, "own_table_use")


def test_a_table_of_ones_own_is_clustered_and_a_column_of_words_is_the_truth_when_chosen():
    app = hand_in(arrive(data="your own table"), TABLE)
    assert len(labels(panels(app)["panels"][0])) == 40
    assert not any("wrong now" in table.value for table in app.dataframe)
    app.selectbox(key="label_column").set_value("name").run()
    assert table_of(app, "wrong now")["of"].tolist() == [40, 40]
    assert any(numbers(caption.value) == [40] for caption in app.caption)
    app = hand_in(app, "hello")
    assert len(app.error) == 1
    assert len(labels(panels(app)["panels"][0])) == 40, "what was there must not be lost"


@pytest.mark.parametrize("typed", ["", "🙂", "a,b\nc,d"])
def test_what_is_no_table_gets_a_message(typed):
    app = hand_in(arrive(data="your own table"), typed)
    assert len(app.error) == 1
    assert len(labels(panels(app)["panels"][0])) == 13, "the example stays on screen"


def test_fewer_points_than_clusters_are_answered():
    app = hand_in(arrive(data="your own table", clusters="5"), "1,2\n3,4\n5,6")
    assert numbers(app.error[0].value) == [5, 5, 3]
    (drawn,) = [
        json.loads(e.proto.json) for e in app.get("bidi_component") if "panels" in e.proto.json
    ]
    assert len(drawn["panels"][0]["centres"]) == 3


@pytest.mark.parametrize(
    "table", ["1,2\n1,2\n1,2", "1,1\n2,2\n3,3\n4,4", "5\n6\n9\n1", "1e29,0\n-1e29,1\n0,1e29\n1,2"]
)
def test_copies_lines_and_single_columns_do_no_harm(table):
    app = hand_in(arrive(data="your own table"), table)
    assert not app.exception
    assert panels(app)["panels"]


def test_words_are_offered_only_with_their_model(monkeypatch):
    monkeypatch.setattr(words, "list_checkpoints", list)
    assert not words.are_shipped()
    app = arrive(data=WORDS)
    assert WORDS not in app.selectbox(key="data").options
    assert WORDS in app.warning[0].value


def test_words_of_each_cluster_are_listed(monkeypatch):
    made = words.BookWords(
        ("peace", "war", "tea", "<b>"),
        torch.tensor([[0.0, 0, 0], [0, 0, 1], [9, 9, 9], [9, 9, 8]]).double(),
        "made",
        "book-cbow",
    )
    monkeypatch.setattr("pages.shared.clustering.data.are_shipped", lambda: True)
    monkeypatch.setattr("pages.shared.clustering.data.choose_words", lambda: made)
    app = arrive(data=WORDS, step="99", initialisation="farthest point")
    lists = [m.value for m in app.markdown if holds(m.value, "peace", "war")]
    assert len(lists) == 2
    cluster = labels(panels(app)["panels"][0])[0] + 1
    assert f"{cluster} (2): peace, war" in lists[0]
    assert panels(app)["rows"] == list(made.words)


needs_vectors = pytest.mark.skipif(not words.are_shipped(), reason="no word vectors are shipped")


LIBRARY = "Skip-gram, 33 books and more"


@needs_vectors
def test_words_that_are_typed_are_clustered_and_lead_to_the_map():
    typed = "bread Wine <b> tea, milk! soup french russian german english qxqxqx"
    app = arrive(data=WORDS, words=typed, clusters="2", vectors=LIBRARY)
    assert not app.warning
    drawn = panels(app)["rows"]
    assert set(drawn) >= {"bread", "wine", "tea", "milk"}
    assert "qxqxqx" not in drawn
    assert shows(app, len(drawn), "words")
    assert shows(app, "qxqxqx")
    links = [dict(parse_qsl(link.proto.query_string)) for link in app.get("page_link")]
    (there,) = [asked for asked in links if "map_clusters" in asked]
    assert there["word"] == drawn[0]
    assert (there["part"], there["model"], there["map_clusters"]) == ("Map", LIBRARY, "2")


@needs_vectors
def test_the_words_of_the_book_are_clustered_by_either_model():
    of_book = panels(arrive(data=WORDS))["rows"]
    of_library = panels(arrive(data=WORDS, vectors=LIBRARY))["rows"]
    assert len(of_book) == 500
    assert len(of_library) > 480
    assert set(of_library) <= set(of_book), "the book's words, whoever read them"


@needs_vectors
@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("12345", (2, 500)),
        ("tea", (2, 500, 1, "tea")),
        ("qxqxqx zzzqqq", ()),
        ("tea " * 3000, (8_000, 8_001)),
    ],
)
def test_words_that_cannot_be_clustered_get_a_message(typed, named):
    app = arrive(data=WORDS, words=typed)
    assert holds(app.error[0].value, *named)
    assert len(panels(app)["rows"]) == 500
    assert app.text_input(key="words").value


# Prediction and restarts ----------------------------------------------------------------------


def moves_of(app, step):
    """How far each centre of both methods moves in the step after this one."""
    put(app, "step", step)
    before = [np.array(panel["centres"]) for panel in panels(app)["panels"]]
    put(app, "step", step + 1)
    after = [np.array(panel["centres"]) for panel in panels(app)["panels"]]
    return [np.linalg.norm(b - a, axis=1) for a, b in zip(before, after, strict=True)], after


def test_a_guess_is_asked_before_an_update_only_about_the_centre_that_moves_farthest():
    lengths, _ = moves_of(arrive(clusters="5"), 0)
    app = arrive(clusters="5", predict="true", step="0")
    data = panels(app)
    assert data["guessing"]
    assert [panel["asked"] for panel in data["panels"]] == [way.argmax() for way in lengths]
    assert {way.argmax() for way in lengths} != {0}, "the example must not ask about the first"
    assert [panel["answer"] for panel in data["panels"]] == [None, None], "before the guess"
    put(app, "step", 1)
    assert not panels(app)["guessing"]
    assert [panel["asked"] for panel in panels(app)["panels"]] == [None, None]


@pytest.mark.parametrize("view", [{}, {"present": "1"}])
def test_guessing_that_is_switched_on_at_the_end_asks_at_once(view):
    app = arrive(**view)
    assert app.slider(key="step").value == app.slider(key="step").max
    app.toggle(key="predict").set_value(True).run()
    assert panels(app)["guessing"]
    assert any(panel["asked"] is not None for panel in panels(app)["panels"])


@pytest.mark.parametrize("panel", [0, 1])
def test_a_guess_is_answered_with_its_distance_to_where_the_centre_moves(monkeypatch, panel):
    lengths, after = moves_of(arrive(clusters="3"), 0)
    moved = lengths[panel].argmax()
    x, y = after[panel][moved]
    monkeypatch.setattr(moves, "guess_of", lambda _: (panel, (x + 0.3, y - 0.4)))
    app = arrive(clusters="3", predict="true", step="0")
    shown = panels(app)["panels"]
    assert not panels(app)["guessing"]
    assert shown[panel]["answer"] == pytest.approx([x, y])
    assert shown[panel]["guess"] == pytest.approx([x + 0.3, y - 0.4])
    assert shown[1 - panel]["answer"] is None
    off, number, *answer, way = re.findall(
        r"-?\d+\.?\d*", app.info[0].value.replace("k-means", "")
    )[:5]
    assert float(off) == pytest.approx(0.5, rel=1e-2)
    assert int(number) == moved + 1
    assert [float(value) for value in answer] == pytest.approx([x, y], rel=1e-2)
    assert float(way) == pytest.approx(lengths[panel][moved], rel=1e-2)


def test_fifty_restarts_are_drawn_when_asked_for():
    app = arrive(points="40")
    assert not app.get("progress")
    app = press(app, "ask_restarts")
    while "restarts_more" in {button.key for button in app.button}:  # on a busy machine
        assert shows(app, len([*outcomes_of(app)[0]]), "of 50 restarts")
        app = press(app, "restarts_more")
    assert not app.exception
    inertias, likelihoods = ([*ends.values()] for ends in outcomes_of(app))
    assert len(inertias) == len(likelihoods) == 50
    times = Counter(map(significant, inertias))
    best, worst = min(times), max(times)
    assert shows(app, len(times), best, times[best], 50, worst, round(max(likelihoods), 1))
    app.slider(key="clusters").set_value(3).run()
    assert app.button(key="ask_restarts")


def test_a_clicked_restart_is_shown_at_its_end():
    app = arrive(points="40")
    app = press(app, "ask_restarts")
    app.session_state["restarts_inertia"] = {"selection": {"restart": [{"restart": 7}]}}
    app.run()
    assert app.number_input(key="restart").value == 7
    last = app.slider(key="step")
    assert last.value == last.max


def outcomes_of(app):
    """The histograms' values by start: inertias, and log-likelihoods."""
    drawn = [key for key in ("restarts_inertia", "restarts_likelihood") if key in charts(app)]
    return [data(app, key).set_index("restart")["value"].to_dict() for key in drawn]


def test_a_restart_ends_where_the_histogram_says_wherever_em_begins():
    app = arrive(
        points="40", clusters="3", em_initialisation="from the k-means clusters", restart="4"
    )
    app = press(app, "ask_restarts")
    inertias, likelihoods = outcomes_of(app)
    assert holds(alt(app, "inertia"), significant(inertias[4]))
    assert holds(alt(app, "likelihood"), significant(likelihoods[4]))
    app.button_group(key="em_initialisation").set_value("from the same centres").run()
    assert not outcomes_of(app), "these starts have other ends"


def test_the_histogram_marks_the_restart_on_screen_if_it_is_one_of_them():
    app = press(arrive(points="40", restart="7"), "ask_restarts")
    assert is_marked(app, 7)
    app.number_input(key="restart").set_value(51).run()
    assert len(outcomes_of(app)) == 2
    assert not is_marked(app, 51)
    app.number_input(key="restart").set_value(7).run()
    assert is_marked(app, 7)
    assert not is_marked(press(app, "start_from_em"), 7)


def is_marked(app, restart):
    return holds(alt(app, "restarts_inertia"), "restart", restart)


# Choosing K -----------------------------------------------------------------------------------

CHOOSING = "pages/number_of_clusters/page.py"


def test_a_guess_is_about_one_beginning_of_em(monkeypatch):
    monkeypatch.setattr(moves, "is_predicting", lambda: True)
    monkeypatch.setattr(moves, "class_prediction", lambda name: None)
    drawn = drawn_data.load("two blobs", 20, 1)
    runs = side_by_side.run(drawn.points, drawn.points[:2])
    chosen = {"data": drawn, "centres": drawn.points[:2], "kind": "full"}
    keys = {
        moves.question_of(Moment(SimpleNamespace(**chosen, em_after_k_means=after), runs, 0)).key
        for after in (False, True)
    }
    assert len(keys) == 2


CRITERIA = ["criterion_inertia", "criterion_silhouette", "criterion_bic", "criterion_aic"]


def test_points_and_criteria_are_drawn_at_once_and_only_bic_waits_for_the_guess():
    app = visit(CHOOSING)
    assert charts(app) == CRITERIA
    assert panels(app)["panels"]
    assert "value" not in data(app, "criterion_bic")
    assert not numbers(alt(app, "criterion_bic"))
    assert picked(app, "silhouette") == 2
    assert picked(app, "aic") == 7
    right, wrong = guess(app, "bic", 1), guess(visit(CHOOSING), "bic", 2)
    for answered, said in ((right, "Right"), (wrong, "Not quite")):
        assert picked(answered) == 2
        assert shows(answered, said, 2, 68.3, 75.2)


def test_a_criterion_says_nothing_of_what_it_does_not_know():
    app = visit(CHOOSING, reveal="bic")
    assert "None" not in alt(app, "criterion_inertia")
    assert "nan" not in alt(app, "criterion_silhouette")


def test_bic_answers_after_the_guess_with_the_numbers_that_decide():
    app = visit(CHOOSING, reveal="bic", clusters="3")
    assert shows(app, 2, 3, 15, 150, 5.01, 75.2, 574.0, 580.8)
    assert "K = 3" in panels(app)["panels"][0]["note"]


def picked(app, criterion="bic"):
    """The number of clusters that a criterion picks, as the chart's words have it."""
    return numbers(alt(app, f"criterion_{criterion}"))[-1]


def test_the_species_are_said_to_overlap_only_where_bic_has_two_for_them():
    assert shows(visit(CHOOSING, reveal="bic"), 574.0, 580.8, "virginica")
    app = visit(CHOOSING, reveal="bic", covariance="tied")
    assert shows(app, 688.1, 633.0)
    assert not shows(app, 688.1, 633.0, "virginica")


def answers_of_a_class():
    """Yes and no to three questions: points that agree in every column."""
    rng = torch.Generator().manual_seed(1)
    rows = (torch.rand(40, 3, generator=rng) < 0.5).int().tolist()
    return "smokes,sports,rich\n" + "\n".join(",".join(map(str, row)) for row in rows)


def test_criteria_of_components_on_the_floor_are_said_to_be_worth_nothing():
    app = hand_in(visit(CHOOSING, data="your own table"), answers_of_a_class())
    (warning,) = app.warning
    assert picked(app) in numbers(warning.value)
    assert "may exceed 1" in warning.value
    assert not visit(CHOOSING, reveal="bic").warning


def test_the_number_of_starts_is_said():
    assert shows(visit(CHOOSING), RESTARTS, len(KINDS) * STARTS_OF_A_KIND, STARTS_OF_A_KIND)


@pytest.mark.parametrize("page", [PAGE, CHOOSING])
def test_columns_of_unlike_spread_may_be_scaled_at_a_click(page):
    rows = [f"{1000 * (i % 7)},{i % 3}" for i in range(21)]
    app = hand_in(visit(page, data="your own table"), "income,children\n" + "\n".join(rows))
    (hint,) = (c.value for c in app.caption if "spread" in c.value)
    assert "income" in hint
    assert "k-means" in hint
    assert numbers(hint)[0] == pytest.approx(2000 / math.sqrt(2 / 3), rel=1e-3)
    app = press(app, "scale_columns")
    assert app.toggle(key="scaled").value
    assert not any("spread" in caption.value for caption in app.caption)
    assert "scale_columns" not in {button.key for button in visit(page, data="Iris").button}


@pytest.mark.parametrize("page", [PAGE, CHOOSING])
def test_a_point_far_from_all_others_is_named_and_may_be_left_out(page):
    rows = [f"{1 + i % 7}.5,{i % 5},{'ab'[i % 2]}" for i in range(23)]
    table = "length,width,kind\n1897.5,2,b\n" + "\n".join(rows)
    app = hand_in(visit(page, data="your own table", label_column="kind"), table)
    (said,) = (c.value for c in app.caption if "far from all others" in c.value)
    assert "length" in said
    assert numbers(said) == [2, 1897.5, 1893]
    app.toggle(key="without_far").set_value(True).run()
    assert not app.exception
    if page == PAGE:
        assert len(labels(panels(app)["panels"][0])) == 23
    app = hand_in(app, "length,width\n" + "\n".join(row[:-2] for row in rows))
    assert not any("far from all others" in caption.value for caption in app.caption)


def test_bic_that_picks_the_last_number_is_said_to_have_seen_no_more():
    last = visit(
        CHOOSING, reveal="bic", data="moons", points="60", seed="1", covariance="spherical"
    )
    assert picked(last) == 8
    assert shows(last, "BIC", 8, "largest number compared")
    assert not shows(visit(CHOOSING, reveal="bic"), "BIC", 8, "largest number compared")


def test_other_points_are_compared_at_once_also_many():
    app = visit(CHOOSING, points="60")
    app.selectbox(key="data").set_value("no structure").run()
    assert charts(app) == CRITERIA
    assert shows(app, "BIC", 60)
    assert not shows(app, "three species"), "they are those of Iris alone"
    app.slider(key="points").set_value(2000).run()
    assert charts(app) == CRITERIA, "the picture stays, however many points there are"


# Limits ---------------------------------------------------------------------------------------

LIMITS = "pages/mixture_pitfalls/page.py"


def widths(app):
    return data(app, "widths")["2"].tolist()


def test_a_collapse_is_about_to_happen_and_happens_after_the_guess():
    app = visit(LIMITS)
    assert charts(app) == ["widths"]
    assert widths(app) == pytest.approx([0.4])
    assert "step" not in {slider.key for slider in app.slider}
    right, wrong = guess(app, "collapse", 2), guess(visit(LIMITS), "collapse", 0)
    for answered, said in ((right, "Right"), (wrong, "Not quite")):
        assert shows(answered, said, 0.4, 0.03, 2)
        assert widths(answered) == pytest.approx([0.4, 0.03], abs=1e-3)
    put(right, "step", 4)
    assert widths(right)[-1] < 1e-6


def test_without_a_floor_em_breaks_and_with_one_it_ends_above_it():
    app = visit(LIMITS, reveal="collapse")
    assert shows(app, 0.4, 0.03, 2)
    ends = data(app, "by_floor").set_index("floor")["log-likelihood"].round(2)
    assert shows(app, 1e-8, ends[1e-8], 1e-9, ends[1e-9], 2.303, 10, 2.303)
    app.select_slider(key="floor").set_value("1e-4").run()
    assert any(1e-4 in numbers(markdown.value) for markdown in app.markdown)
    app.select_slider(key="floor").set_value("none")
    app.number_input(key="point").set_value(1).run()
    put(app, "step", app.slider(key="step").max)
    assert widths(app)[-1] > 0.1


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "because a single point's variance is 0."),
        ({"floor": "1e-2"}, "a single point's variance is 0, so only the floor keeps it wider."),
        ({"point": "2", "deviation": "0.05"}, "two points lie on one line, and across it their"),
    ],
)
def test_why_a_component_has_no_width_is_said_by_how_many_points_it_holds(asked, why):
    assert shows(visit(LIMITS, reveal="collapse", **asked), why)


def test_a_floor_that_lets_a_component_grow_has_made_it_find_a_group():
    app = visit(LIMITS, floor="1e-2", reveal="collapse")
    assert not shows(app, "at the end it holds")
    app.select_slider(key="floor").set_value("1e-1").run()
    assert shows(app, "at the end it holds", 26)


def test_with_sigma_towards_zero_both_agree():
    app = visit(LIMITS, part="Hard-assignment limit", sigma="0.003", reveal="limit")
    assert shows(app, 0.003, 100)
    assert shows(app, 90, 0.003, 100)
    app.select_slider(key="sigma").set_value(3.0).run()
    wide = 100 * data(app, "agreement").set_index("σ").loc[3.0]
    assert shows(app, 3, wide["same cluster"].round())
    assert shows(app, 90, 3, wide["certainty"].round(1))
    assert wide["certainty"] < 100


def test_the_agreement_at_smaller_sigmas_waits_for_a_guess():
    app = visit(LIMITS, part="Hard-assignment limit", sigma="0.95")
    drawn = data(app, "agreement").dropna(subset="same cluster")
    assert drawn["σ"].min() == 0.95
    said = [guess(visit(LIMITS, part="Hard-assignment limit"), "limit", n) for n in range(4)]
    shares = data(said[0], "agreement").set_index("σ")["same cluster"]
    assert len(shares) == 19
    assert shows(said[0], 0.95, 90)
    assert shares[shares.index <= 0.95].min() >= 0.9 > shares[shares.index > 0.95].min()
    assert [shows(app, "Right") for app in said] == [False, True, False, False]


def test_the_sigma_from_which_shares_are_sure_is_that_of_all_smaller_ones():
    asked = {
        "part": "Hard-assignment limit",
        "data": "95 : 5, stretched",
        "clusters": "2",
        "seed": "2",
    }
    app = visit(LIMITS, **asked, reveal="limit")
    sure = data(app, "agreement").set_index("σ")["certainty"] > 0.999
    first, _ = next(found for m in app.markdown if (found := numbers(m.value)[-2:])[-1:] == [99.9])
    assert sure[sure.index <= first].all()
    assert sure.sum() > sure[sure.index <= first].sum(), "a larger one is sure, too, by chance"


def test_the_source_draws_its_curves_too_narrow():
    app = visit(LIMITS, part="One dimension", reveal="published")
    assert shows(app, 1.41)
    assert shows(app, 0.5, 0.707, 0.5, 0.71, 0.559, 0.395, 1.41)
    means = table_of(app, "mean by EM")["mean by EM"]
    assert means.tolist() == pytest.approx([2, -3], abs=0.15)
    app.button_group(key="curves").set_value([]).run()
    assert not app.exception


@pytest.mark.parametrize(("option", "height"), [(0, 0.7), (1, 1.0), (2, 1.4), (3, 2.0)])
def test_a_guessed_height_is_a_curve_beside_the_published_one(option, height):
    app = visit(LIMITS, part="One dimension")
    hidden = drawn_rows(app, "one_dimension")
    assert set(hidden["name"].dropna()) == {"true components"}
    answered = guess(app, "published", option)
    heights = drawn_rows(answered, "one_dimension").groupby("name")["y"].max()
    assert heights["your guess"] / heights["true components"] == pytest.approx(height, abs=0.02)
    assert heights["published"] / heights["true components"] == pytest.approx(1.41, abs=0.02)
    assert shows(answered, "Right") == (option == 2)


# Links ----------------------------------------------------------------------------------------


def test_what_is_drawn_from_the_fitted_mixture_is_the_beginning_of_one_sequence():
    app = visit(LIMITS, part="One dimension", drawn_anew="500")
    bars = drawn_rows(app, "drawn_anew_chart").query("kind == 'bar'")
    assert bars["count"].sum() == pytest.approx(500, abs=2)  # but for draws beyond the axis
    near_two = bars.query("left > -0.5")["count"].sum() / bars["count"].sum()
    (weights, *_) = [f.value["weight by EM"] for f in app.dataframe if "weight by EM" in f.value]
    assert near_two == pytest.approx(weights[0], abs=0.06)
    six = visit(LIMITS, part="One dimension", drawn_anew="6")
    (first,) = [f.value for f in six.dataframe if "draw" in f.value]
    (later,) = [
        f.value
        for f in visit(LIMITS, part="One dimension", drawn_anew="7").dataframe
        if "draw" in f.value
    ]
    assert first["x"][:5].tolist() == later["x"][1:].tolist()


def test_a_number_of_clusters_under_its_former_name_is_not_passed_over():
    app = arrive(k="-3")
    assert "`-3`" in app.warning[0].value
    assert arrive(k="4").slider(key="clusters").value == 4


def test_a_link_restores_points_k_start_kind_and_step():
    asked = {
        "data": "moons",
        "points": "60",
        "seed": "4",
        "clusters": "4",
        "initialisation": "k-means++",
    }
    app = arrive(**asked, covariance="tied", restart="3", step="5")
    assert not app.warning
    assert app.slider(key="step").value == 5
    assert app.number_input(key="restart").value == 3
    assert app.selectbox(key="covariance").value == "tied"
    assert shows(app, 60, 4)


def test_the_example_of_a_table_is_one():
    app = arrive(data="your own table")
    example = read_table(app.text_area(key="own_table_text").placeholder)
    assert example.names == ("length", "width")
    assert len(labels(panels(app)["panels"][0])) == len(example.values)
    assert [name.split()[0] for name in panels(app)["names"]] == ["length", "width"]


def test_the_pages_on_clusters_open_the_chapter_on_statistics():
    chapter = [spec.address for spec in PAGES if spec.chapter == "Clustering and statistics"]
    assert chapter[:3] == ["clustering", "number-of-clusters", "mixture-pitfalls"]


def test_columns_of_other_points_are_forgotten():
    app = arrive(data="Iris", clusters="3")
    app.multiselect(key="columns").set_value(["petal length (cm)", "petal width (cm)"]).run()
    app.selectbox(key="data").set_value("your own table").run()
    app = hand_in(app, TABLE)
    assert not app.exception
    assert app.multiselect(key="columns").value == ["a", "b"], "c counts the rows, and is left out"
    app.selectbox(key="data").set_value("moons").run()
    app.selectbox(key="data").set_value("Iris").run()
    assert not app.exception
    assert panels(app)["names"]


def test_what_was_read_of_a_new_table_is_told_once_where_it_is_seen():
    app = visit("pages/clustering/page.py", data="your own table")
    app.text_area(key="own_table_text").set_value("a;b\n1,5;2\n3,5;4\n5,5;1\n")
    app.button(key="own_table_use").click().run()
    assert [toast.value for toast in app.toast] == [
        "Read as a table, cells separated by semicolons, decimal comma, 3 of 3 rows and 2 columns of 2 used."
    ]
    assert not app.run().toast


def test_the_formulas_of_both_methods_are_their_derivatives():
    """What the fold writes: zero at a mean, anything for a cluster without points, weighted for EM."""
    app = visit(PAGE)
    said = "".join([text(app), *(written.value for written in app.latex)])
    for formula in (r"\frac{\partial J}{\partial \mu_k}", r"\sum_k p(z = k)", "is 0/0"):
        assert formula in said
    points = torch.tensor([[0.0, 1.0], [2.0, 1.0], [4.0, 7.0]], dtype=torch.float64)
    owned = torch.tensor([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    centres = torch.stack([points.mean(0), points[0] + 5]).requires_grad_()
    inertia = (owned * ((points[:, None] - centres) ** 2).sum(-1)).sum()
    assert torch.autograd.grad(inertia, centres)[0].abs().max() < 1e-12
    means = torch.tensor([[0.0, 0.0], [3.0, 3.0]], dtype=torch.float64, requires_grad=True)
    shape = torch.tensor([[2.0, 0.3], [0.3, 1.0]], dtype=torch.float64)
    each = torch.distributions.MultivariateNormal(means, shape)
    joint = each.log_prob(points[:, None]) + torch.tensor([0.3, 0.7]).double().log()
    slope = torch.autograd.grad(joint.logsumexp(1).sum(), means)[0]
    shares = joint.detach().softmax(1)
    apart = points[:, None] - means.detach()
    assert torch.allclose(slope, torch.einsum("nk,nkd,de->ke", shares, apart, shape.inverse()))
