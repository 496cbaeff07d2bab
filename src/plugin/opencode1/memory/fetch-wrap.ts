export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type Shared = {
  original: Fetch;
  ours: Fetch;
  /** A newer copy of the plugin replaces it instead of wrapping twice. */
  guard: Fetch;
  users: number;
  nextNumber: number;
  noted: Map<string, Noted>;
  /** Texts that must not leave this machine. */
  kept: Map<string, Kept>;
};

/** Null if no instance is left to send it. */
export type Noted = (
  original: Fetch,
  input: string | URL | Request,
  init?: RequestInit,
  by?: 'fetch' | 'login',
) => Promise<Response> | null;
export type Kept = { hits: number };

const KEY = Symbol.for('understudy.fetch');
const globals = globalThis as typeof globalThis & { [KEY]?: Shared };

/** Wraps fetch once per process; passes all requests on until a guard is set. */
export function wrapFetch(): Shared {
  const shared = globals[KEY] ?? wrap();
  // An older copy of the plugin may have created it.
  shared.noted ??= new Map();
  shared.kept ??= new Map();
  shared.users++;
  return shared;
}

/** Shared by all copies of the plugin: the order of their start decides which of them acts. */
export const notedInProcess = (): Pick<Shared, 'noted' | 'kept'> =>
  globals[KEY] ?? { noted: new Map(), kept: new Map() };

/** Restores fetch. If it was wrapped again, ours stays and passes all requests on. */
export function releaseFetch(): void {
  const shared = globals[KEY];
  if (!shared || --shared.users > 0) return;
  if (globalThis.fetch === (shared.ours as typeof fetch)) {
    globalThis.fetch = shared.original as typeof fetch;
    delete globals[KEY];
  }
}

/** Unique in this process; 0 if fetch is not wrapped. */
export function nextNumber(): number {
  const shared = globals[KEY];
  return shared ? shared.nextNumber++ : 0;
}

function wrap(): Shared {
  const original = globalThis.fetch as Fetch;
  const shared: Shared = {
    original,
    ours: (input, init) => (shared.users > 0 ? shared.guard(input, init) : shared.original(input, init)),
    guard: original,
    users: 0,
    nextNumber: 1,
    noted: new Map(),
    kept: new Map(),
  };
  // Callers may use properties of Bun's fetch (preconnect).
  globalThis.fetch = Object.assign(shared.ours, original) as typeof fetch;
  globals[KEY] = shared;
  return shared;
}
