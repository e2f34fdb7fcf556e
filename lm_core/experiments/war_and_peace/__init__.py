"""The language models of War and Peace: runs, presets, n-gram baselines, synthetic text."""
