/** Parses untrusted JSON; undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // silent: text from outside may be anything, and undefined is never JSON
    return undefined;
  }
}
