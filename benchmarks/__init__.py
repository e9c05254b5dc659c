"""Benchmarks: ``python -m benchmarks`` runs all of them side by side and prints the ratios."""
