{# One row, or an error: every row of the release has ranges and a word of one length. Set the
   name of the relation as `release` before. #}
tanon_shape as (select coalesce(max(len(low)), 0) as points from {{ release }}),
tanon_fits as (
    select coalesce((
        select error(
            {function} || ': the release must be ranges and words of one length ('
            || any_value(points) || '), got ' || count(*) || ' rows that are not'
        )
        from {{ release }}, tanon_shape
        where (
            len(low) = points and len(high) = points and length(pr) = points and level >= 1
        ) is not true
        having count(*) > 0
    ), true) as fits
)
