import type { UnknownPhrase } from '../../contract/unknown-phrase';
import { type Evidence, providerOf, redact, type Step } from '../../engine';
import { foldText } from '../../engine/tools';
import type { KindReader } from '../base/kind-reader';
import type { Projection, TakenStep } from '../base/projection';

export type Inbox = Projection<Unnamed> &
  Readonly<{
    setReaders(readers: readonly KindReader[]): void;
    page(which: Readonly<{ offset: number; limit: number }>): { entries: UnknownPhrase[]; total: number };
    count(): number;
    namedBy(read: KindReader): UnknownPhrase[];
  }>;

type Unnamed = Pick<TakenStep, 'event' | 'wall'> & Readonly<{ result: Pick<Step, 'facts'> }>;

type Kept = Omit<UnknownPhrase, 'suggestion'>;

/** The entry seen longest ago is dropped first. */
const ENTRIES_KEPT = 200;
const TEXT_MAX_CHARS = 300;
const CODE_MAX_CHARS = 200;
const PHRASE_MAX_CHARS = 200;
/** Shorter phrases match unrelated failures; a Chinese character counts as two columns. */
const PHRASE_MIN_COLUMNS = 8;

/** Quoted text, which may be the user's own. */
const QUOTED =
  /"(?:\\.|[^"\\])*\\?(?:"|$)|[“„][^”“]*(?:[”“]|$)|«[^»]*(?:»|$)|「[^」]*(?:」|$)|`[^`]*(?:`|$)|(?<![\p{L}\p{N}])'.*?(?:'(?![\p{L}\p{N}])|$)/gsu;
const CHANGING = /\[(?:key|e-mail)\]|https?:\/\/\S+|[\w-]*\d(?:[\w.:-]*\w)?/g;
const GAP = '…';
/** An answer that ended for an unknown reason. */
const ENDED: Evidence = { phase: 'stream' };

export function createInbox(): Inbox {
  const entries = new Map<string, Kept>();
  let readers: readonly KindReader[] = [];
  const isNamed = (entry: Kept): boolean => readers.some((read) => names(read, entry));
  const shown = (): UnknownPhrase[] =>
    [...entries.values()].reverse().map((entry) => ({ ...entry, suggestion: phraseIn(entry) }));
  return {
    hear({ event, result, wall }) {
      const unknown = result.facts.find((fact) => fact.type === 'phrase.unknown');
      const evidence = event.type === 'attempt.failed' ? event.evidence : ENDED;
      if ((evidence.mapped && !evidence.mapped.isVague) || !unknown) return;
      const fresh = entryOf(evidence, unknown.text, unknown.model, wall);
      const existing = entries.get(fresh.id);
      const entry = existing ? { ...fresh, count: existing.count + 1, firstSeen: existing.firstSeen } : fresh;
      if (isNamed(entry)) return;
      entries.delete(entry.id);
      entries.set(entry.id, entry);
      const [oldest] = entries.keys();
      if (entries.size > ENTRIES_KEPT && oldest !== undefined) entries.delete(oldest);
    },
    setReaders(next) {
      readers = next;
      for (const entry of entries.values()) if (isNamed(entry)) entries.delete(entry.id);
    },
    page: ({ offset, limit }) => ({
      entries: shown().slice(offset, offset + limit),
      total: entries.size,
    }),
    count: () => entries.size,
    namedBy: (read) => shown().filter((entry) => names(read, entry)),
    forget: () => entries.clear(),
  };
}

const names = (read: KindReader, { provider, status, code, text }: Kept): boolean => {
  const reading = read(provider, { message: text, code: code ?? undefined, status: status ?? undefined });
  return reading !== null && !reading.mapped.isVague;
};

function entryOf(evidence: Evidence, message: string, model: string, at: number): Kept {
  const provider = providerOf(model);
  const status = evidence.status ?? null;
  const code = evidence.code === undefined ? null : impersonal(evidence.code, CODE_MAX_CHARS);
  const text = impersonal(message, TEXT_MAX_CHARS);
  const phrase = foldText(text.replace(CHANGING, '#')).slice(0, TEXT_MAX_CHARS);
  const id = JSON.stringify([provider, status, foldText(code ?? '').slice(0, CODE_MAX_CHARS), phrase]);
  return { id, provider, status, code, text, count: 1, firstSeen: at, lastSeen: at, model };
}

/** Removes secrets and quoted text, which a person may have written. */
export const impersonal = (text: string, maxChars: number): string =>
  redact(text).replace(QUOTED, `"${GAP}"`).slice(0, maxChars);

export function phraseIn({ text }: Pick<UnknownPhrase, 'text'>): string | null {
  const stretches = text.replace(CHANGING, GAP).split(GAP).map(trimmed);
  const phrase = stretches.reduce((longest, each) => (columns(each) > columns(longest) ? each : longest), '');
  return objectionToPhrase(phrase) === null ? phrase.slice(0, PHRASE_MAX_CHARS) : null;
}

export const objectionToPhrase = (phrase: string): string | null =>
  columns(phrase.trim()) < PHRASE_MIN_COLUMNS
    ? `The phrase must have at least ${PHRASE_MIN_COLUMNS} characters: a shorter one would match unrelated failures.`
    : null;

const trimmed = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

const columns = (text: string): number => [...text].reduce((sum, sign) => sum + (sign < '\u2e80' ? 1 : 2), 0);
