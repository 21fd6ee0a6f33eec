-- How many times are NULL, and what is wrong with one of those that arrive.

select
    (select count(*) from {{ source }} where {{ ts }} is null),
    (
        select any_value(tanon._snapshot_problem({{ ts }}, {{ pace }})) from {{ source }}
        where {{ ts }} < {{ until }}
            {% if from_ts is defined %} and {{ ts }} >= {{ from_ts }} {% endif %}

    )
