"""Experiments and their results: what bench/<slug>/experiments says, read in
one place, and everything that makes, checks and compares results."""
