"""(k,P)-anonymity of time series: values as k-anonymous envelopes, patterns as P-anonymous words.

Rows come in an order that carries no meaning (the callers order them by a hash of the id); ties are
always decided by that order, so an answer never depends on how a table happens to be stored.
"""
