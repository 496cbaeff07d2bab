import type { ConfigChange } from '../../../contract/config';
import type { QueryOutput } from '../../../contract/contract';

export type PolicyTable = QueryOutput<'config.get'>;
type Policy = PolicyTable['policies'][number];
type Value = Extract<ConfigChange, { type: 'set' }>['value'];

export type FieldKind = 'count' | 'seconds' | 'model' | 'ratio' | 'yesNo' | 'exhausted' | 'words';

/** In display order. */
export const FIELDS = {
  breaker: {
    'circuitBreaker.failureThreshold': 'count',
    'circuitBreaker.windowMs': 'seconds',
    'circuitBreaker.cooldownMs': 'seconds',
    'circuitBreaker.growth': 'count',
    'circuitBreaker.maxCooldownMs': 'seconds',
    'circuitBreaker.shadow': 'yesNo',
    'networkBreaker.failureThreshold': 'count',
    'networkBreaker.cooldownMs': 'seconds',
    'flapping.changes': 'count',
    'flapping.windowMs': 'seconds',
    'flapping.holdMs': 'seconds',
  },
  limits: {
    cooldownMs: 'seconds',
    quotaCooldownMs: 'seconds',
    restMs: 'seconds',
    retryOriginalAfterMs: 'seconds',
  },
  turn: {
    maxFallbackDepth: 'count',
    maxRetries: 'count',
    'retryBudget.perSession': 'count',
    'retryBudget.warnAt': 'count',
    'retryBudget.failingTurns': 'count',
    'backoff.baseMs': 'seconds',
    'backoff.capMs': 'seconds',
    'backoff.jitter': 'count',
    firstTokenTimeoutMs: 'seconds',
    stallTimeoutMs: 'seconds',
  },
  whom: {
    fallbackOn: 'words',
    onExhausted: 'exhausted',
    backupModel: 'model',
    vendorLock: 'yesNo',
    maxPriceRatio: 'ratio',
    panicProbe: 'yesNo',
    guessProbe: 'yesNo',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldKind>>>>;
export type FieldGroup = keyof typeof FIELDS;

/** By place: `value KEY`, `policy AGENT` (`*default*` for every agent) and `row POLICY KIND`. Invalid input stays. */
export type Draft = Readonly<{
  typed: Readonly<Record<string, string>>;
  /** Name of the custom policy that an edited built-in one becomes. */
  ownName: string;
  isForAll: boolean;
}>;

export const EVERY_AGENT = '*default*';
export const valuePlace = (key: string): string => `value\n${key}`;
export const policyPlace = (agent: string): string => `policy\n${agent}`;
export const rowPlace = (policy: string, kind: string): string => `row\n${policy}\n${kind}`;

export function emptyDraft({ policies }: PolicyTable): Draft {
  const taken = policies.map(({ name }) => name);
  const free = ['mine', ...Array.from({ length: taken.length }, (_, at) => `mine-${at + 2}`)];
  return { typed: {}, ownName: free.find((name) => !taken.includes(name)) ?? 'mine', isForAll: true };
}

/** Input equal to the value in force is no change. */
export function withTyped(draft: Draft, place: string, text: string, standing: string): Draft {
  const { [place]: _, ...typed } = draft.typed;
  return { ...draft, typed: text === standing ? typed : { ...typed, [place]: text } };
}

export function textOf(kind: FieldKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'seconds') return String(Number(value) / 1_000);
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** Undefined if empty; invalid numbers stay text. */
function readField(kind: FieldKind, text: string): Value | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (kind === 'yesNo') return trimmed === 'true';
  if (kind === 'words') return wordsOf(trimmed);
  if (kind === 'model' || kind === 'exhausted') return trimmed;
  const figure = Number(trimmed.replace(',', '.'));
  if (Number.isNaN(figure)) return trimmed;
  return kind === 'seconds' ? Math.round(figure * 1_000) : figure;
}

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

const ALL_FIELDS: Readonly<Record<string, FieldKind>> = Object.assign({}, ...Object.values(FIELDS));

export const isShipped = ({ parent }: Policy): boolean => parent === null;

const targetOf = (table: PolicyTable, draft: Draft, policy: string): string =>
  table.policies.some((one) => one.name === policy && isShipped(one)) ? draft.ownName : policy;

export function pathOf(table: PolicyTable, draft: Draft, place: string): readonly string[] {
  const [sort, name = '', kind = ''] = place.split('\n');
  if (sort === 'value') return ['defaults', ...name.split('.')];
  if (sort === 'row') return ['policies', targetOf(table, draft, name), 'rows', kind];
  return name === EVERY_AGENT ? ['defaults', 'policy'] : ['agents', name, 'policy'];
}

export function changesOf(table: PolicyTable, draft: Draft): ConfigChange[] {
  const changes = Object.entries(draft.typed).map(([place, text]): ConfigChange => {
    const [sort, name = ''] = place.split('\n');
    const path = [...pathOf(table, draft, place)];
    const value =
      sort === 'value' ? readField(ALL_FIELDS[name] ?? 'model', text) : sort === 'row' ? wordsOf(text) : text.trim();
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? { type: 'unset', path } : { type: 'set', path, value };
  });
  return [...extensions(table, draft), ...changes];
}

function extensions(table: PolicyTable, draft: Draft): ConfigChange[] {
  const changed = extended(table, draft);
  if (changed === null) return [];
  const extend: ConfigChange = { type: 'set', path: ['policies', draft.ownName, 'extends'], value: changed };
  const isMoved = draft.isForAll && isFollowedByDefault(table, changed) && !(policyPlace(EVERY_AGENT) in draft.typed);
  return isMoved ? [extend, { type: 'set', path: ['defaults', 'policy'], value: draft.ownName }] : [extend];
}

export function extended(table: PolicyTable, draft: Draft): string | null {
  const names = Object.keys(draft.typed).flatMap((place) => (place.startsWith('row\n') ? [place.split('\n')[1]] : []));
  return table.policies.find((one) => isShipped(one) && names.includes(one.name))?.name ?? null;
}

export const isFollowedByDefault = (table: PolicyTable, name: string): boolean =>
  table.values.find(({ key }) => key === 'policy')?.value === name;

/** Null while not editing. */
export type Editing = Readonly<{
  draft: Draft;
  /** `standing` is the value in force. */
  type: (place: string, text: string, standing: string) => void;
  set: (change: Partial<Draft>) => void;
  problemAt: (place: string) => string | null;
}> | null;
