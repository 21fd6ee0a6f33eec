-- How far answers of a release are from those of its source: facts of a report.
-- Yields: facts_of_answers, facts_of_series_answers

-- Errors to the last digit would tell true counts to whoever asks the same queries: others see
-- those of many rows, as the page rounds them.
step facts_of_answers(errors)
    select
        10 as tanon_part, list_position(['none', 'below 0.1 %', '0.1 to 1 %', '1 to 10 %',
            '10 % and more', 'all'], selectivity)::bigint as tanon_place,
        'utility' as section, [
            tanon._fact('queries', selectivity, queries, null, null, null, tanon_is_public),
            tanon._fact('median relative error', selectivity, median_relative_error, null, null,
                null, tanon_is_public),
            tanon._fact('ninth decile', selectivity, ninth_decile, null, null, null, false),
            tanon._fact('median absolute error', selectivity, median_absolute_error, null, null,
                null, false)
        ] as facts
    from (
        select *, selectivity in ('1 to 10 %', '10 % and more', 'all') as tanon_is_public
        from {errors}
    )
end

step facts_of_series_answers(answers)
    select
        6 as tanon_part, list_position(['pattern similarity', 'pattern range', 'value range',
            'complex'], query)::bigint as tanon_place,
        'utility' as section, [
            tanon._fact('queries', query, queries, null, null, null, true),
            tanon._fact('precision', query, precision, null, null, null, true),
            tanon._fact('recall', query, recall, null, null, null, true),
            tanon._fact('mean relative error', query, relative_error, null, null, null, true),
            tanon._fact('median relative error', query, median_relative_error, null, null, null,
                true),
            tanon._fact('without answer or truth', query, undefined, null, null, null, false)
        ] as facts
    from {answers}
end
