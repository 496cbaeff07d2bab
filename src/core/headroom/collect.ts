import type { Figure, ResetForm } from './dialect-schema';
import { lengthIn, numberIn, type Reset, resetIn, saidIn } from './figures';
import type { HeaderReader } from './reader';
import { fieldItems } from './structured-field';

export type Figures = {
  /** `limitName` is empty unless the provider has several limits. */
  readonly window: string;
  readonly limitName: string;
  limit?: number;
  remaining?: number;
  used?: number;
  over?: number;
  lengthMs?: number;
  unit?: string;
  readonly status: string[];
  overdraws?: boolean;
  family?: string;
  /** Takes precedence over `absolute`, because clock differences do not affect it. */
  relative?: Reset;
  absolute?: Reset;
  isPast?: true;
  /** Contradictory or invalid; the window is skipped. */
  isUnclear?: true;
  readonly policies: { quota: number; lengthMs: number | null }[];
};

export type Collected = Map<string, Figures>;

export function figuresOf(collected: Collected, limitName: string, window: string): Figures {
  const key = `${limitName} ${window}`;
  const existing = collected.get(key);
  if (existing) return existing;
  const made: Figures = { window, limitName, status: [], policies: [] };
  collected.set(key, made);
  return made;
}

export type NameParts = Readonly<{ window: string; limit: string; part: string }>;

export function collect(
  collected: Collected,
  { header, groups }: Readonly<{ header: HeaderReader; groups: NameParts }>,
  value: string,
  seenAt: number,
): void {
  if (header.written === 'fields') {
    collectFields(collected, header, value, seenAt);
    return;
  }
  const figures = figuresOf(collected, groups.limit, groups.window);
  if (header.written === 'query') {
    for (const [key, text] of new URLSearchParams(value)) note(figures, header.parts.get(key), text, seenAt);
    return;
  }
  note(figures, header.parts.get(groups.part), value, seenAt);
}

function collectFields(collected: Collected, header: HeaderReader, value: string, seenAt: number): void {
  for (const [index, { name, value: number, params }] of fieldItems(value).entries()) {
    const window = name === null ? '' : windowName(name);
    if (window === null) continue;
    const figures = figuresOf(collected, '', window);
    if (number !== null) {
      const length = params.find(([key]) => key === 'w')?.[1];
      if (length !== undefined) figures.policies.push({ quota: number, lengthMs: lengthIn(length, 1_000) });
      else if (header.isLimit && (index === 0 || figures.limit !== undefined)) noteLimit(figures, number);
      continue;
    }
    for (const [key, text] of params) note(figures, header.parts.get(key), text, seenAt);
  }
}

function windowName(text: string): string | null {
  const name = text.toLowerCase().replaceAll(' ', '-');
  return /^[a-z0-9_.-]{1,40}$/.test(name) && !mayHoldSecret(name) ? name : null;
}

/** Whether a text contains a UUID or looks like a token. */
export const mayHoldSecret = (text: string): boolean => /[a-z0-9+/=]{24}|[0-9a-f]{8}-[0-9a-f]{4}-/i.test(text);

function note(figures: Figures, figure: Figure | undefined, value: string, seenAt: number): void {
  if (figure === undefined) return;
  for (const text of saidIn(value)) {
    if (typeof figure === 'string') noteFigure(figures, figure, text);
    else noteReset(figures, figure, text, seenAt);
  }
}

function noteFigure(figures: Figures, figure: Exclude<Figure, readonly unknown[]>, text: string): void {
  switch (figure) {
    case 'limit':
      noteLimit(figures, numberIn(text));
      break;
    case 'remaining':
      noteRemaining(figures, numberIn(text));
      break;
    case 'fraction':
      noteUsed(figures, numberIn(text), (part) => part);
      break;
    case 'percent':
      noteUsed(figures, numberIn(text), (part) => part / 100);
      break;
    case 'percent_left':
      noteUsed(figures, numberIn(text), (part) => 1 - Math.min(100, part) / 100);
      break;
    case 'over':
      figures.over = Math.max(figures.over ?? 0, numberIn(text) ?? 0);
      break;
    case 'length_min':
    case 'length_s':
      noteLength(figures, lengthIn(text, figure === 'length_min' ? 60_000 : 1_000));
      break;
    case 'overdraws':
      figures.overdraws = text.toLowerCase() === 'true';
      break;
    case 'status':
      figures.status.push(text.toLowerCase());
      break;
    case 'unit':
    case 'family':
      figures[figure] = text.toLowerCase();
  }
}

function noteLength(figures: Figures, lengthMs: number | null): void {
  if (lengthMs !== null) figures.lengthMs = lengthMs;
}

function noteRemaining(figures: Figures, remaining: number | null): void {
  if (remaining === null) figures.isUnclear = true;
  else figures.remaining = Math.min(figures.remaining ?? remaining, remaining);
}

/** A limit of 0 is invalid; two different ones belong to windows that cannot be told apart. */
function noteLimit(figures: Figures, limit: number | null): void {
  if (!limit || (figures.limit !== undefined && figures.limit !== limit)) figures.isUnclear = true;
  else figures.limit = limit;
}

/** Of several values the highest is the safe one. */
function noteUsed(figures: Figures, number: number | null, partOf: (number: number) => number): void {
  if (number !== null) figures.used = Math.max(figures.used ?? 0, partOf(number));
}

function noteReset(figures: Figures, forms: readonly ResetForm[], text: string, seenAt: number): void {
  const reset = resetIn(text, forms, seenAt);
  if (reset === null) return;
  if (reset === 'past') figures.isPast = true;
  else {
    const kind = reset.isRelative ? 'relative' : 'absolute';
    const existing = figures[kind];
    if (existing === undefined || reset.inMs > existing.inMs) figures[kind] = reset;
  }
}
