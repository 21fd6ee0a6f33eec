"""Itemsets of transactions: search, inference channels, and supports without channels.

- ``mining``: finds frequent, closed and maximal itemsets, with ``pairs``, ``columns``, ``search``
  and ``size_estimate``. ``parts`` does so for transactions on several shards.
- ``transactions``, ``collection``, ``closed_form``: transactions and itemsets as arrays.
- ``channels``: finds inference channels, patterns of fewer than k transactions that published
  supports reveal.
- ``sanitize``: changes supports so that no channel is left, with ``merging``, ``rows_to_change``
  and ``drawing``. ``summary`` measures the changes.
- ``rules``: derives association rules.
- ``counting``, ``bits``, ``runs``: shared operations on bit columns and arrays.
"""
