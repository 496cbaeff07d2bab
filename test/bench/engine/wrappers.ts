import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { ensurePackage } from '../../../scripts/ensure-package.mjs';
import { createFallback } from '../../../src/engine/fallback/create-fallback';
import { FAILURE_PACE_MS } from './lanes';

/** A library's breaker around one call, and what one has to await to make it. */
export type Wrapped = Readonly<{ breaker: unknown; call: () => Promise<unknown> }>;

/** How a library puts a breaker around a call. */
export type Wrapper = Readonly<{
  name: string;
  /** A breaker whose calls are answered, whose calls fail without opening it, and one that is open. */
  answering: () => Wrapped;
  failing: () => Wrapped;
  open: () => Promise<Wrapped>;
  /** Moves the clock so far that a failing breaker stays closed; libraries with a clock of their own have none. */
  elapse?: () => void;
}>;

const OPEN_MS = 3_600_000;
const FAILURES_TO_OPEN = 3;
/** What a failing call rejects with; whatever else comes out is the breaker's own refusal. */
export const FAILURE = Object.assign(new Error('The server had an error'), { status: 500 });

const answer = async (): Promise<number> => 1;
const fail = async (): Promise<never> => {
  throw FAILURE;
};

/** Makes a call and ignores how it ends. */
const attempt = ({ call }: Wrapped): Promise<unknown> => call().catch(() => undefined);

async function opened(wrapped: Wrapped): Promise<Wrapped> {
  for (let failure = 0; failure < FAILURES_TO_OPEN; failure++) await attempt(wrapped);
  return wrapped;
}

/** Our engine through its library face: beside the breaker it classifies, decides and keeps a trace of why. */
export function ourFace(): Wrapper {
  let now = 0;
  const clock = { now: () => now, wait: async () => undefined };
  const wrap = (call: () => Promise<number>): Wrapped => {
    const breaker = createFallback({ primaryModel: 'bench/model', fallbackModels: [], clock, call });
    return { breaker, call: () => breaker.consult(null) };
  };
  return {
    name: 'our createFallback',
    answering: () => wrap(answer),
    failing: () => wrap(fail),
    open: () => opened(wrap(fail)),
    elapse: () => {
      now += FAILURE_PACE_MS;
    },
  };
}

export const COCKATIEL = 'cockatiel 3.2.1';

export function cockatiel(): Wrapper {
  const wrap = (threshold: number, call: () => Promise<number>): Wrapped => {
    const breaker = circuitBreaker(handleAll, {
      halfOpenAfter: OPEN_MS,
      breaker: new ConsecutiveBreaker(threshold),
    });
    return { breaker, call: () => breaker.execute(call) };
  };
  return {
    name: COCKATIEL,
    answering: () => wrap(FAILURES_TO_OPEN, answer),
    failing: () => wrap(Number.POSITIVE_INFINITY, fail),
    open: () => opened(wrap(FAILURES_TO_OPEN, fail)),
  };
}

const OPOSSUM_VERSION = '9.0.0';
export const OPOSSUM = `opossum ${OPOSSUM_VERSION}`;

/** The folder of opossum. @throws Error when it cannot be fetched. */
export const opossumFolder = (): Promise<string> => ensurePackage('opossum', OPOSSUM_VERSION);

type OpossumBreaker = Readonly<{ fire: () => Promise<unknown>; open: () => void }>;
type Opossum = new (action: () => Promise<number>, options: Readonly<Record<string, unknown>>) => OpossumBreaker;

/** Opossum without what it allows to leave out: its timeout, its percentiles, its snapshots. */
export function opossum(folder: string): Wrapper {
  const Breaker = createRequire(join(folder, 'package.json'))(folder) as Opossum;
  const lean = { timeout: false, rollingPercentilesEnabled: false, enableSnapshots: false, resetTimeout: OPEN_MS };
  const wrap = (action: () => Promise<number>): OpossumBreaker =>
    new Breaker(action, { ...lean, volumeThreshold: Number.MAX_SAFE_INTEGER });
  const wrapped = (breaker: OpossumBreaker): Wrapped => ({ breaker, call: () => breaker.fire() });
  return {
    name: OPOSSUM,
    answering: () => wrapped(wrap(answer)),
    failing: () => wrapped(wrap(fail)),
    open: async () => {
      const breaker = wrap(fail);
      breaker.open();
      return wrapped(breaker);
    },
  };
}
