// k, suppression and granularity over groups that are counted once.
import { bar, count, fill, node, percent, row, tiles } from "./drawn.js";
import { classes, judged } from "./judge.js";
import { of } from "./roles.js";
import { ask, tell } from "./server.js";
import * as taken from "./taken.js";

const at = (id) => document.getElementById(id);
let names, counts = null, asked = null, held = null;

const offer = () => at("offer").value.split(",").map((name) => name.trim()).filter(Boolean);
const question = () => ({
  uid: of("respondent")[0] ?? "", qi: of("quasi-identifier"), ts: of("time")[0] ?? "",
  granularities: offer(),
});
const kept = () => [...of("sensitive"), ...of("keep")];
const now = () => ({ k: Math.max(2, Math.floor(Number(at("k").value)) || 2), permille: Number(at("permille").value) });

/** Count once; whatever is moved then needs no database. */
async function countGroups() {
  const wanted = question();
  if (!wanted.uid || !wanted.ts) {
    at("state").textContent = "Choose a respondent and a time above, then count.";
    return;
  }
  at("count").disabled = true;
  at("state").textContent = "Counting …";
  try {
    counts = await ask("counts", wanted);
    asked = wanted;
    tell(null);
    held = null;
    at("release").hidden = true;
    at("granularity").max = counts.granularities.length - 1;
    at("counted").hidden = false;
    draw();
    changed();
  } catch (error) {
    at("state").textContent = "Nothing was counted.";
    tell(error);
  } finally {
    at("count").disabled = false;
  }
}

/** What is drawn is of the roles that were counted: say so where they are others by now. */
export function changed() {
  if (!counts) return;
  const same = JSON.stringify(question()) === JSON.stringify(asked);
  at("state").textContent = same
    ? `${count(counts.rows)} rows of ${count(counts.people)} respondents.`
    : "Roles or granularities have changed since: count again.";
  if (same) draw();
}

function chosenOf(found) {
  const least = found.findIndex((each) => each.least);
  if (at("follow").checked && least >= 0) at("granularity").value = least;
  return found[Number(at("granularity").value)];
}

function draw() {
  const { k, permille } = now();
  const found = judged(counts, k, permille);
  const chosen = chosenOf(found);
  at("permille-said").textContent = percent(permille / 1000);
  at("granularity-said").textContent = chosen.granularity;
  at("permille").setAttribute("aria-valuetext", percent(permille / 1000));
  at("granularity").setAttribute("aria-valuetext", chosen.granularity);
  verdict(chosen, found, k);
  tiles("tiles", [
    [count(chosen.groups_kept), "groups are released"],
    [count(chosen.rows_kept), "rows are released"],
    [percent(chosen.suppressed_share), "of the rows are left out"],
    [percent(chosen.mean_risk_after), "mean chance of being found in a group"],
    [percent(chosen.largest_risk_after), "largest chance"],
    [percent(chosen.below_k_before), "were below k before"],
  ]);
  fill("granularities", found.map((each) => granularity(each, each === chosen)));
  sizes(chosen.granularity, k);
  compare(chosen, k, permille);
  takeAway(chosen, k, permille);
}

function verdict(chosen, found, k) {
  const line = at("verdict");
  const hasLeast = found.some((each) => each.least);
  line.className = chosen.acceptable ? "verdict good" : "verdict broken";
  line.textContent = !chosen.feasible ? `✗ ${chosen.granularity}: ${chosen.reason}`
    : chosen.acceptable
      ? `✓ ${chosen.granularity}: every group has ${count(k)} respondents or more`
        + `${chosen.least ? "; the least that is allowed" : ""}`
      : `✗ ${chosen.granularity}: more rows are in groups below ${count(k)} than may be left out`
        + `${hasLeast ? "" : "; nothing on offer is allowed"}`;
}

function granularity(each, isChosen) {
  return row([
    each.granularity + (each.least ? " (least)" : ""),
    [each.feasible ? (each.acceptable ? "yes" : "no") : "no: does not cover", each.acceptable],
    [count(each.gen_m), each.gen_m], [count(each.gen_s), each.gen_s],
    [count(each.groups), each.groups], [count(each.suppressed_tuples), each.suppressed_tuples],
    [percent(each.suppressed_share), each.suppressed_share],
  ], { class: isChosen ? "taken" : null, "data-granularity": each.granularity, "data-least": each.least });
}

function sizes(name, k) {
  const found = classes(counts.granularities.find((each) => each.name === name).sizes, k);
  fill("sizes", found.map((each) => row([
    each.name + (each.bad ? ": left out" : ""), [count(each.groups), each.groups],
    [count(each.rows), each.rows], bar(counts.rows ? each.rows / counts.rows : 0, each.bad),
  ])));
}

const COMPARED = [
  ["k", (s) => count(s.k)], ["May be left out", (s) => percent(s.permille / 1000)],
  ["Granularity", (s) => s.granularity], ["Allowed", (s) => (s.acceptable ? "yes" : "no")],
  ["Smallest group", (s) => count(s.gen_m)], ["Groups released", (s) => count(s.groups_kept)],
  ["Rows left out", (s) => count(s.suppressed_tuples)],
  ["Share left out", (s) => percent(s.suppressed_share)],
  ["Mean chance of being found", (s) => percent(s.mean_risk_after)],
];

function compare(chosen, k, permille) {
  const current = { ...chosen, k, permille };
  at("hold").onclick = () => { held = current; at("release").hidden = false; draw(); };
  at("release").onclick = () => { held = null; at("release").hidden = true; at("hold").focus(); draw(); };
  fill("compared", COMPARED.map(([says, of]) => row([says, held ? of(held) : "–", of(current)])));
}

function takeAway(chosen, k, permille) {
  const given = {
    uid: asked.uid, qi: asked.qi, ts: asked.ts,
    granularities: at("follow").checked ? asked.granularities : [chosen.granularity], k,
    max_suppression: permille / 1000, keep: kept(),
  };
  const below = classes(counts.granularities.find((each) => each.name === chosen.granularity).sizes, k)
    .filter((each) => each.bad).reduce((sum, each) => sum + each.groups, 0);
  const promise = {
    uid: asked.uid, qi: asked.qi, ts: asked.ts, granularity: chosen.granularity, k, allow: below,
  };
  const { keep, ...rest } = given;
  at("unprotected").hidden = !kept().length;
  at("unprotected").textContent = `Kept as it is, and not protected: ${kept().join(", ")}. Whoever also knows that finds more than the promise says; the report tells how much.`;
  taken.show("taken", {
    "The release in SQL": taken.call("publish_k_anonymous", names.sql, keep.length ? given : rest),
    "The release on the command line": taken.command("publish_k_anonymous", names.words, { ...(keep.length ? given : rest), output: "release.parquet" }),
    "A policy for tanon-duck check": taken.entry(names.policy, "k_anonymity_violations", promise),
  });
}

/** Let sliders, buttons and keys do what they say. */
export function start(called) {
  names = called;
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
