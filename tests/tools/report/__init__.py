"""The results of benchmarks, and the README's figures made from them: `tests.tools.report`."""
