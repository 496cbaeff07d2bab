/** What `OPENCODE_CONFIG_CONTENT` says, to be added to; nothing where it is no object. */
export function contentIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
