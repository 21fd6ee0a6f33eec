-- Itemsets that were mined, with items in place of their codes.
-- Yields: itemsets_in_items
-- Reads: dictionary

piece itemsets_in_items(itemsets)
select
    coalesce(list_select(tanon_values, tanon_itemset['codes']), []) as itemset,
    tanon_itemset['support'] as support
from {itemsets}, {dictionary}
end
