import { randomUUID } from 'node:crypto';
import { remember } from '../../../engine/tools';
import type { Plan } from './prepare';

/** Plans that were shown and wait for a yes. */
export type Plans = Readonly<{
  /** @returns by what a yes names it. */
  keep(plan: Plan): string;
  /** A plan, which is not kept any more after that; null where it is not, or was shown too long ago. */
  take(id: string): Plan | null;
}>;

/** A yes that comes later is meant for something else, in ms. */
const SHOWN_MS = 600_000;
const PLANS_MAX = 20;

/** Nothing was shown yet. @param now Unix ms. */
export function openPlans(now: () => number = Date.now): Plans {
  const shown = new Map<string, Readonly<{ plan: Plan; at: number }>>();
  return {
    keep(plan) {
      const id = randomUUID();
      remember(shown, id, { plan, at: now() }, PLANS_MAX);
      return id;
    },
    take(id) {
      const found = shown.get(id);
      shown.delete(id);
      return found !== undefined && now() - found.at < SHOWN_MS ? found.plan : null;
    },
  };
}
