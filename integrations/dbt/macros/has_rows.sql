{#- A condition that is true, or an error where a model has fewer rows than a test must find. -#}
{%- macro has_rows(model, min_rows, allow_empty) -%}
    {%- if allow_empty -%}
    true
    {%- else -%}
    (select case when count(*) < {{ min_rows }}
        then error('tanon: the model must have min_rows ({{ min_rows }}) rows, or allow_empty')
        else true end
    from (select 1 from {{ model }} limit {{ min_rows }}))
    {%- endif -%}
{%- endmacro -%}
