// Compute from counted groups the figures of tanon.granularity_metrics, and the granularity that
// tanon.publish_events chooses.
// Figures are whole numbers below 2^53 and shares are one division, so that they equal those of SQL.

/** The set of all coarser granularities, for each granularity. */
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

/** The figures of one granularity, for example gen_m, the size of its smallest group. */
function measured({ name, reason, sizes, bits, place }, rows, k, permille, l) {
  const none = { groups: 0, sum: 0, least: null, rows: 0, distinct: null, balanced: null };
  const all = { ...none };
  const kept = { ...none };
  let alone = 0;
  const suppressedValues = [];
  for (const [frequency, groups, tuples, distinct = null, balanced = null, values = null] of sizes) {
    for (const into of isReleased(frequency, distinct, k, l) ? [all, kept] : [all]) {
      into.groups += groups;
      into.sum += frequency * groups;
      into.rows += tuples;
      into.least = lesser(into.least, frequency);
      if (distinct !== null) {
        into.distinct = lesser(into.distinct, distinct);
        into.balanced = lesser(into.balanced, balanced);
      }
    }
    if (frequency >= k && !isReleased(frequency, distinct, k, l)) suppressedValues.push(...values);
    if (frequency === 1) alone += groups;
  }
  const feasible = reason === null || reason === undefined;
  const suppressed = all.rows - kept.rows;
  // A suppressed group of k or more has few values; all such groups together must have l values.
  const hidden = suppressedValues.length === 0 || new Set(suppressedValues).size >= l;
  const acceptable = feasible && hidden && suppressed * 1000 <= permille * rows;
  const shown = acceptable ? kept : all;
  const or = (value) => (feasible ? value : null);
  const share = (part, whole) => (feasible && whole > 0 ? part / whole : null);
  return {
    granularity: name, feasible, reason: reason ?? null, hidden, acceptable, bits, place,
    gen_m: or(shown.least), gen_s: or(shown.sum), groups: or(all.groups),
    suppressed_tuples: or(suppressed), suppressed_share: or(suppressed / Math.max(rows, 1)),
    groups_kept: or(kept.groups), rows_kept: or(kept.rows),
    alone_before: share(alone, all.sum), below_k_before: all.sum ? 1 - kept.sum / all.sum : null,
    mean_risk_before: share(all.groups, all.sum), mean_risk_after: share(kept.groups, kept.sum),
    largest_risk_after: share(1, kept.least ?? 0),
    distinct_l: or(shown.distinct), frequency_l: or(shown.balanced),
  };
}

/** Whether a group is released: enough respondents, and enough different values. */
const isReleased = (frequency, distinct, k, l) => frequency >= k && (distinct === null || distinct >= l);

/** The figures of each granularity, with `finest` true for the recommended one: it is acceptable,
 * no finer one is acceptable, and its released rows have the most information. */
export function judged(counts, k, permille, l = 1) {
  const found = counts.granularities.map((each) => measured(each, counts.rows, k, permille, l));
  const above = coarser(counts.finer);
  const acceptable = found.filter((each) => each.acceptable);
  const minimal = acceptable.filter(
    (each) => !acceptable.some((other) => above.get(other.granularity)?.has(each.granularity)),
  );
  const information = ({ suppressed_share: share, bits }) => Math.round((1 - share) * (bits + counts.bits) * 1e9);
  const [first] = [...minimal].sort((a, b) => information(b) - information(a) || a.place - b.place);
  for (const each of found) each.finest = each === first;
  return found;
}

/** Groups and rows by classes of size; groups with too few values are a class of their own. */
export function classes(sizes, k, l = 1) {
  const ends = [1, k - 1, 2 * k - 1, 5 * k - 1, 10 * k - 1, Infinity];
  let low = 1;
  const found = [];
  for (const high of ends) {
    if (high < low) continue;
    const inside = sizes.filter(([frequency, , , distinct = null]) => frequency >= low
      && frequency <= high && (frequency < k || isReleased(frequency, distinct, k, l)));
    const total = (place) => inside.reduce((sum, size) => sum + size[place], 0);
    const name = high === Infinity ? `${low} or more` : low === high ? `${low}` : `${low} to ${high}`;
    found.push({ name, groups: total(1), rows: total(2), bad: low < k });
    low = high + 1;
  }
  const tooFewValues = sizes.filter(([frequency, , , distinct = null]) =>
    frequency >= k && !isReleased(frequency, distinct, k, l));
  if (tooFewValues.length) {
    const total = (place) => tooFewValues.reduce((sum, size) => sum + size[place], 0);
    found.push({ name: `${k} or more, fewer than ${l} values`, groups: total(1), rows: total(2), bad: true });
  }
  return found;
}
