import type { AgentPlan, ModelId } from '../../engine';
import { vendorOf } from '../../engine/tools';
import { withSiblings } from './accounts';
import { namesOf } from './agent-names';
import type { Doubts } from './defined-models';
import { heldLead, ledBy, wordsOf } from './leading';
import { hasChain, ownAgent } from './merge';
import { breakerOf } from './numbers';
import { createPolicies, type NamedPolicy } from './policies';
import type { KeyPath } from './problem';
import { pathKey } from './problem';
import { fitting } from './room';
import type { AgentEntry, ConfigFile } from './schema';
import { MAX_CHAIN } from './schema';
import type { Complain, ConfigSource, HostModels } from './sources';
import type { Loosening } from './tighten';
import { EVERY_OTHER, tooLong, type WrittenList, writtenList } from './written';

export type AgentOrigin = Readonly<{
  /** `own`: the agent's entry; `wildcard`: the entry `*`; `lead`: its configured model alone. */
  chain: 'own' | 'wildcard' | 'lead';
  path: string | null;
  line: number | null;
  policy: string;
}>;

type Inputs = Readonly<{
  merged: ConfigFile;
  own: ConfigFile;
  inForce: readonly ConfigSource[];
  host: HostModels;
  complain: Complain;
  hold: (agent: string, policy: NamedPolicy) => AgentPlan['policy'];
  isLimited: (agent: string, rows: AgentPlan['policy']) => boolean;
  /** @returns false if the user has approved the loosening. */
  keep: (loosening: Loosening) => boolean;
  ownRows: (agent: string) => AgentPlan['policy'] | null;
  doubts: Doubts;
  /** Called for each dropped model; limits are measured by it if it is the primary. */
  leave: (model: ModelId) => void;
}>;
type Listed = WrittenList & Readonly<{ origin: Omit<AgentOrigin, 'policy'> }>;

export function resolveAgents(inputs: Inputs): {
  agents: Record<string, AgentPlan>;
  origins: Record<string, AgentOrigin>;
} {
  const names = namesOf(inputs);
  const policyOf = createPolicies(inputs.merged, inputs.complain);
  const lists = new Map([...names].map((name) => [name, ownList(inputs, name)]));
  const wildcard = lists.get(EVERY_OTHER) ?? null;
  const plans: [string, AgentPlan][] = [];
  const origins: [string, AgentOrigin][] = [];
  for (const name of names) {
    const own = lists.get(name) ?? null;
    const listed = own ?? (wildcard === null ? null : asWildcard(wildcard));
    const policy = policyOf(name, own !== null);
    // Also for an agent with an unreported primary: the project's wishes do not depend on it.
    const rows = inputs.hold(name, policy);
    const place = ['agents', own === null ? EVERY_OTHER : name];
    const requestedLead = ledBy(inputs, name, { listed: listed?.models ?? [], isOwn: own !== null });
    const { chain: led, isNamed } = inputs.isLimited(name, rows)
      ? heldLead(inputs, name, requestedLead)
      : requestedLead;
    const allowed = oneVendor(inputs, { name, place, chain: undoubted(inputs, place, led) });
    const chain = capped(inputs, name, withSiblings(inputs.merged, inputs.host, allowed));
    // An empty chain means "no fallback"; without any chain OpenCode handles the agent.
    if (listed === null && chain.length === 0) continue;
    if (own !== null) tellDepth(inputs, name, chain);
    const numbers = numbersOf(inputs.merged, wordsOf(inputs.merged, name));
    const named = isNamed && chain.length > 0 ? { isNamed } : {};
    plans.push([name, { chain, policy: rows, ...numbers, ...named, ...variantsIn(listed, chain) }]);
    origins.push([name, { ...(listed?.origin ?? { chain: 'lead', path: null, line: null }), policy: policy.name }]);
  }
  // For agents that OpenCode has not reported yet.
  inputs.hold(EVERY_OTHER, policyOf(EVERY_OTHER, false));
  const fittingPlans = inRoom(inputs, plans);
  return {
    agents: inOrder(inputs, fittingPlans),
    origins: Object.fromEntries(origins.filter(([name]) => fittingPlans.has(name))),
  };
}

function inRoom(inputs: Inputs, plans: readonly (readonly [string, AgentPlan])[]): ReadonlyMap<string, AgentPlan> {
  const { host, complain, ownRows } = inputs;
  const planned = plans.map(([name, plan]) => ({ name, plan, ownRows: ownRows(name) }));
  const { plans: fittingPlans, links, lost, dropped } = fitting(planned, host.catalogue);
  if (lost > 0)
    complain(
      'chains.too_many',
      ['agents'],
      `All chains together have ${links + lost} models; only the first of each are used, ${links} in total.`,
    );
  if (dropped > 0)
    complain(
      'agents.too_many',
      ['agents'],
      `Agents and policies are too large to send: ${dropped} of ${plans.length} agents use the chain of "*".`,
    );
  return fittingPlans;
}

function inOrder({ merged, host }: Inputs, plans: ReadonlyMap<string, AgentPlan>): Record<string, AgentPlan> {
  const names = new Set([...Object.keys(merged.agents ?? {}), ...Object.keys(host.leads)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const plan = plans.get(name);
      return plan === undefined ? [] : [[name, plan] as const];
    }),
  );
}

function variantsIn(listed: Listed | null, chain: readonly ModelId[]): Pick<AgentPlan, 'variants'> {
  const variants = [...(listed?.variants ?? [])].filter(([model]) => chain.includes(model));
  return variants.length === 0 ? {} : { variants: Object.fromEntries(variants) };
}

function asWildcard(list: Listed): Listed {
  return { ...list, origin: { ...list.origin, chain: 'wildcard' } };
}

function numbersOf(merged: ConfigFile, words: AgentEntry): Partial<AgentPlan> {
  const breaker = breakerOf(merged, words);
  const { maxRetries } = words;
  return { ...(breaker ? { breaker } : {}), ...(maxRetries === undefined ? {} : { maxRetries }) };
}

function tellDepth({ merged, complain }: Inputs, name: string, chain: readonly ModelId[]): void {
  const depth = merged.defaults?.maxFallbackDepth;
  if (depth == null || chain.length <= depth + 1) return;
  const key = ownAgent(merged, name)?.fallbackModels === undefined ? 'tiers' : 'fallbackModels';
  complain(
    'chain.too_deep',
    ['agents', name, key],
    `The chain of ${name} has ${chain.length} models, but your defaults.maxFallbackDepth: ${depth} ends a turn after ${depth + 1} of them. Set it to ${chain.length - 1} to reach all.`,
  );
}

/** For a model whose cost or vendor only a project sets, while a limit of the user depends on it. */
export const doubtedText = (model: ModelId): string =>
  `Only an OpenCode file of this project, or of a folder above it, sets the price and vendor of ${model}. Your limits (vendorLock, maxPriceRatio) ignore that, so it is no fallback and has none. Define it in your own opencode.json to use it.`;

function undoubted({ doubts, complain, leave }: Inputs, place: KeyPath, chain: readonly ModelId[]): ModelId[] {
  const [lead] = chain;
  const isLeadDoubted = lead !== undefined && doubts.isDoubted(lead);
  return chain.filter((model) => {
    if (!isLeadDoubted && !doubts.isDoubted(model)) return true;
    leave(model);
    if (model === lead || !isLeadDoubted) complain('model.doubted', place, doubtedText(model));
    // No fallback model shares such a vendor, so the primary may stay in the chain.
    return model === lead && doubts.isVendorHeld;
  });
}

function oneVendor(
  { merged, host, complain }: Inputs,
  { name, place, chain }: Readonly<{ name: string; place: KeyPath; chain: ModelId[] }>,
): ModelId[] {
  const [lead] = chain;
  if (!merged.defaults?.vendorLock || lead === undefined) return chain;
  const family = vendorOf(host.catalogue, lead);
  return chain.filter((model) => {
    const vendor = vendorOf(host.catalogue, model);
    if (vendor === family) return true;
    complain(
      'vendor.locked',
      place,
      `${name} uses ${lead} (${family}); ${model} (${vendor}) is another vendor's and skipped: vendorLock is on.`,
    );
    return false;
  });
}

function capped({ complain }: Inputs, name: string, chain: readonly ModelId[]): ModelId[] {
  if (chain.length > MAX_CHAIN) tooLong({ complain }, name, chain.length);
  return chain.slice(0, MAX_CHAIN);
}

function ownList(inputs: Inputs, name: string): Listed | null {
  const list = writtenList(inputs, name);
  if (list === null) return null;
  const owner = inputs.inForce.find(({ config }) => config !== null && hasChain(ownAgent(config, name)));
  const place = ['fallbackModels', 'tiers'].map((key) => owner?.positions.get(pathKey(['agents', name, key])));
  const line = place.find((position) => position !== undefined)?.line ?? null;
  return { ...list, origin: { chain: name === EVERY_OTHER ? 'wildcard' : 'own', path: owner?.path ?? null, line } };
}
