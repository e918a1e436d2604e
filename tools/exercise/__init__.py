"""Exercises: what exercises/ holds, the reader's own files, and the judge."""
