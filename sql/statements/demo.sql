-- A hospital wants to publish its visits. Patients are left out, but zip, age and sex stay:
-- how many patients share each combination?

from visits limit 5;

from tanon.k_anonymity('visits', respondent := 'patient', qi := ['zip', 'age', 'sex']);

-- Most visitors would stand alone. With age in steps of twenty years nobody does:

from tanon.k_anonymity(
    '(select patient, zip, age // 20 * 20 as age, sex from visits)',
    respondent := 'patient', qi := ['zip', 'age', 'sex']
);

-- These groups are still too small for k = 8, and must not be published as they are:

from tanon.k_anonymity_violations(
    '(select patient, zip, age // 20 * 20 as age, sex from visits)',
    respondent := 'patient', qi := ['zip', 'age', 'sex'], k := 8
) order by all asc nulls last;

-- Visits also have a time, and whoever knows when somebody came finds their row. How coarse must
-- time be, if at most one row in twenty may be left out?

select granularity, gen_m, gen_s, suppressed_tuples, acceptable, least
from tanon.granularity_metrics('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
    granularities := ['day', 'week', '2 weeks', 'month', 'quarter'], k := 5,
    max_suppression := 0.05);

-- Two weeks will do. The release has sex, the two weeks and, as it is to be kept, the diagnosis:
-- zip and age stay home, like whatever is not named. It was counted again before it was given out:

from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
    granularities := ['day', 'week', '2 weeks', 'month', 'quarter'], k := 5,
    max_suppression := 0.05, keep := ['diagnosis'])
limit 5;

-- For the hospital, not for release: what was left out, and what would have kept it:

from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
    granularities := ['day', 'week', '2 weeks', 'month', 'quarter'], k := 5,
    max_suppression := 0.05, result := 'suppressed')
order by all asc nulls last;

-- Cases are published day by day. On some days the flu is half of all cases and more: whoever is
-- known to be among them has it, most likely. Such a day is not even 2-eligible:

select day, records, level, excess
from tanon.l_eligibility('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
    l := 2)
where not eligible order by day asc nulls last;

-- Some records can be published up to three days late instead, and few must be suppressed:

select moved, suppressed, information_loss as loss, eligible_before, eligible_after
from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
    l := 2, w := 4, result := 'summary');

create table repositioned as
from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
    l := 2, w := 4,
    keep := ['age', 'district']);

-- Now every day can be split into groups in which two diseases balance. Two tables are
-- released: who is in which group, and which diseases each group holds.

from tanon.publish_table_pair(
    'repositioned', qi := ['age', 'district'], sensitive := 'disease', l := 2, partition := 'day',
    result := 'individuals', respondent := 'person'
) limit 4;

from tanon.publish_table_pair(
    'repositioned', qi := ['age', 'district'], sensitive := 'disease', l := 2, partition := 'day',
    result := 'values', respondent := 'person'
) limit 4;

-- The hospital also wants to say which diagnoses occur together, each at least ten times:

from tanon.frequent_itemsets(
    '(select patient, unnest([diagnosis, sex]) as trait from visits)',
    transaction := 'patient', item := 'trait', min_support := 10
)
where list_has_all(itemset, ['asthma', 'fracture'])
order by all asc nulls last;

-- But 13 - 10 = 3: three men have asthma and a fracture. Two such groups can be worked out:

from tanon.inference_channels(
    '(select patient, unnest([diagnosis, sex]) as trait from visits)',
    transaction := 'patient', item := 'trait', min_support := 10, k := 5
) order by all asc nulls last;

-- Raised as if ten to twenty patients had been added, the supports leave nothing to work out:

select itemset, original_support, support
from tanon.publish_itemsets(
    '(select patient, unnest([diagnosis, sex]) as trait from visits)',
    transaction := 'patient', item := 'trait', min_support := 10, k := 5, for_owner := true
)
where support > original_support
order by all asc nulls last;

-- 120 households told their incomes of eight years. Names are left out, but whoever knows two or
-- three of the incomes finds the row. Ranges that twelve households share and words for the shape,
-- one letter a year, that six of these share, hide it:

select low[1:3] as low, high[1:3] as high, word, charity
from tanon.publish_series(
    'incomes', series_id := 'name', series := 'incomes', k := 12, p := 6, sensitive := 'charity',
    allow_identifying := 'charity'
) limit 4;

-- Words of the mean shape of each six keep far more of ranges and shapes. The owner compares:

from tanon.series_loss(
    '(from tanon.publish_series(''incomes'', ''name'', ''incomes'', 12, 6, for_owner := true))',
    'incomes', series_id := 'name', series := 'incomes'
);

from tanon.series_loss(
    '(from tanon.publish_series(
        ''incomes'', ''name'', ''incomes'', 12, 6, algorithm := ''shared'', for_owner := true
    ))',
    'incomes', series_id := 'name', series := 'incomes'
);

-- And what to know before any such release goes out:

from tanon.series_warnings('published_incomes', sensitive := 'charity');

-- A release of the incomes of 120 households, as an analyst gets it: ranges that at least twelve
-- share, and a word for the shape of each series that at least six of these share.

select low[1:3] as low, high[1:3] as high, word, charity from published_incomes limit 4;

-- How many earned between 60 and 90 in the last year, and how many of those rose all along?

from tanon.count_series_in_ranges('published_incomes', [{'position': 8, 'low': 60, 'high': 90}]);

from tanon.count_matching_series(
    'published_incomes', [{'position': 8, 'low': 60, 'high': 90}],
    pattern := [40, 42, 41, 45, 50, 56, 57, 60], tolerance := 0.2
);

-- What the owner wants to know: an adversary who knows all incomes of a household finds at least
-- six rows that may be its own, and is right about its charity at most one time in six.

select attack, targets, hits, round(hit_rate, 3) as hit_rate, round(promised, 3) as promised
from tanon.series_attack(
    'published_incomes', '(select name, incomes as yearly, charity from incomes)',
    series_id := 'name', series := 'yearly', sensitive := 'charity'
);
