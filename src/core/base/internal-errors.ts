export const ERROR_PLACES_MAX = 30;
const UNNAMED = 'unnamed';
const PLACE = /^[\w./ -]{1,60}$/;
const CLASS =
  /^(?:(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI|System|Assertion|Abort|Timeout|Zod)?Error|DOMException|ZodRealError)$/;
const CODE = /^(?:E[A-Z]{2,14}|ERR_[A-Z_]{3,40})$/;
const FRAME = /([\w.-]{1,60}\.(?:[cm]?js|tsx?)):(\d{1,7}):(\d{1,7})\)?$/;

/**
 * Excludes the text of the error, which may hold a prompt, a key or a path: stores only a constant, the class with its
 * system code, and a position in our files.
 */
export type InternalError = Readonly<{
  place: string;
  kind: string;
  where: string | null;
  count: number;
  /** Unix ms. */
  first: number;
  last: number;
}>;

export type InternalErrors = Readonly<{
  /** Never throws. */
  count(place: string, error: unknown): void;
  rows(): readonly InternalError[];
  others(): number;
  onCount(listener: () => void): () => void;
}>;

/** @param now Unix ms. @param folder only its positions are stored. */
export function createInternalErrors(now: () => number = Date.now, folder: string = OWN_FOLDER): InternalErrors {
  const rows = new Map<string, InternalError>();
  const listeners = new Set<() => void>();
  let others = 0;
  return {
    count(name, error) {
      const place = PLACE.test(name) ? name : UNNAMED;
      const before = rows.get(place);
      if (!before && rows.size >= ERROR_PLACES_MAX) others++;
      else {
        const { count, first } = before ?? { count: 0, first: now() };
        const { kind, where } = traceOf(error, folder);
        rows.set(place, { place, kind, where, count: count + 1, first, last: now() });
      }
      for (const listener of listeners) listener();
    },
    rows: () => [...rows.values()],
    others: () => others,
    onCount(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const OWN_FOLDER = decodeURIComponent(import.meta.url)
  .replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '')
  .replace(/[^/]*$/, '');

/** Any property of a foreign error may throw. */
function traceOf(error: unknown, folder: string): Pick<InternalError, 'kind' | 'where'> {
  try {
    if (!(error instanceof Error)) return { kind: 'no Error', where: null };
    const { name, code } = error as Error & { code?: unknown };
    const coded = typeof code === 'string' && CODE.test(code) ? ` ${code}` : '';
    return { kind: (CLASS.test(name) ? name : 'Error') + coded, where: whereOf(error, folder) };
  } catch {
    // silent: a getter of a foreign error may throw, and the error is counted without its class
    return { kind: 'no Error', where: null };
  }
}

/** The message may look like a position, so it is removed first. */
function whereOf({ name, message, stack = '' }: Error, folder: string): string | null {
  const header = stack.startsWith(`${name}: ${message}`) ? `${name}: ${message}` : null;
  if (header === null && message !== '' && stack.includes(message)) return null;
  const frames = stack.slice(header?.length ?? 0).split('\n');
  const frame = frames.find((line) => line.replaceAll('\\', '/').includes(folder));
  const found = frame && FRAME.exec(frame.trim());
  return found ? found.slice(1).join(':') : null;
}

let current = createInternalErrors();

export const countError = (place: string, error: unknown): undefined => void current.count(place, error);

export const countAs =
  (place: string) =>
  (error: unknown): undefined =>
    countError(place, error);

export const internalErrors = (): InternalErrors => current;

/** Several copies of this module in one process then use `shared`. */
export function countTogether(shared: InternalErrors): void {
  current = shared;
}
