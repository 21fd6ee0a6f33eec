{#- Each test lists what breaks its promise: no rows pass. Listed rows are rare groups, which
    store_failures keeps in the database. A model with fewer than min_rows rows is an error. -#}
{% test k_anonymous(model, qi, k, respondent=none, column_name=none, min_rows=1, allow_empty=false) %}
    select *
    from {{ tanon.call('k_anonymity_violations', tanon.relation(model), respondent=respondent or column_name, qi=qi, k=k, **kwargs) }}
    where {{ tanon.has_rows(model, min_rows, allow_empty) }}
{% endtest %}


{% test l_diverse(model, groups, l, sensitive=none, column_name=none, min_rows=1, allow_empty=false) %}
    select *
    from {{ tanon.call('l_diversity_violations', tanon.relation(model), groups=groups, sensitive=sensitive or column_name, l=l, **kwargs) }}
    where {{ tanon.has_rows(model, min_rows, allow_empty) }}
{% endtest %}


{% test kp_anonymous(model, k, p, min_rows=1, allow_empty=false) %}
    select *
    from {{ tanon.call('series_violations', tanon.relation(model), k=k, p=p, **kwargs) }}
    where {{ tanon.has_rows(model, min_rows, allow_empty) }}
{% endtest %}


{% test no_channels(model, k, min_rows=1, allow_empty=false) %}
    select *
    from {{ tanon.call('itemset_violations', tanon.relation(model), k=k, **kwargs) }}
    where {{ tanon.has_rows(model, min_rows, allow_empty) }}
{% endtest %}


{#- Any other check by name: check_release, dominated_total_violations, safe_harbor_violations ... -#}
{% test holds(model, check, min_rows=1, allow_empty=false) %}
    select *
    from {{ tanon.call(check, tanon.relation(model), **kwargs) }}
    where {{ tanon.has_rows(model, min_rows, allow_empty) }}
    {% if execute and tanon.signature(check).has_holds %}
    and holds is not true
    {% endif %}
{% endtest %}
