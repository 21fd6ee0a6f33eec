{#- Each test lists what breaks its promise: no rows pass. Listed rows are rare groups: whoever sets
    store_failures keeps them in the database. -#}
{% test k_anonymous(model, qi, k, uid=none, column_name=none) %}
    select *
    from {{ tanon.call('k_anonymity_violations', tanon.relation(model), uid=uid or column_name, qi=qi, k=k, **kwargs) }}
{% endtest %}


{% test l_diverse(model, groups, l, sa=none, column_name=none) %}
    select *
    from {{ tanon.call('l_diversity_violations', tanon.relation(model), groups=groups, sa=sa or column_name, l=l, **kwargs) }}
{% endtest %}


{% test kp_anonymous(model, k, p) %}
    select *
    from {{ tanon.call('kp_violations', tanon.relation(model), k=k, p=p, **kwargs) }}
{% endtest %}


{% test no_channels(model, k) %}
    select *
    from {{ tanon.call('itemset_violations', tanon.relation(model), k=k, **kwargs) }}
{% endtest %}


{#- Any other check by name: check_release, dominance_violations, safe_harbor_violations ... -#}
{% test holds(model, check) %}
    select *
    from {{ tanon.call(check, tanon.relation(model), **kwargs) }}
    {% if execute and tanon.signature(check).has_holds %}
    where holds is not true
    {% endif %}
{% endtest %}
