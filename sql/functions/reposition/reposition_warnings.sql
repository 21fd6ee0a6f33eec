-- What a repositioned stream does not hold against, and what its readers notice; no rows: it is
-- empty.
--
-- Of the same call as tanon.reposition. What is promised is that no value and no person has more
-- than 1/l of a published snapshot. Told besides:
--
--   best guess               the largest share of a value in a published snapshot
--   suppressed               records that are in no snapshot
--   true day of the late     somebody knows the true snapshot of a record and sees in which later
--                            one it is: how often the most frequent value of those gone the same
--                            way is right, at worst. Told where the way says more than the snapshot
--   true day of the missing  the same of those who are in none
--   missing                  somebody knows only that a person is in the stream, and finds them
--                            in none: how often the most frequent value of the missing is right
--   values lost              values of which no record is published
--   snapshots lost           snapshots that had records and publish none
--   several records          persons with several records
--   repeats lost             records that repeats 'one' left out
--   counts                   the mean relative error of the count of a value in a snapshot
--
-- Cost: as tanon.reposition_plan, and 38 sums per (snapshot, value).
--
-- Arguments:
{% include "arguments/reposition.sql" %}
-- Checks:
{% include "arguments/reposition_checks.sql" %}
-- Result:
--   warning  VARCHAR  what was found
--   affects  VARCHAR  the column, NULL where it is about all of them
--   records  BIGINT   records concerned
--   share    DOUBLE   their share of all records; of guesses that are right for best guess and true
--       day; the error for counts
--   advice   VARCHAR  what it means
-- For: the owner
-- Shards:
--   spelled_cells     by anything  counts of snapshots and values, added up
--   cells_of_persons  by uid when uid  persons who have records near each other
--   persons_with_several  by uid when uid  how many there are
-- Example:
--   from tanon.reposition_warnings('cases', uid := 'person', ts := 'day', sa := 'disease',
--       l := 2, w := 4)

select warning, affects, records, share, advice
from {warned_of_stream}
order by tanon_place asc nulls last
