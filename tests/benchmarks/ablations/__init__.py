"""The rules of each part of the reader, and the data that `tests.benchmarks.ablation` measures."""
