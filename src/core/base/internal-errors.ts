/** Places with an error that one process lists; errors at further places are counted together. */
export const ERROR_PLACES_MAX = 30;
const UNNAMED = 'unnamed';
const PLACE = /^[\w./ -]{1,60}$/;
/** Classes of JavaScript and of Node, and our own; a foreign class may be named by anything. */
const CLASS =
  /^(?:(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI|System|Assertion|Abort|Timeout|Zod)?Error|DOMException|ZodRealError)$/;
/** Codes of the system, such as ENOSPC. */
const CODE = /^(?:E[A-Z]{2,14}|ERR_[A-Z_]{3,40})$/;
const FRAME = /([\w.-]{1,60}\.(?:[cm]?js|tsx?)):(\d{1,7}):(\d{1,7})\)?$/;

/**
 * An error of Understudy itself. Nothing in it comes from the text of the error, which may hold a prompt, a key or a path:
 * `place` is a constant of our code, `kind` the class of the error with the system's code, `where` a file of ours without
 * folders, with line and column.
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

/** Internal errors of one process, in memory. */
export type InternalErrors = Readonly<{
  /** Counts an error at a place. Never throws. */
  count(place: string, error: unknown): void;
  /** One row per place, with its newest kind and position. */
  rows(): readonly InternalError[];
  /** Errors at places beyond {@link ERROR_PLACES_MAX}. */
  others(): number;
  /** Calls back after each count. @returns the function that ends it. */
  onCount(listener: () => void): () => void;
}>;

/**
 * An empty count.
 *
 * @param now Unix ms. @param folder the folder of the built files: positions in other files are not stored.
 */
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

/** Reads a foreign error: each property may throw. */
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

/** The innermost position in a file of ours. A message may look like a position: it is cut off first. */
function whereOf({ name, message, stack = '' }: Error, folder: string): string | null {
  const header = stack.startsWith(`${name}: ${message}`) ? `${name}: ${message}` : null;
  if (header === null && message !== '' && stack.includes(message)) return null;
  const frames = stack.slice(header?.length ?? 0).split('\n');
  const frame = frames.find((line) => line.replaceAll('\\', '/').includes(folder));
  const found = frame && FRAME.exec(frame.trim());
  return found ? found.slice(1).join(':') : null;
}

let current = createInternalErrors();

/** Counts an internal error of this process. @returns nothing, so that it can end a handler. */
export const countError = (place: string, error: unknown): undefined => void current.count(place, error);

/** A handler that counts each error at a place. @returns nothing as the result of the work that failed. */
export const countAs =
  (place: string) =>
  (error: unknown): undefined =>
    countError(place, error);

/** The count of this process. */
export const internalErrors = (): InternalErrors => current;

/** Copies of this module in one process count together from now on. */
export function countTogether(shared: InternalErrors): void {
  current = shared;
}
