-- Groups of a table that lie whole in shards, and the values of all shards that they are compared
-- with. For shards alone.
-- Yields: values_here, values_met, value_shares_met
-- Reads: counted_once, numbered_secrets, shares_of_secrets

step values_here
    select tanon_sensitive, count(*) as tanon_n from {counted_once} group by tanon_sensitive
end

use numbered_values_met = numbered_secrets(secrets = values_here)
use shares_of_values = shares_of_secrets(secrets = values_here, values = values_met)

-- As sensitive_values.
step values_met
    {numbered_values_met}
end

-- As value_shares.
step value_shares_met
    {shares_of_values}
end
