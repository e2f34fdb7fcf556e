"""One record for the results of every experiment: what is saved is read back, or refused in words."""

import importlib
import json
import math
import pkgutil
from collections import Counter
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import pytest
import safetensors.torch
import torch

import lm_core.experiments
from lm_core.cli.experiment import experiments_with_command
from lm_core.errors import ResultError
from lm_core.results import (
    SCHEMA,
    Count,
    Recorded,
    Results,
    Share,
    StoredTensor,
    one_of,
    provenance,
)

WITHOUT_A_FILE = {"text-quality", "preferences-tuning", "neural-language-model-training"}
"""Results of models that are not shipped yet, and what a study keeps while it goes on."""


class Thrown(NamedTuple):
    height: float
    is_caught: bool


@dataclass(frozen=True)
class Coin:
    name: Annotated[str, one_of(("penny", "dime"))]
    sides: Count
    thrown: Thrown


def results(**data):
    return Results("counting", provenance(device="CPU", seconds=1.23, rate=0.1), data)


def test_what_is_saved_is_read_back(tmp_path):
    saved = results(rows=[[1, 0.5], [2, None]], by_name={"é": {"loss": 1.0}}, empty=[], one=3)
    saved.save(tmp_path / "x.json")
    assert Results.load(tmp_path / "x.json", "counting") == saved


def test_a_row_takes_a_line_so_that_versions_compare(tmp_path):
    results(rows=[[1, 2], [3, 4]], by_name={"a": [[5, 6]]}).save(tmp_path / "x.json")
    lines = [line.strip() for line in (tmp_path / "x.json").read_text().splitlines()]
    assert {"[1,2],", "[3,4]", "[5,6]"} <= set(lines)


def test_the_provenance_tells_when_and_by_what():
    told = provenance(device="CPU", seconds=1.26, rate=0.1)
    assert (told["device"], told["seconds"], told["rate"]) == ("CPU", 1.3, 0.1)
    assert {"date", "versions"} <= set(told)


def test_a_number_altered_by_hand_is_refused(tmp_path):
    path = tmp_path / "x.json"
    results(rows=[[1, 0.5]]).save(path)
    path.write_text(path.read_text().replace("0.5", "0.6"))
    with pytest.raises(ResultError, match="altered"):
        Results.load(path, "counting")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is missing: python -m lm_core experiment counting"),
        ("{", "must be JSON"),
        ("[]", "must have schema"),
        (json.dumps({"schema": SCHEMA, "experiment": "other"}), "experiment 'counting'"),
        (json.dumps({"schema": SCHEMA, "experiment": "counting"}), "provenance and data"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path, content, message):
    if content is not None:
        (tmp_path / "x.json").write_text(content)
    with pytest.raises(ResultError, match=message):
        Results.load(tmp_path / "x.json", "counting")


@dataclass(frozen=True)
class Toss(Recorded, name="toss", experiment="tosses"):
    coins: tuple[Coin, ...]
    weights: StoredTensor
    by_side: dict[int, Share]

    def __post_init__(self):
        if not self.coins:
            raise ValueError("there must be coins")


def tosses():
    coins = (Coin("penny", 3, Thrown(1.0, True)), Coin("dime", 0, Thrown(math.inf, False)))
    return Toss({"date": "today"}, coins, torch.arange(3).half(), {1: 0.5, 2: 1.0})


def test_records_of_any_kind_are_written_and_read_again(tmp_path):
    tosses().save(tmp_path / "t.json")
    found = Toss.load(tmp_path / "t.json")
    assert found.weights.dtype == torch.half
    assert found.weights.tolist() == [0, 1, 2]
    assert found.provenance.pop("weights_sha256")
    assert (found.provenance, found.coins) == ({"date": "today"}, tosses().coins)
    assert found.by_side == {1: 0.5, 2: 1.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["coins"][1].update(sides="two"), "coins.1.sides is 'two'"),
        (lambda d: d["coins"][0].update(name="euro"), "coins.0.name is 'euro'.*must be one of"),
        (lambda d: d["coins"][0].update(age=1), "coins.0.age is 1: Unexpected"),
        (lambda d: d["coins"][0].pop("thrown"), "coins.0.thrown is missing"),
        (lambda d: d["coins"][0]["thrown"].pop(), "coins.0.thrown.1 is missing"),
        (lambda d: d["by_side"].update({"1": 1.5}), "by_side.1 is 1.5"),
        (lambda d: d.update(weights="tensor:other"), "weights.*tensor of the file beside"),
        (lambda d: d.update(coins=[]), "there must be coins"),
        (lambda d: d.update(more=1), "more is 1"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place_and_the_remedy(tmp_path, change, message):
    path = tmp_path / "t.json"
    tosses().save(path)
    document = json.loads(path.read_text())
    del document["sha256"]
    change(document["data"])
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError, match=f"t.json: .*{message}.*experiment tosses makes it"):
        Toss.load(path)


def test_weights_that_are_altered_or_gone_are_named(tmp_path):
    tosses().save(tmp_path / "t.json")
    weights = tmp_path / "t.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ResultError, match=r"t\.safetensors must have sha256 .*tosses makes it"):
        Toss.load(tmp_path / "t.json")
    weights.unlink()
    with pytest.raises(ResultError, match=r"t\.safetensors must hold.*tosses makes it"):
        Toss.load(tmp_path / "t.json")


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(ResultError, match=r"by_side\.2 is 1\.5"):
        replace(tosses(), by_side={2: 1.5}).save(tmp_path / "t.json")
    assert list(tmp_path.iterdir()) == []


def shipped_kinds():
    """Every class of results of an experiment."""
    for module in pkgutil.walk_packages(lm_core.experiments.__path__, "lm_core.experiments."):
        importlib.import_module(module.name)
    kinds = {kind.NAME: kind for kind in Recorded.__subclasses__()}
    return {name: kind for name, kind in kinds.items() if kind.__module__.startswith("lm_core.")}


def stored(path):
    tensors = safetensors.torch.load_file(path.with_suffix(".safetensors")).values()
    return Counter((t.dtype, t.shape, t.numpy().tobytes()) for t in tensors)


def test_whoever_lacks_a_file_is_told_of_a_command_that_there_is():
    told = {kind.EXPERIMENT.split()[0].replace("-", "_") for kind in shipped_kinds().values()}
    assert told <= set(experiments_with_command())


@pytest.mark.parametrize("name", sorted(set(shipped_kinds()) - WITHOUT_A_FILE))
def test_what_is_shipped_is_read_and_written_again(tmp_path, name):
    kind = shipped_kinds()[name]
    kind.load().save(tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text())
    shipped = json.loads(kind.shipped().read_text())
    for document in (again, shipped):
        del document["sha256"]
    if not kind.shipped().with_suffix(".safetensors").exists():
        assert again == shipped
    else:
        assert stored(tmp_path / "again.json") == stored(kind.shipped())
    kind.load(tmp_path / "again.json").save(tmp_path / "third.json")
    assert (tmp_path / "third.json").read_bytes() == (tmp_path / "again.json").read_bytes()
