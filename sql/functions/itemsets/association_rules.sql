-- Rules "who holds these also holds those" of a collection of itemsets, sanitized ones for example.
--
-- confidence = support of both together / support of the antecedent; lift = confidence / share of
-- transactions that hold the consequent. Rules of sanitized supports say what these say, no more.
--
-- Cost: every split of every itemset into two sides that reaches min_confidence.
-- Memory: the collection and the rules.
--
-- Arguments:
--   release         relation            the itemsets, with every subset of every itemset
--   min_confidence  number in [0, 1] = 0.5  the least confidence
--   min_lift        number >= 0 = 0     the least lift
--   max_consequent  integer > 0 = NULL  the most items of a consequent
--   itemset         column(list) not null of release = 'itemset'  the items
--   support         column(integer) not null of release = 'support'  how many hold all of them
-- Result:
--   antecedent  list of items  who holds these
--   consequent  list of items  also holds those
--   support     BIGINT         how many transactions hold both
--   confidence  DOUBLE         which share of those with the antecedent that is
--   lift        DOUBLE         how many times as often as if the sides were independent
-- For: anybody
-- Example:
--   with published as (
--       from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--           min_support := 8, k := 5)
--   )
--   from tanon.association_rules('published', min_confidence := 0.2)
--   order by all

use mentions = listed_items()

step rules
    select unnest(tanon._answer(tanon_derive_rules(
        tanon_collection, {min_confidence}::double, {min_lift}::double, {max_consequent}::bigint
    ))) as tanon_rule
    from {encoded_collection}
end

select
    list_select(tanon_values, tanon_rule['antecedent']) as antecedent,
    list_select(tanon_values, tanon_rule['consequent']) as consequent,
    tanon_rule['support'] as support,
    tanon_rule['confidence'] as confidence,
    tanon_rule['lift'] as lift
from {rules}, {dictionary}
