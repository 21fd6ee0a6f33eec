-- Series of near shapes: those of one coarse word, which says of each reading, or of each twelfth
-- of a long series, whether it is above the mean. Of a word that very many series have, those of
-- near means: the first digit of these.
-- Yields: words_met, near_words, series_by_word
-- Reads: mean_of_readings, near, series_rows

step worded
    select * exclude (tanon_mean), {
        'word': tanon._answer(tanon_sax(tanon_values, 2, least(len(tanon_values), 12)::integer)),
        'mean': tanon._digits(tanon_mean, 1)
    } as tanon_like
    from (select *, {mean_of_readings} as tanon_mean from {series_rows})
end

step words_met
    select tanon_like, count(*)::bigint as tanon_n from {worded} group by tanon_like
end

use near_words = near(alike = words_met)

step series_by_word
    select w.* exclude (tanon_like), tanon_near
    from {worded} as w join {near_words} using (tanon_like)
end
