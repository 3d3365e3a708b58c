// Requests to the program.

const patience = 5000;  // ms until a program that does not answer counts as lost

/// The program has ended, hangs, or cannot be reached.
export class Unreachable extends Error {}

/// The good answer to a request, as text or as a blob.
export async function ask(path, form = "text") {
  try {
    const answer = await fetch(path, {signal: AbortSignal.timeout(patience)});
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return await answer[form]();
  } catch (error) {
    throw new Unreachable(error.message);
  }
}
