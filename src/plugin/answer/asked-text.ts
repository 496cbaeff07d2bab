import { parseJson } from '../../contract/parse-json';
/** Texts of a request; `system` holds the instructions. */
export type AskedText = Readonly<{ system: string; text: string }>;

type Json = Readonly<Record<string, unknown>>;
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const INSTRUCTING: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** Null without JSON or text. */
export function askedText(body: unknown): AskedText | null {
  if (typeof body !== 'string') return null;
  const value = parseJson(body);
  if (value === undefined) return null;
  const json = record(value);
  const entries = [json.messages, json.input, json.contents, json.prompt].find(Array.isArray) ?? [];
  const instructing = entries.filter((entry) => INSTRUCTING.has(record(entry).role));
  const others = entries.filter((entry) => !INSTRUCTING.has(record(entry).role));
  const system = [json.system, json.instructions, record(json.systemInstruction).parts, ...instructing.map(contentOf)];
  const text = joined(others.map(contentOf));
  return text === '' ? null : { system: joined(system), text };
}

const contentOf = (entry: unknown): unknown => record(entry).content ?? record(entry).parts;

const joined = (contents: readonly unknown[]): string => contents.flatMap(textsIn).join('\n\n');

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return Array.isArray(content) ? content.flatMap((part) => textsIn(record(part).text)) : [];
}
