// Choose k, suppression and granularity. The server counts the groups once; the page does the rest.
import { bar, count, fill, node, percent, row, tiles } from "./drawn.js";
import { classes, judged } from "./judge.js";
import * as levels from "./levels.js";
import { of } from "./roles.js";
import { ask, tell } from "./server.js";
import * as taken from "./taken.js";

const at = (id) => document.getElementById(id);
let names, counts = null, asked = null, held = null, running = false, timer = 0;
const known = new Map();

const offer = () => at("offer").value.split(",").map((name) => name.trim()).filter(Boolean);
const secret = () => of("sensitive")[0] ?? "";
const question = () => ({
  respondent: of("respondent")[0] ?? "", qi: of("quasi-identifier"), ts: of("time")[0] ?? "",
  granularities: offer(), levels: levels.levelsOf(of("quasi-identifier")), sensitive: secret(),
});
const kept = () => [...of("sensitive"), ...of("keep")];
const least = () => (asked.sensitive ? Number(at("l").value) : 1);
const now = () => ({
  k: Math.max(2, Math.floor(Number(at("k").value)) || 2), permille: Number(at("permille").value), l: least(),
});
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Ask the server for the counts of the current roles, or use counts from an earlier question. */
async function countGroups() {
  if (running) return;
  const wanted = question();
  if (!wanted.respondent || !wanted.qi.length) {
    at("state").textContent = "Choose a respondent and quasi-identifiers above, then count.";
    return;
  }
  running = true;
  at("count").disabled = true;
  at("stop").hidden = false;
  at("state").textContent = "Counting …";
  try {
    const key = JSON.stringify(wanted);
    if (!known.has(key)) known.set(key, await ask("counts", wanted));
    tell(null);
    take(known.get(key), wanted);
    // The user may have moved a slider meanwhile.
    setTimeout(changed);
  } catch (error) {
    at("state").textContent = "The groups were not counted.";
    tell(error);
  } finally {
    running = false;
    at("count").disabled = false;
    if (document.activeElement === at("stop")) at("count").focus();
    at("stop").hidden = true;
  }
}

function take(found, wanted) {
  [counts, asked] = [found, wanted];
  at("granularity").max = counts.granularities.length - 1;
  for (const id of ["granularity", "follow"]) at(id).closest("label").hidden = !asked.ts;
  at("l-label").hidden = !asked.sensitive;
  at("l-column").textContent = asked.sensitive;
  const values = counts.granularities.flatMap(({ sizes }) => sizes.map((each) => each[3] ?? 1));
  at("l").max = Math.min(counts.most_values, Math.max(1, ...values));
  at("granularities").classList.toggle("plain", !asked.sensitive);
  at("counted").hidden = false;
}

/** Draw the counts, or say that they belong to other roles than the chosen ones. */
export function changed() {
  levels.draw(of("quasi-identifier"), moved);
  if (!counts) return;
  const wanted = question();
  if (same(wanted, asked)) {
    at("state").textContent = `${count(counts.rows)} rows of ${count(counts.people)} respondents.`;
    draw();
  } else if (same({ ...wanted, levels: asked.levels }, asked)) moved();
  else at("state").textContent = "Roles or granularities have changed; count again.";
}

/** Count again after a level has changed, once the slider rests. */
function moved() {
  if (!counts) return;
  clearTimeout(timer);
  timer = setTimeout(countGroups, 120);
}

function chosenOf(found) {
  const finest = found.findIndex((each) => each.finest);
  if (at("follow").checked && finest >= 0) at("granularity").value = finest;
  return found[Number(at("granularity").value)];
}

function draw() {
  const { k, permille, l } = now();
  const found = judged(counts, k, permille, l);
  const chosen = chosenOf(found);
  at("permille-said").textContent = percent(permille / 1000);
  at("granularity-said").textContent = chosen.granularity;
  at("l-said").textContent = count(l);
  at("permille").setAttribute("aria-valuetext", percent(permille / 1000));
  at("granularity").setAttribute("aria-valuetext", chosen.granularity);
  verdict(chosen, found, k, l);
  tiles("tiles", [
    [count(chosen.groups_kept), "groups are released"],
    [count(chosen.rows_kept), "rows are released"],
    [percent(chosen.suppressed_share), "of the rows are suppressed"],
    [percent(chosen.mean_risk_after), "mean chance of being found in a group"],
    [percent(chosen.largest_risk_after), "largest chance"],
    [percent(chosen.below_k_before), "of the respondents were in groups below k"],
    ...(asked.sensitive
      ? [[count(chosen.distinct_l), "values in the group with the fewest"], [exact(chosen.frequency_l), "l by the most frequent value"]]
      : []),
  ]);
  fill("granularities", found.map((each) => granularity(each, each === chosen)));
  sizes(chosen.granularity, k, l);
  compare(chosen, { k, permille, l });
  takeAway(chosen, { k, permille, l });
}

const exact = (value) => (value === null ? "–" : String(Number(value.toPrecision(4))));

function verdict(chosen, found, k, l) {
  const line = at("verdict");
  const someAllowed = found.some((each) => each.acceptable);
  line.className = chosen.acceptable ? "verdict good" : "verdict broken";
  line.textContent = !chosen.feasible ? `✗ ${chosen.granularity}: ${chosen.reason}`
    : chosen.acceptable
      ? `✓ ${chosen.granularity}: every group has ${count(k)} respondents or more`
        + `${l > 1 ? ` and ${count(l)} values or more` : ""}`
        + `${chosen.finest ? "; this is the finest allowed granularity" : ""}`
      : !chosen.hidden
      ? `✗ ${chosen.granularity}: suppressed groups of ${count(k)} or more have fewer than ${count(l)} values together, so that a reader could infer the values`
      : `✗ ${chosen.granularity}: more rows are in groups below ${count(k)}${l > 1 ? ` or of fewer than ${count(l)} values` : ""} than may be suppressed`
        + `${someAllowed ? "" : "; no candidate granularity is allowed"}`;
}

function granularity(each, isChosen) {
  return row([
    each.granularity + (each.finest ? " (finest)" : ""),
    [each.feasible ? (each.acceptable ? "yes" : "no") : "no: does not cover", each.acceptable],
    [count(each.gen_m), each.gen_m], [count(each.gen_s), each.gen_s],
    [count(each.groups), each.groups], [count(each.suppressed_tuples), each.suppressed_tuples],
    [percent(each.suppressed_share), each.suppressed_share],
    ...(asked.sensitive ? [[count(each.distinct_l), each.distinct_l], [exact(each.frequency_l), each.frequency_l]] : []),
  ], { class: isChosen ? "taken" : null, "data-granularity": each.granularity, "data-finest": each.finest });
}

function sizes(name, k, l) {
  const found = classes(counts.granularities.find((each) => each.name === name).sizes, k, l);
  fill("sizes", found.map((each) => row([
    each.name + (each.bad ? ": suppressed" : ""), [count(each.groups), each.groups],
    [count(each.rows), each.rows], bar(counts.rows ? each.rows / counts.rows : 0, each.bad),
  ])));
}

const raised = (chosen) =>
  Object.entries(chosen).filter(([, level]) => level).map(([name, level]) => `${name} ${level}`).join(", ") || "–";
const COMPARED = [
  ["k", (s) => count(s.k)], ["May be suppressed", (s) => percent(s.permille / 1000)],
  ["Quasi-identifiers", (s) => s.asked.qi.join(", ")], ["Levels", (s) => raised(s.asked.levels)],
  ["Different values, at least", (s) => (s.asked.sensitive ? count(s.l) : "–")],
  ["Granularity", (s) => s.granularity], ["Allowed", (s) => (s.acceptable ? "yes" : "no")],
  ["Smallest group", (s) => count(s.gen_m)], ["Groups released", (s) => count(s.groups_kept)],
  ["Rows suppressed", (s) => count(s.suppressed_tuples)],
  ["Share suppressed", (s) => percent(s.suppressed_share)],
  ["Mean chance of being found", (s) => percent(s.mean_risk_after)],
  ["Values in the group with the fewest", (s) => count(s.distinct_l)],
];

function compare(chosen, settings) {
  const current = { ...chosen, ...settings, asked };
  at("hold").onclick = () => { held = current; at("release").hidden = false; draw(); };
  at("release").onclick = () => { held = null; at("release").hidden = true; at("hold").focus(); draw(); };
  fill("compared", COMPARED.map(([says, of]) => row([says, held ? of(held) : "–", of(current)])));
}

/** Whether levels or limits are set; the call then names them instead of searching. */
const isSearched = (l) => l > 1 || Object.values(asked.levels).some(Boolean);

function call(chosen, { k, permille, l }) {
  const given = { respondent: asked.respondent, qi: asked.qi };
  if (asked.ts) {
    given.ts = asked.ts;
    given.granularities = at("follow").checked && !isSearched(l) ? asked.granularities : [chosen.granularity];
  }
  Object.assign(given, { k, max_suppression: permille / 1000 });
  if (kept().length) given.keep = kept();
  if (Object.values(asked.levels).some(Boolean)) {
    Object.assign(given, { hierarchies: names.hierarchies, levels: asked.levels });
  }
  if (l > 1) Object.assign(given, { sensitive: asked.sensitive, limits: { distinct_l: l } });
  return given;
}

/** A policy for the source; with levels or limits, a policy for the release. */
function policy(chosen, { k, l }) {
  const time = asked.ts ? { ts: asked.ts } : {};
  if (isSearched(l)) {
    const rest = kept().filter((name) => name !== asked.sensitive);
    return taken.entry('[relation."release"]\nfile = "release.parquet"', "check_release", {
      qi: asked.qi, ...time, k, ...(rest.length ? { keep: rest } : {}),
      ...(asked.sensitive ? { sensitive: [asked.sensitive] } : {}), ...(l > 1 ? { distinct_l: l } : {}),
    });
  }
  const below = counts.granularities.find((each) => each.name === chosen.granularity).sizes
    .filter(([frequency]) => frequency < k).reduce((sum, [, groups]) => sum + groups, 0);
  return taken.entry(names.policy, "k_anonymity_violations", {
    respondent: asked.respondent, qi: asked.qi, ...time, ...(asked.ts ? { granularity: chosen.granularity } : {}), k, allow: below,
  });
}

function takeAway(chosen, settings) {
  const given = call(chosen, settings);
  at("unprotected").hidden = !kept().length;
  at("unprotected").textContent = `The release contains these columns unprotected: ${kept().join(", ")}. A reader who also knows them can single out more persons. The report says how many.`;
  const plain = asked.ts && !isSearched(settings.l);
  for (const id of ["report-owner", "report-public"]) at(id).disabled = !plain;
  if (!plain) at("report-state").textContent = "A report is only possible without levels and limits.";
  else if (at("report-state").textContent.startsWith("A report is")) at("report-state").textContent = "";
  taken.show("taken", {
    "The release in SQL": taken.call("publish_events", names.sql, given),
    "The release on the command line": taken.command("publish_events", names.words,
      { ...given, output: "release.parquet" }, { hierarchies: names.hierarchies_words }),
    // A setting that is not allowed has no promise to check.
    ...(chosen.acceptable ? { "A policy for tanon-duck check": policy(chosen, settings) } : {}),
  });
}

/** Connect sliders, buttons and keys with their actions. */
export function start(called, hierarchies) {
  names = called;
  levels.start(hierarchies);
  at("stop").addEventListener("click", () => ask("stop").catch(tell));
  at("l").addEventListener("input", draw);
  at("count").addEventListener("click", countGroups);
  at("offer").addEventListener("input", changed);
  at("offer").addEventListener("keydown", (event) => { if (event.key === "Enter") countGroups(); });
  at("k").addEventListener("input", () => { at("k-range").value = at("k").value; draw(); });
  at("k-range").addEventListener("input", () => { at("k").value = at("k-range").value; draw(); });
  at("permille").addEventListener("input", draw);
  at("granularity").addEventListener("input", () => { at("follow").checked = false; draw(); });
  at("follow").addEventListener("input", draw);
  const settled = (audience) => () => ({
    ...asked, k: now().k, permille: now().permille, keep: kept(), audience,
    ...(at("follow").checked ? {} : { granularities: [at("granularity-said").textContent] }),
  });
  taken.reports("report-owner", "report-state", "report", ask, settled("owner"));
  taken.reports("report-public", "report-state", "report", ask, settled("public"));
}
