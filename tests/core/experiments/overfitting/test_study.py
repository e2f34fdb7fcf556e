"""What is measured: settings of the sweep, where training is stopped, the book by heart, and what is shipped."""

from types import SimpleNamespace

import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.overfitting import book, study, training
from lm_core.experiments.overfitting.book import EVERY, RUNS, BookRun, mean_run, train_on_book
from lm_core.experiments.overfitting.double_descent import COUNTS
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.speed_up import Speed
from lm_core.experiments.overfitting.study import DescentCurve, SweepPoint
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.training.early_stopping import stop_early

PERIOD = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])


def test_a_setting_is_varied_alone(monkeypatch):
    monkeypatch.setattr(study, "VALUES", {"units": (2, 3)})
    points = list(study.sweep(networks=2, steps=20))
    assert [(p.value, p.remedy) for p in points] == [
        (value, remedy)
        for value in (2, 3)
        for remedy in ("None", "Early stopping", "Weight decay", "Dropout")
    ]
    found = training.train(training.NetworkSettings(units=3, seed=study.SEED, networks=2, steps=20))
    (none,) = [p for p in points if (p.value, p.remedy) == (3, "None")]
    assert none.training == pytest.approx(float(found.training.losses[-1].mean()), abs=5e-5)
    assert none.validation_error == pytest.approx(
        float(found.validation.errors[-1].mean()), abs=5e-5
    )
    assert none.low <= none.validation <= none.high


def test_a_network_is_stopped_by_points_that_are_not_scored():
    found = training.train(training.NetworkSettings(units=8, points=20, seed=5, networks=12))
    stopped = study._stopped(found).tolist()
    other = training.validation_points(seed=study.SEED)
    assert not torch.equal(other.inputs, training.validation_points().inputs)
    for network, end in enumerate(stopped):
        way = [float(training.score(layers, other)[0][network]) for layers in found.layers]
        assert end == stop_early(way, study.PATIENCE).best
    scored = found.validation.losses.T.tolist()
    assert stopped != [stop_early(way, study.PATIENCE).best for way in scored]


def test_errors_of_draws_become_a_median_between_quartiles(monkeypatch):
    monkeypatch.setattr(study, "COUNTS", (4, 20, 100))
    curves = list(study.descents(draws=5))
    assert [(c.noise, c.weight_decay) for c in curves] == [
        (noise, decay) for noise in study.NOISES for decay in study.DECAYS
    ]
    for curve in curves:
        assert len(curve.new) == len(curve.training) == 3
        assert all(
            low <= middle <= high
            for low, middle, high in zip(curve.low, curve.new, curve.high, strict=True)
        )


# The book -------------------------------------------------------------------------------------


def test_a_text_that_repeats_itself_is_known_by_heart(monkeypatch):
    for name, value in {"WIDTH": 32, "CONTEXT": 16, "PROMPT": 8, "LEARNING_RATE": 0.01}.items():
        monkeypatch.setattr(book, name, value)
    monkeypatch.setattr(book, "PLACES", 8)
    monkeypatch.setitem(RUNS, "small", BookRun(characters=400))
    noise = torch.randint(0, 10, (600,), generator=generator(3)).numpy()
    text = SimpleNamespace(train=PERIOD.repeat(60).numpy(), validation=noise, vocabulary=range(10))
    curve = train_on_book("small", text, steps=4 * EVERY)
    assert len(curve.training) == len(curve.recited) == 5
    assert curve.training[-1] < 0.2 < 2.0 < curve.validation[-1]
    assert curve.recited[-1] > 0.9 * book.LONGEST
    assert curve.continued[-1] < 3


def test_only_what_comes_before_the_first_mistake_counts(monkeypatch):
    for name, value in {"PLACES": 2, "PROMPT": 2, "LONGEST": 4}.items():
        monkeypatch.setattr(book, name, value)

    class Follows(TransformerLanguageModel):
        """Expects each token to be followed by the next number, but 5 by 0."""

        def __init__(self):
            super().__init__(book.network_of(BookRun(), 8))

        def forward(self, tokens, state):
            following = torch.where(tokens == 5, 0, tokens + 1)
            return torch.nn.functional.one_hot(following, 10).float(), state

    assert mean_run(Follows(), torch.tensor([1, 2, 3, 4, 5, 6, 7])) == 3.0


def test_remedies_reach_the_network_and_its_training():
    assert book.network_of(RUNS[book.DROPOUT], 70).dropout == 0.2
    assert RUNS[book.DECAY].weight_decay == 1.0
    assert RUNS[book.MORE_TEXT].characters == 10 * RUNS[book.PLAIN].characters


# Results --------------------------------------------------------------------------------------


def test_what_is_shipped_is_whole_and_says_what_the_page_says():
    results = OverfittingResults.load()
    assert len(results.sweep) == 4 * sum(map(len, study.VALUES.values()))
    for noise in study.NOISES:
        for decay in study.DECAYS:
            assert len(results.descent(noise, decay).new) == len(COUNTS)
    noisy = results.descent(0.3, 0.0).new
    assert noisy[COUNTS.index(20)] > 10 * min(noisy)
    assert noisy[-1] < noisy[COUNTS.index(20)] / 10
    assert [curve.name for curve in results.book] == list(RUNS)
    plain = results.curve(book.PLAIN)
    assert plain.validation[-1] > min(plain.validation) + 1.0
    assert [speed.machines for speed in results.speeds] == [1, 2, 4]
    assert max(speed.difference for speed in results.speeds) < 1e-6


def test_results_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "overfitting.json"
    results = OverfittingResults(
        provenance(device="cpu", seconds=1.0),
        (SweepPoint("units", 2, "None", 0.1, 0.2, 0.1, 0.3, 0.0, 0.1),),
        (DescentCurve(0.1, 0.0, (1.0,), (2.0,), (1.5,), (2.5,)),),
        (),
        (Speed(1, 0.1, 0.0, 10, 0.0),),
    )
    results.save(path)
    assert OverfittingResults.load(path) == results
    with pytest.raises(ResultError, match="missing"):
        OverfittingResults.load(tmp_path / "none.json")
