-- sql/functions/series/value_loss.sql
case when len(low) <> len(high) then
    error('tanon.value_loss: high must be as long as low, ' || len(low) || ', got ' || len(high))
else sqrt(list_avg(list_transform(low::double[], lambda l, i:
    (high[i]::double - l) * (high[i]::double - l)))) end
