{# The sensitive values as numbers, an error where they are none; NULL is near to nothing. #}
tanon_numbers as (
    select secret, case
        when struct_extract_at(tanon_value, 1) is null
            or try_cast(struct_extract_at(tanon_value, 1) as double) is not null
            then coalesce(try_cast(struct_extract_at(tanon_value, 1) as double), 'inf')
        else error(
            {function} || ': sensitive must be a number for this attack, got '
            || struct_extract_at(tanon_value, 1)::varchar
        ) end as tanon_number
    from tanon_secrets
)
