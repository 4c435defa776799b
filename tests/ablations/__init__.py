"""The rules of each part of the reader, and what they are measured on (`tests.bench_ablation`)."""
