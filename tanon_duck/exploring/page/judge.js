// What k and max_suppression mean for groups that are counted: as tanon.granularity_metrics says it,
// and which granularity tanon.publish_events takes.
// Figures are whole numbers below 2^53, and shares one division, so that they are those of SQL.

/** All that is coarser than each granularity, from what is directly coarser. */
function coarser(edges) {
  const above = new Map();
  for (const [below, next] of edges) above.set(below, [...(above.get(below) ?? []), next]);
  const reached = new Map();
  const of = (name) => {
    if (!reached.has(name)) {
      reached.set(name, new Set());
      for (const next of above.get(name) ?? []) {
        reached.get(name).add(next);
        for (const far of of(next)) reached.get(name).add(far);
      }
    }
    return reached.get(name);
  };
  for (const name of above.keys()) of(name);
  return reached;
}

const lesser = (a, b) => (a === null ? b : Math.min(a, b));

/** What is measured of the groups of one granularity; values are there where they were counted. */
function measured({ name, reason, sizes, bits, place }, rows, k, permille, l) {
  const none = { groups: 0, sum: 0, least: null, rows: 0, distinct: null, balanced: null };
  const all = { ...none };
  const kept = { ...none };
  let alone = 0;
  const missed = [];
  for (const [frequency, groups, tuples, distinct = null, balanced = null, values = null] of sizes) {
    for (const into of stays(frequency, distinct, k, l) ? [all, kept] : [all]) {
      into.groups += groups;
      into.sum += frequency * groups;
      into.rows += tuples;
      into.least = lesser(into.least, frequency);
      if (distinct !== null) {
        into.distinct = lesser(into.distinct, distinct);
        into.balanced = lesser(into.balanced, balanced);
      }
    }
    if (frequency >= k && !stays(frequency, distinct, k, l)) missed.push(...values);
    if (frequency === 1) alone += groups;
  }
  const feasible = reason === null || reason === undefined;
  const suppressed = all.rows - kept.rows;
  // A group of k or more that is missing has few values: all of them together must have enough.
  const hidden = missed.length === 0 || new Set(missed).size >= l;
  const acceptable = feasible && hidden && suppressed * 1000 <= permille * rows;
  const told = acceptable ? kept : all;
  const or = (value) => (feasible ? value : null);
  const share = (part, whole) => (feasible && whole > 0 ? part / whole : null);
  return {
    granularity: name, feasible, reason: reason ?? null, hidden, acceptable, bits, place,
    gen_m: or(told.least), gen_s: or(told.sum), groups: or(all.groups),
    suppressed_tuples: or(suppressed), suppressed_share: or(suppressed / Math.max(rows, 1)),
    groups_kept: or(kept.groups), rows_kept: or(kept.rows),
    alone_before: share(alone, all.sum), below_k_before: all.sum ? 1 - kept.sum / all.sum : null,
    mean_risk_before: share(all.groups, all.sum), mean_risk_after: share(kept.groups, kept.sum),
    largest_risk_after: share(1, kept.least ?? 0),
    distinct_l: or(told.distinct), frequency_l: or(told.balanced),
  };
}

/** Whether a group is released: enough respondents, and enough different values. */
const stays = (frequency, distinct, k, l) => frequency >= k && (distinct === null || distinct >= l);

/** Every granularity on offer, in its order, and which of them is finest: of those that are
 * acceptable with no acceptable one below, the one whose rows tell most. Rows left out tell nothing. */
export function judged(counts, k, permille, l = 1) {
  const found = counts.granularities.map((each) => measured(each, counts.rows, k, permille, l));
  const above = coarser(counts.finer);
  const acceptable = found.filter((each) => each.acceptable);
  const minimal = acceptable.filter(
    (each) => !acceptable.some((other) => above.get(other.granularity)?.has(each.granularity)),
  );
  const told = ({ suppressed_share: share, bits }) => Math.round((1 - share) * (bits + counts.bits) * 1e9);
  const [first] = [...minimal].sort((a, b) => told(b) - told(a) || a.place - b.place);
  for (const each of found) each.finest = each === first;
  return found;
}

/** Groups below and above k by size, with their rows; those of too few values by themselves. */
export function classes(sizes, k, l = 1) {
  const ends = [1, k - 1, 2 * k - 1, 5 * k - 1, 10 * k - 1, Infinity];
  let low = 1;
  const found = [];
  for (const high of ends) {
    if (high < low) continue;
    const inside = sizes.filter(([frequency, , , distinct = null]) => frequency >= low
      && frequency <= high && (frequency < k || stays(frequency, distinct, k, l)));
    const total = (place) => inside.reduce((sum, size) => sum + size[place], 0);
    const name = high === Infinity ? `${low} or more` : low === high ? `${low}` : `${low} to ${high}`;
    found.push({ name, groups: total(1), rows: total(2), bad: low < k });
    low = high + 1;
  }
  const alike = sizes.filter(([frequency, , , distinct = null]) =>
    frequency >= k && !stays(frequency, distinct, k, l));
  if (alike.length) {
    const total = (place) => alike.reduce((sum, size) => sum + size[place], 0);
    found.push({ name: `${k} or more, fewer than ${l} values`, groups: total(1), rows: total(2), bad: true });
  }
  return found;
}
