import { parseJson } from '../../contract/parse-json';
/** What `OPENCODE_CONFIG_CONTENT` says, to be added to; nothing where it is no object. */
export function contentIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
