"""The functions in tools that others make: each module needs its tool, and is all that does."""
