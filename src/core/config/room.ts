import type { AgentPlan, Catalogue, ModelId, Policy } from '../../engine';
import { CATALOGUE_MAX } from '../../protocol';

/** In bytes, on the wire and in the snapshot. */
const ROOM_BYTES = 500_000;
/** Leaves room for other models' facts. A model without facts has no limits. */
const MODELS_MAX = CATALOGUE_MAX - 100;
const AGENT_BYTES = 150;
const LINK_BYTES = 70;
const MODEL_BYTES = 700;

/** `ownRows` is null if the user's own files do not name the agent. */
export type Planned = Readonly<{ name: string; plan: AgentPlan; ownRows: Policy | null }>;

export type FittedPlans = Readonly<{
  plans: ReadonlyMap<string, AgentPlan>;
  links: number;
  lost: number;
  dropped: number;
}>;

const encoder = new TextEncoder();
const sizeOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/**
 * The socket would drop a longer line. Primaries fit first, then the second of each chain, and so on; the user's own
 * agents keep at least their primary and policy. @param planned the most important first.
 */
export function fitting(planned: readonly Planned[], catalogue: Catalogue | undefined): FittedPlans {
  const seen = new Set<ModelId>();
  const sizes = new Map<string, number>();
  const bytesOf = (value: string | Policy): number => {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    const size = sizes.get(key) ?? sizeOf(value);
    sizes.set(key, size);
    return size;
  };
  let left = ROOM_BYTES;
  const costOf = (name: string, model: ModelId): number => {
    const once = seen.has(model) ? 0 : 2 * bytesOf(model) + sizeOf(catalogue?.[model] ?? {}) + MODEL_BYTES;
    return bytesOf(name) + bytesOf(model) + LINK_BYTES + once;
  };
  const take = (name: string, model: ModelId): void => {
    left -= costOf(name, model);
    seen.add(model);
  };
  const fittingRows = planned.flatMap(({ name, plan, ownRows }) => {
    const [lead] = plan.chain;
    const needs = (policy: Policy): number =>
      bytesOf(name) + bytesOf(policy) + AGENT_BYTES + (lead === undefined ? 0 : costOf(name, lead));
    const isRoom = needs(plan.policy) <= left;
    if (!isRoom && ownRows === null) return [];
    const policy = isRoom || ownRows === null ? plan.policy : ownRows;
    left -= bytesOf(name) + bytesOf(policy) + AGENT_BYTES;
    if (lead !== undefined) take(name, lead);
    return [{ name, plan: { ...plan, policy }, chain: lead === undefined ? [] : [lead], isFull: false }];
  });
  const longest = Math.max(0, ...fittingRows.map(({ plan }) => plan.chain.length));
  for (let position = 1; position < longest; position++)
    for (const row of fittingRows) {
      const model = row.plan.chain[position];
      if (model === undefined || row.isFull) continue;
      row.isFull = costOf(row.name, model) > left || (seen.size >= MODELS_MAX && !seen.has(model));
      if (row.isFull) continue;
      take(row.name, model);
      row.chain.push(model);
    }
  const links = fittingRows.reduce((sum, { chain }) => sum + chain.length, 0);
  const requested = fittingRows.reduce((sum, { plan }) => sum + plan.chain.length, 0);
  return {
    plans: new Map(fittingRows.map(({ name, plan, chain }) => [name, { ...plan, chain }] as const)),
    links,
    lost: requested - links,
    dropped: planned.length - fittingRows.length,
  };
}
