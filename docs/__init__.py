"""The documentation, and what makes a site of it: ``python -m docs -o DIR``."""
