-- Returns association rules of itemsets: transactions with some items also contain other items.
--
-- The itemsets can be a release of tanon.publish_itemsets or the result of tanon.frequent_itemsets.
-- confidence is the support of both sides together, divided by the support of the antecedent. lift
-- is the confidence divided by the share of transactions with the consequent. Rules follow from the
-- supports, so they reveal nothing more.
--
-- Cost: one step for each split of an itemset that reaches min_confidence. Memory: the itemsets and
-- the rules.
--
-- Arguments:
--   release         relation            the itemsets, with every subset of each itemset
--   min_confidence  number in [0, 1] = 0.5  the smallest confidence
--   min_lift        number >= 0 = 0     the smallest lift
--   max_consequent  integer > 0 = NULL  the most items of a consequent
--   itemset         column(list) not null of release = 'itemset'  the items
--   support  column(integer) not null of release = 'support'  the number of transactions with all
--       items
-- Result:
--   antecedent  list of items  the items of the condition
--   consequent  list of items  the items that follow
--   support     BIGINT         the number of transactions with both
--   confidence  DOUBLE         the share of transactions with the antecedent that also contain the
--       consequent
--   lift        DOUBLE         the confidence divided by the share of transactions with the
--       consequent
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
