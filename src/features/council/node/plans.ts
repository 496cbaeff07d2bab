import { randomUUID } from 'node:crypto';
import { remember } from '../../../engine/tools';
import type { Plan } from './prepare';

export type Plans = Readonly<{
  keep(plan: Plan): string;
  take(id: string): Plan | null;
}>;

/** In ms; a later approval probably meant something else. */
const SHOWN_MS = 600_000;
const PLANS_MAX = 20;

/** @param now Unix ms. */
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
