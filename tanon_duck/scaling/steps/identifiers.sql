-- Identifiers in texts that leave as they are: those of all shards are looked for in the texts of
-- each. For shards alone.
-- Yields: names_met, identifiers_met
-- Reads: identifiers, words_kept

step names_met
    select '' as tanon_folded, tanon_word from {identifiers}
    union all
    from {words_kept}
end

-- As identifiers_found.
step identifiers_met
    select tanon_folded, count(*) as tanon_found
    from {names_met}
    where tanon_folded <> ''
        and tanon_word in (select tanon_word from {names_met} where tanon_folded = '')
    group by tanon_folded
end
