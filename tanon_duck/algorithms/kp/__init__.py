"""(k,P)-anonymity of time series: at least k series share ranges, at least P of them a word.

A k-group is at least k series. The release shows its envelope: the lowest and the highest value at
each position. A P-subgroup is at least P series of a k-group. The release shows its SAX word,
which describes the shape of its series (see ``sax``). The level is the number of letters.

- ``release``: makes the release by one of the four algorithms.
- ``kapra``, ``create_tree``, ``recycle``: the algorithm KAPRA. It makes P-subgroups of series with
  equal words first, then joins them into k-groups (``near_groups``).
- ``naive``, ``words``: the algorithm Naive. It makes k-groups first, then P-subgroups within them.
- ``shared``, ``nearest_split``, ``row_swaps``: an algorithm of our own, in which a P-subgroup
  publishes the word of its mean shape.
- ``balanced_split``, ``sequential_split``, ``untorn_split``: ways to divide series into groups of
  near values.
- ``exchange``: moves series between groups to make envelopes narrower.
- ``scaling``: the coordinates in which distances are measured.
- ``classes``: shared operations on group numbers.

The rows of a matrix are series. Callers order them by a hash of the id, and this order decides all
ties. So a result does not depend on how the table is stored.
"""
