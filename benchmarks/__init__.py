"""Measurements of tablebridge, each against a named baseline in the same run: `python -m benchmarks`
(docs/performance.md).
"""
