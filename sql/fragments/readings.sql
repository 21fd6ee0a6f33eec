{# The readings of a series as one list. #}
{if len(tanon._list(series)) = 1} tanon._readings({series}) {else} [{series}]::double[] {end}
    as tanon_values
