"""Reposition: move records forward in time until every snapshot is l-eligible."""
