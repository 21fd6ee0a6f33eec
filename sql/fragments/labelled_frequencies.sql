{if granularity is null}
select {qi}{if ts is not null}, {ts}{end}, frequency, tuples
from tanon_frequencies
{else}
{if tanon._is_granularity(granularity)}
select {qi}, tanon._label(tanon_first, {granularity}) as {ts}, frequency, tuples
from tanon_frequencies
{else}
select {qi}, tanon_label as {ts}, frequency, tuples
from tanon_frequencies join tanon_granules using (tanon_granule)
{end}
{end}
