import type { HeadroomRules, ScopeConfig, SeenWindow, Spend, Step, Window } from '../../../src/engine';
import { applyWindows } from '../../../src/engine/headroom/keep';
import { get } from '../../../src/engine/tools';
import { DIRECTORY, HOUR, MINUTE, World } from '../world';

/** Turns move before a limit, and no turn begins on a plan that is 97 % spent. */
export const MOVE: HeadroomRules = { act: 'move', moveAt: 0.97 };

export const LENGTH = 5 * HOUR;

/** A plan of five hours, two of which are left, as a response tells of it. */
export const planAt = (used: number, changes: Partial<SeenWindow> = {}): SeenWindow => ({
  ...{ id: 'unified-5h', unit: 'share', lengthMs: LENGTH, of: 'account', used, limit: null, remaining: null },
  ...{ resetInMs: 2 * HOUR, refills: 'at_reset', charges: 'used' },
  ...changes,
});

/** A minute's bucket that fills up all the time, of which so much is left. */
export const bucketWith = (remaining: number, changes: Partial<SeenWindow> = {}): SeenWindow => {
  const limit = changes.limit ?? 60;
  return {
    ...{ id: 'requests', unit: 'requests', lengthMs: MINUTE, of: 'model', used: 1 - remaining / limit, limit },
    ...{ remaining, resetInMs: Math.round((1 - remaining / limit) * MINUTE), refills: 'evenly', charges: 'maximum' },
    ...changes,
  };
};

export const tokensWith = (remaining: number, changes: Partial<SeenWindow> = {}): SeenWindow =>
  bucketWith(remaining, { id: 'tokens', unit: 'tokens', limit: 10_000, ...changes });

type By = Readonly<{ model?: string; now?: number; sentAt?: number | null }>;

/** What is known of an account after a response of `a/1` to a request that left with it, unless told otherwise. */
export const hearing = (known: readonly Window[], seen: SeenWindow | readonly SeenWindow[], by: By = {}) => {
  const { model = 'a/1', now = 0, sentAt = now } = by;
  return applyWindows(known, 'id' in seen ? [seen] : seen, { model, now, sentAt });
};

/** A window as it is kept, heard of at 0. */
export function kept(seen: SeenWindow, changes: Partial<Window> = {}): Window {
  const [window] = hearing([], seen);
  if (!window) throw new Error('nothing kept');
  return { ...window, ...changes };
}

/** What a request takes, in tokens. */
export const spends = (input: number, output: number, most = output, fresh = input): Spend => ({
  ...{ input, fresh, output, most },
});

/** Numbers in [0, 1) that are the same each time. */
export function numbers(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

/** How full a window is at a moment, as a response says that came then to a request that left then. */
export type Point = Readonly<{ now: number; used: number }>;

/** A window that resets at `resetAt`, of which so much was heard. */
export function heardOf(
  points: readonly Point[],
  lengthMs: number | null = LENGTH,
  resetAt: number | null = LENGTH,
): Window {
  let known: readonly Window[] = [];
  for (const { now, used } of points) {
    const resetInMs = resetAt === null ? null : resetAt - now;
    known = hearing(known, planAt(used, { lengthMs, resetInMs }), { now });
  }
  const [window] = known;
  if (!window) throw new Error('nothing heard');
  return window;
}

/** The engine where turns move before a limit. */
export class Near extends World {
  constructor(chain: readonly string[] = ['a/1', 'b/1', 'c/1'], changes: Partial<ScopeConfig> = {}) {
    super(chain, { headroom: MOVE, abilities: ['hold.start'], ...changes });
  }

  /** A response of a model, to a request that left now unless it is named. */
  hears(model: string, windows: SeenWindow | readonly SeenWindow[], attempt: string | null = null): Step {
    return this.tell({
      ...{ type: 'headroom.seen', attempt, directory: DIRECTORY, model },
      windows: 'id' in windows ? [windows] : windows,
    });
  }

  /** A request that is answered and tells of windows. @returns the facts of its response. */
  round(turn: string, model: string, windows: SeenWindow | readonly SeenWindow[]): Step {
    const { attempt } = this.start(turn, model);
    const told = this.hears(model, windows, attempt);
    this.succeed(attempt);
    return told;
  }

  windows(account = 'a') {
    return get(this.state.windows, account) ?? [];
  }
}
