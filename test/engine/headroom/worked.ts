import type { ScopeConfig } from '../../../src/engine';
import { DAY, MINUTE } from '../world';
import { Near, planAt } from './seen';

export const WEEK = 7 * DAY;
/** When the weeks of both accounts begin anew. */
export const RESET = 3 * DAY;

export type Story = Readonly<{
  /** The lead, a model of another plan, and whoever else is in the chain. */
  chain?: readonly [lead: string, second: string, ...more: string[]];
  /** What a request takes of the second plan's week, and how full that is in the end. */
  each?: number;
  used?: number;
  /** True if the lead's plan was seen to be used by requests, and not found so. */
  isWorked?: boolean;
  changes?: Partial<ScopeConfig>;
}>;

const weekAt = (used: number, now: number) => planAt(used, { id: 'week', lengthMs: WEEK, resetInMs: RESET - now });

/**
 * Six hours in which ten requests an hour went to the lead, half a percent of its week each, until 97 % of it are spent; meanwhile
 * one an hour went to the second model from elsewhere, a percent of its week each.
 */
export function worked(story: Story = {}): Near {
  const { chain = ['a/1', 'b/1', 'c/1'], each = 0.01, used = 0.41, isWorked = true, changes = {} } = story;
  const [lead, second] = chain;
  const world = new Near(chain, { abilities: ['ask', 'hold.start'], ...changes });
  const [first, last] = [used - 6 * each, 0.97 - 60 * 0.005];
  for (let round = 0; round <= 60; round++) {
    world.now = round * 6 * MINUTE;
    if (isWorked) {
      world.prompt(`t${round}`, { model: lead, hostLead: lead });
      world.round(`t${round}`, lead, weekAt(last + round * 0.005, world.now));
    }
    if (round % 10 !== 0) continue;
    const { attempt } = world.start(`o${round}`, second, { session: 'other', agent: 'plan' });
    world.hears(second, weekAt(first + (round / 10) * each, world.now), attempt);
    world.succeed(attempt);
  }
  if (!isWorked) world.hears(lead, weekAt(0.97, world.now));
  return world;
}
