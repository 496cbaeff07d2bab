import type { WhatIfAnswer } from '../../src/contract/what-if';
import { playWhatIf } from '../../src/core/history/what-if';
import { type Chains, type HiddenWorld, type Life, liveIn, type Nature } from './hidden-world';

/** Down for an hour and a half about every sixth working day. */
const RELIABLE: Nature = { upHours: 60, downHours: 1.5, strayShare: 0.01, outageShare: 0.9 };
/** Down for three hours about every second day. */
const FLAKY: Nature = { upHours: 12, downHours: 3, strayShare: 0.05, outageShare: 0.9 };
const MIDDLING: Nature = { upHours: 30, downHours: 3, strayShare: 0.02, outageShare: 0.9 };

export const WORLDS = {
  reliable: { 'p/1': RELIABLE, 'f/1': MIDDLING, 'g/1': MIDDLING },
  flaky: { 'p/1': FLAKY, 'f/1': MIDDLING, 'g/1': MIDDLING },
  equal: { 'p/1': MIDDLING, 'f/1': MIDDLING, 'g/1': MIDDLING },
} as const;

export type HeldOut = Readonly<{
  answer: WhatIfAnswer;
  /** Shares of answered `build` turns in the second half: with the old chains, and with the proposal. */
  before: number;
  after: number;
}>;

/** Evaluates a proposal for `build` on the log of the first half, then plays the second half both ways. */
export function heldOut(world: HiddenWorld, chains: Chains, proposal: readonly string[]): HeldOut {
  const asItIs = liveIn(world, chains);
  const proposed = liveIn(world, chains, { ...chains, build: proposal });
  const answer = playWhatIf(
    asItIs.records.filter(({ at }) => at < world.halfAt),
    { agent: 'build', chain: [...proposal], policy: null },
    [],
  );
  return { answer, before: answeredShare(asItIs, world), after: answeredShare(proposed, world) };
}

function answeredShare({ ends }: Life, { halfAt }: HiddenWorld): number {
  const turns = ends.filter(({ at, agent }) => at >= halfAt && agent === 'build');
  return turns.filter(({ isAnswered }) => isAnswered).length / turns.length;
}
