-- The 95 % interval of a share of n trials (Wilson): low and high; NULL for no trial.
create or replace macro tanon._interval(p, n) as list_transform(
    [{'p': p::double, 'm': nullif(n, 0)::double}], lambda t: list_transform([{
        'centre': (t.p + 1.920729 / t.m) / (1 + 3.841459 / t.m),
        'reach': 1.959964 * sqrt(t.p * (1 - t.p) / t.m + 0.960365 / t.m / t.m)
            / (1 + 3.841459 / t.m)
    }], lambda i: case when t.m > 0 then {
        'low': greatest(0, i.centre - i.reach), 'high': least(1, i.centre + i.reach)} end)[1])[1];
