"""How long a test waits for another process before it gives up: a guard against hanging."""

LONGEST = 600  # seconds; no result depends on it
