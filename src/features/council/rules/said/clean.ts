import { redact } from '../../../../engine';
import { Call, type Checked, isObject, placesIn } from './calls';

/** `redact` cuts longer text, in characters. */
const PIECE_CHARS = 400;

/** Removes keys, tokens, addresses and home folders; keeps length, lines and indentation. */
export const cleanText = (text: string): string => text.split('\n').map(cleanLine).join('\n');

function cleanLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return indent + piecesOf(line.slice(indent.length)).map(redact).join(' ');
}

/** Half a key would not be detected. */
function piecesOf(line: string): readonly string[] {
  if (line.length <= PIECE_CHARS) return [line];
  const cut = line.lastIndexOf(' ', PIECE_CHARS);
  const at = cut > 0 ? cut : line.indexOf(' ', PIECE_CHARS);
  if (at < 0) return [line.slice(0, PIECE_CHARS)];
  return [line.slice(0, at), ...piecesOf(line.slice(at + 1))];
}

function cleanDeep<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanDeep) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, cleanDeep(held)])) as T;
}

/** Hold no secret and must stay unchanged. */
const NAMES: ReadonlySet<string> = new Set([
  ...['tool', 'severity', 'id', 'hero', 'process', 'order', 'ranking', 'file'],
]);

type Kept = Readonly<{ calls: readonly Call[]; checks: readonly (Checked | null)[] }>;

/** An existing file's name stays, even if it looks like a key, because a finding needs it. */
export function* cleanCalls(calls: readonly Call[], checks: readonly (Checked | null)[]): Generator<void, Kept> {
  let at = 0;
  const result: { calls: Call[]; checks: (Checked | null)[] } = { calls: [], checks: [] };
  for (const call of calls) {
    const own = checks.slice(at, at + placesIn(call).length);
    at += own.length;
    const read = Call.safeParse(yield* cleanCall(call, own));
    if (!read.success) continue;
    result.calls.push(read.data);
    result.checks.push(...own);
  }
  return result;
}

function* cleanCall(call: Call, checks: readonly (Checked | null)[]): Generator<void, Call> {
  let at = 0;
  const placed = <T extends object>(value: T): T => {
    const check = checks[at++];
    const isFound = check !== null && check !== undefined && check.check !== 'unread';
    const clean = cleanNamed(value);
    return isFound || !('file' in clean) ? clean : { ...clean, file: cleanText(String(clean.file)) };
  };
  if (call.tool === 'PostFindings') return { ...call, findings: yield* eachOf(call.findings, placed) };
  yield;
  if (call.tool !== 'PostIdeas') return cleanNamed(call);
  const ideas = yield* eachOf(call.ideas, (idea) => {
    const clean = cleanNamed(idea);
    return 'evidence' in idea && idea.evidence ? { ...clean, evidence: idea.evidence.map(placed) } : clean;
  });
  return { ...call, ideas };
}

function* eachOf<T>(values: readonly T[], clean: (value: T) => T): Generator<void, T[]> {
  const cleaned: T[] = [];
  for (const value of values) {
    cleaned.push(clean(value));
    yield;
  }
  return cleaned;
}

function cleanNamed<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([key, held]) => [key, NAMES.has(key) ? held : cleanPart(held)]);
  return Object.fromEntries(entries) as T;
}

const cleanPart = (held: unknown): unknown =>
  Array.isArray(held) ? held.map((each) => (isObject(each) ? cleanNamed(each) : cleanDeep(each))) : cleanDeep(held);
