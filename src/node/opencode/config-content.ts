import { parseJson } from '../../contract/parse-json';
/** Returns the object in `OPENCODE_CONFIG_CONTENT`; empty if it is no object. */
export function contentIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
