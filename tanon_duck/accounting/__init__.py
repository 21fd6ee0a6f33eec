"""What is written down of a release: what left, from what, by which rules, and what was checked."""
