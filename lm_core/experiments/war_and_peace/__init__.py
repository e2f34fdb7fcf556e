"""The language models of War and Peace: runs, presets and n-gram baselines."""
