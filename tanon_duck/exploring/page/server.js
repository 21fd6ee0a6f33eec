// Questions to the server that this page came from, and nowhere else.

/** The answer, or an error whose message says what is wrong. */
export async function ask(name, question = {}) {
  let found;
  try {
    found = await fetch(name, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Error("tanon-duck explore has ended: start it again, and open its new address");
  }
  const answer = found.headers.get("Content-Type").startsWith("application/json")
    ? await found.json()
    : { error: await found.text() };
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** What goes wrong is said once, at the top of the page. */
export function tell(error) {
  const line = document.getElementById("problem");
  line.textContent = error ? error.message : "";
  line.hidden = !error;
  if (error) line.scrollIntoView({ block: "nearest" });
}
