import { parseJson } from '../../contract/parse-json';
export function contentIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
