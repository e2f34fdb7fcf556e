"""Contestants that take turns, so that whatever else the machine does slows all of them alike."""

import statistics
import time


def seconds_in_turn(contestants, rounds):
    """Return each one's median of processor seconds; what is made once is made before the clock runs."""
    seconds = {name: [] for name in contestants}
    for contestant in contestants.values():
        contestant()
    for _ in range(rounds):
        for name, contestant in contestants.items():
            begin = time.process_time()
            contestant()
            seconds[name].append(time.process_time() - begin)
    return {name: statistics.median(values) for name, values in seconds.items()}
