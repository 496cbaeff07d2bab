import type { Outcome } from '../base/failure';
import { hashOf, type Receipt } from './config-journal';
import type { WritePlan } from './config-write';
import { applyTogether } from './write-together';

/** `seen` is null for no file. */
export const previewOf = ({ path, diff, before }: WritePlan) => ({ path, diff, seen: before && hashOf(before) });

export const changeOfPlan = ({ path }: WritePlan, receipt: Receipt | null | undefined) => ({
  path,
  receipt: receipt?.id ?? null,
});

/** All or none, if each file holds the previewed content. */
export async function applyAllSeen(
  plans: readonly WritePlan[],
  seen: readonly (string | null)[],
  home: string,
): Promise<Outcome<{ receipts: readonly (Receipt | null)[] }>> {
  const changed = plans.find((plan, at) => previewOf(plan).seen !== seen[at]);
  if (changed !== undefined)
    return { ok: false, reason: `${changed.path} changed meanwhile, so nothing was written; review it again.` };
  if (plans.length !== seen.length)
    return { ok: false, reason: 'The number of files changed meanwhile, so nothing was written; review them again.' };
  return await applyTogether(plans, home);
}
