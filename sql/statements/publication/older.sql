-- Whether there are as many older records as were seen.

select (select count(*) from {{ source }} where {{ ts }} < {{ from_ts }})
    = (select coalesce(sum(records), 0) from {{ schema }}.state_seen where snapshot < {{ low }})
