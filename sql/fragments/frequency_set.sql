select {qi}, count(distinct {uid}) as frequency, count(*) as tuples
from {source}
group by {qi}
