with tanon_call as (select true),
-- sql/functions/help/presets.sql:-53
tanon_listed as (
    select preset, rule, checks, unchecked, source, date
    from (values
    (
        'cms_11',
        'no cell of 1 to 10 persons; an empty one may be shown',
        'k_anonymity(k := 11)',
        'whether a small cell can be worked out from other cells',
        'CMS cell size suppression policy, resdac.org/node/1506',
        date '2024-01-26'
    ),
    (
        'seer_11',
        'no cell of 1 to 10 persons in a report on linked cancer registries',
        'k_anonymity(k := 11)',
        'whether a small cell can be worked out from other cells',
        'SEER-MHOS data use agreement, healthcaredelivery.cancer.gov/seer-mhos/support/small_cell_sizes.html',
        date '2021-04-30'
    ),
    (
        'ema_0070',
        'the largest risk of being singled out is at most 0.09: 12 persons or more, as 1/11 is 0.091',
        'k_anonymity(k := 12)',
        'the judgement of attacks, direct identifiers and the anonymisation report',
        'EMA/90915/2016, guidance on Policy 0070, version 1.3',
        date '2017-09-22'
    ),
    (
        'ema_0070_k11',
        'the same risk of 0.09 as it is usually read: 11 persons or more',
        'k_anonymity(k := 11)',
        'the judgement of attacks, direct identifiers and the anonymisation report',
        'EMA/90915/2016, guidance on Policy 0070, version 1.3',
        date '2017-09-22'
    ),
    (
        'energy_15_15',
        '15 customers or more in each total, none of them with more than 15 % of it',
        'k_anonymity(k := 15) and dominance_violations(share := 0.15)',
        'how long the totals run; the rule differs from state to state',
        '15/15 rule of Illinois, energyefficiencyforall.org, aggregated data access',
        date '2026-11-18'
    ),
    (
        'sacro',
        '10 persons or more in each cell, the two largest with at most 90 % of its total',
        'k_anonymity(k := 10) and dominance_violations(n := 2, share := 0.9)',
        'the p-ratio, zeros, missing values and regressions',
        'ACRO of AI-SDC, acro/default.yaml: safe_threshold, safe_nk_n, safe_nk_k',
        date '2026-08-11'
    ),
    (
        'nhs_hes',
        'no count of 1 to 7 persons',
        'k_anonymity(k := 8)',
        'how the other counts are rounded',
        'NHS hospital episode statistics, digital.nhs.uk, disclosure control methodology',
        date '2026-11-18'
    ),
    (
        'opensafely',
        'no count of 1 to 7 persons, as its projects redact',
        'k_anonymity(k := 8)',
        'how the other counts are rounded; what can be worked out from several',
        'opensafely/documentation, issue 1039; opensafely/medication-reviews, redact_and_round.py',
        date '2026-11-18'
    ),
    (
        'census_drb_15',
        'no count of 1 to 14 persons',
        'k_anonymity(k := 15)',
        'the rounding of the other counts, in steps that grow with them',
        'rounding rules of the US Census Bureau''s review board, simsong/drb_rounder, README',
        date '2026-11-18'
    ),
    (
        'hipaa_safe_harbor',
        'of dates the year alone, ages above 89 as one group, of ZIP codes three digits',
        'safe_harbor_violations()',
        'columns that ages and zips do not name; running numbers of days; names and other identifiers; areas that small_zips does not list',
        '45 CFR 164.514(b)(2)(i)',
        date '2013-01-25'
    )
    ) as t (preset, rule, checks, unchecked, source, date)
)
-- sql/functions/help/presets.sql
from tanon_listed
