-- Which texts hold the identifier of a respondent, whoever the row is about. A word is a longest
-- run of letters and digits, in any case. An identifier is a word, or several that follow each
-- other, as in p-0012. Those of fewer than four letters and digits are not looked for. The function
-- says what `kept_identifiers` is: rows with tanon_id; no_identifiers() where no column holds them.
-- Values are rows with tanon_folded, the name of a column in small letters, and tanon_text.
-- Yields: named_in, no_identifiers, words_in
-- Reads: kept_identifiers
-- Takes: source

step no_identifiers
    select null::varchar as tanon_id where false
end

step identifiers
    select distinct tanon._phrase(tanon._words(tanon._value_text(tanon_id))) as tanon_word
    from {kept_identifiers}
    where length(replace(tanon_word, ' ', '')) >= 4
end

step identifier_lengths
    select distinct
        1 + length(tanon_word) - length(replace(tanon_word, ' ', '')) as tanon_several,
        length(tanon_word) as tanon_letters
    from {identifiers}
end

-- Words of other lengths are no identifiers.
step words_in(values)
    select distinct tanon_folded, tanon_word
    from (
        select
            tanon_folded, tanon_sizes,
            case when tanon_several = 1 then tanon_words[tanon_at]
                else tanon._phrase(tanon_words[tanon_at:tanon_at + tanon_several - 1]) end
                as tanon_word
        from (
            select *, unnest(range(1, len(tanon_words) - tanon_several + 2)) as tanon_at
            from (
                select tanon_folded, tanon._words(tanon_text) as tanon_words
                from {values}
                where tanon_folded in (
                    select folded
                    from {source:columns}
                    where regexp_matches(column_type, '^(VARCHAR|ENUM|UUID)')
                )
            ), (
                select tanon_several, list(tanon_letters) as tanon_sizes
                from {identifier_lengths}
                group by tanon_several
            )
        )
    )
    where list_contains(tanon_sizes, length(tanon_word))
end

step named_in(words)
    select tanon_folded, count(*) as tanon_found
    from {words}
    where tanon_word in (select tanon_word from {identifiers})
    group by tanon_folded
end
