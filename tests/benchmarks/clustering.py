"""How fast clustering is beside scikit-learn: `python -m tests.benchmarks.clustering`.

* k-means: Lloyd's algorithm from the same centres, 10 iterations, none of them cut short;
* EM: full covariances from the same mixture, 5 iterations, and scikit-learn's own ridge of 1e-6;
* how much memory each takes beyond its points, as the number of points grows (on Linux).

The points are one shapeless cloud, where neither converges within these iterations: both do the
same number, which is checked, as is that they end in the same place. Everything runs on one thread.
Rates are by processor time; the two take turns, and each figure is the median of its rounds, but
for the largest cells of EM, which take minutes a round and get one. Above 1 a ratio speaks for us.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import itertools  # noqa: E402
import math  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402

import torch  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402
from sklearn.mixture import GaussianMixture  # noqa: E402
from torch import Tensor  # noqa: E402

from lm_core.clustering import em, k_means  # noqa: E402
from lm_core.clustering.covariances import Constraint  # noqa: E402
from lm_core.clustering.initialisation import mixture_from_centres  # noqa: E402
from lm_core.rng import generator  # noqa: E402

ITERATIONS = {"k-means": 10, "EM": 5}
WIDTHS, CLUSTERS = (2, 10, 50), (2, 8, 20)
LARGE = 2 * 10**8  # N * D * K, above which EM takes minutes a round, and one has to do
RIDGE = Constraint(floor=0.0, ridge=1e-6)

Fit = Callable[[], Tensor]  # returns where the centres end


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=float, nargs="+", default=[1e4, 1e5, 1e6])
    parser.add_argument("--what", nargs="+", choices=ITERATIONS, default=list(ITERATIONS))
    parser.add_argument("--dtype", choices=["float32", "float64"], default="float64")
    parser.add_argument("--rounds", type=int, default=5, help="of each contestant; default: 5")
    parser.add_argument("--peak", nargs=3, help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # scikit-learn says that it has not converged, which is meant
    if parsed.peak:
        print(_peak_growth(*parsed.peak))
        return
    for what in parsed.what:
        _print_speeds(what, [int(n) for n in parsed.sizes], parsed.dtype, parsed.rounds)
    _print_memory(parsed.what, [int(n) for n in parsed.sizes])


def _print_speeds(what: str, sizes: list[int], dtype: str, rounds: int) -> None:
    iterations = ITERATIONS[what]
    print(f"\n{what}, {dtype}, ms for {iterations} iterations; ratio = scikit-learn's / ours\n")
    print("| N | D | K | ours | scikit-learn | ratio |\n|---|---|---|---|---|---|")
    ratios = {}
    for n, width, clusters in itertools.product(sizes, WIDTHS, CLUSTERS):
        fits = _fits(what, _cloud(n, width, dtype), clusters)
        is_large = what == "EM" and n * width * clusters > LARGE
        ours, theirs = _milliseconds(fits, 1 if is_large else rounds)
        ratios[n, width, clusters] = ratio = theirs / ours
        cells = f"{n} | {width} | {clusters} | {ours:.1f} | {theirs:.1f} | {ratio:.2f}"
        print(f"| {cells} |", flush=True)
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios.values()))
    worst = min(ratios, key=ratios.__getitem__)
    print(f"\nGeometric mean {mean:.2f}; worst {ratios[worst]:.2f} at N, D, K = {worst}")


def _cloud(n: int, width: int, dtype: str) -> Tensor:
    return torch.randn(n, width, generator=generator(1), dtype=getattr(torch, dtype))


def _fits(what: str, points: Tensor, clusters: int) -> tuple[Fit, Fit]:
    """Return our fit and scikit-learn's, from the same start."""
    iterations, centres, table = ITERATIONS[what], points[:clusters].clone(), points.numpy()
    if what == "k-means":
        rival = KMeans(clusters, init=centres.numpy(), n_init=1, max_iter=iterations, tol=0.0)
        return (
            lambda: k_means.fit(points, centres, max_iterations=iterations).centres,
            lambda: torch.from_numpy(rival.fit(table).cluster_centers_),
        )
    start = mixture_from_centres(points, centres, constraint=RIDGE)
    rival = GaussianMixture(
        clusters,
        tol=0.0,
        max_iter=iterations,
        weights_init=start.weights.numpy(),
        means_init=centres.numpy(),
        precisions_init=torch.linalg.inv(start.covariances).numpy(),
    )

    def ours() -> Tensor:
        last = em.fit(points, start, RIDGE, max_iterations=iterations, tolerance=0.0)
        return last.mixture.means

    return ours, lambda: torch.from_numpy(rival.fit(table).means_)


def _milliseconds(fits: tuple[Fit, Fit], rounds: int) -> tuple[float, float]:
    """Let both take turns; return the median of each. The first turn checks, unmeasured."""
    ours, theirs = (fit() for fit in fits)
    tolerance = 1e-6 if ours.dtype == torch.float64 else 0.1
    torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for fit, values in zip(fits, seconds, strict=True):
            begin = time.process_time()
            fit()
            values.append(time.process_time() - begin)
    return 1e3 * statistics.median(seconds[0]), 1e3 * statistics.median(seconds[1])


def _print_memory(what: list[str], sizes: list[int]) -> None:
    print("\nPeak memory beyond the points, MB, D 10, K 8, float64\n")
    print("| what | N | points | ours | scikit-learn |\n|---|---|---|---|---|")
    for name in what:
        for n in sizes:
            peaks = [_peak_of_process(name, side, n) for side in ("ours", "theirs")]
            print(f"| {name} | {n} | {n * 80 / 1e6:.0f} | {peaks[0]} | {peaks[1]} |", flush=True)


def _peak_of_process(what: str, side: str, n: int) -> str:
    command = [sys.executable, "-m", "tests.benchmarks.clustering", "--peak", what, side, str(n)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _peak_growth(what: str, side: str, n: str) -> str:
    """Return by how many MB the process grows while it fits, past a first fit of a few points."""
    for fit in _fits(what, _cloud(1000, 10, "float64"), 8):
        fit()
    fit = _fits(what, _cloud(int(n), 10, "float64"), 8)[side == "theirs"]
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak so far is forgotten
    before = _status("VmRSS")
    fit()
    return f"{(_status('VmHWM') - before) / 1e3:.0f}"


def _status(name: str) -> int:
    """Return a figure of this process in kB; Linux alone tells it so."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


if __name__ == "__main__":
    main()
