"""Every speed and quality figure of the project, side by side: `python -m bench --help`."""
