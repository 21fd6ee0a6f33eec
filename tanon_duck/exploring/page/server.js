// Send questions to the server of this page.

/** Return the answer to a question, or throw an error with the server's message. */
export async function ask(name, question = {}) {
  let found;
  try {
    found = await fetch(name, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Error("tanon-duck explore has stopped; start it again and open the new address");
  }
  const answer = found.headers.get("Content-Type").startsWith("application/json")
    ? await found.json()
    : { error: await found.text() };
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** Show an error at the top of the page, or hide the last one if `error` is null. */
export function tell(error) {
  const line = document.getElementById("problem");
  line.textContent = error ? error.message : "";
  line.hidden = !error;
  if (error) line.scrollIntoView({ block: "nearest" });
}
