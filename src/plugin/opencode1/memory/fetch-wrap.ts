export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type Shared = {
  /** The fetch that was there before us. */
  original: Fetch;
  ours: Fetch;
  /** The module that answers now: a newer copy of the plugin takes over without wrapping twice. */
  guard: Fetch;
  users: number;
  nextNumber: number;
  /** Requests that are about to be made, by their numbers. */
  noted: Map<string, Noted>;
  /** Words that must not leave this machine. */
  kept: Map<string, Kept>;
};

/** Sends a request as whoever has noted it does; null where nobody of them is left. */
export type Noted = (
  original: Fetch,
  input: string | URL | Request,
  init?: RequestInit,
  by?: 'fetch' | 'login',
) => Promise<Response> | null;
/** How often words came by. */
export type Kept = { hits: number };

const KEY = Symbol.for('understudy.fetch');
const globals = globalThis as typeof globalThis & { [KEY]?: Shared };

/** Puts our fetch in front of the host's, once per process, until it is released as often; it passes all on until it has a guard. */
export function wrapFetch(): Shared {
  const shared = globals[KEY] ?? wrap();
  // One that an older copy of the plugin has made.
  shared.noted ??= new Map();
  shared.kept ??= new Map();
  shared.users++;
  return shared;
}

/** Notes of all copies of the plugin in this process: which copy answers, and which numbers requests, depends on which began first. */
export const notedInProcess = (): Pick<Shared, 'noted' | 'kept'> =>
  globals[KEY] ?? { noted: new Map(), kept: new Map() };

/** Takes our fetch out when nobody needs it and nobody has wrapped it since; otherwise it stays and passes all through. */
export function releaseFetch(): void {
  const shared = globals[KEY];
  if (!shared || --shared.users > 0) return;
  if (globalThis.fetch === (shared.ours as typeof fetch)) {
    globalThis.fetch = shared.original as typeof fetch;
    delete globals[KEY];
  }
}

/** A number no other request of this process has; 0 where none of them comes by us. */
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
  // Bun's fetch has properties (preconnect) that its callers may use.
  globalThis.fetch = Object.assign(shared.ours, original) as typeof fetch;
  globals[KEY] = shared;
  return shared;
}
