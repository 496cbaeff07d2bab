export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // silent: a file or a reply may hold any text, and its readers refuse undefined
    return undefined;
  }
}
