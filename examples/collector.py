"""Collects the metrics of a run into a record for Gatehouse: JSON Lines, one metric a line. Standard library only.

    collector = Collector("record.jsonl")
    for step in range(steps):
        collector.add("train/loss", loss, step)
        collector.save()  # as often as you like

Each process of a run keeps a file of its own; all of them are submitted, and Gatehouse merges them.
"""

import json
import math
import os


class Collector:
    def __init__(self, path):
        self.path = os.fspath(path)
        self._series = {}

    def add(self, metric, value, step=None):
        """Keeps one point. Without a step only steps="last" and "mean" can judge it."""
        value = float(value)
        if not math.isfinite(value):
            # JSON has no literal for these; Python would write a bare NaN, which no other reader takes.
            value = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        self._series.setdefault(metric, []).append([None if step is None else int(step), value])

    def save(self):
        """Writes all points so far. Whoever reads sees the file before or after, never half of it."""
        partial = f"{self.path}.{os.getpid()}.partial"
        with open(partial, "w", encoding="utf-8", newline="\n") as file:
            for metric, series in self._series.items():
                file.write(json.dumps({"metric": metric, "series": series}, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, self.path)
