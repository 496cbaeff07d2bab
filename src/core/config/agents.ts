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

/** Where one agent's plan comes from. */
export type AgentOrigin = Readonly<{
  /** `own`: the agent's entry; `wildcard`: the entry `*`; `lead`: its configured model alone. */
  chain: 'own' | 'wildcard' | 'lead';
  /** The file with that entry, and the line of its chain; null for `lead`. */
  path: string | null;
  line: number | null;
  /** The name of the policy in force. */
  policy: string;
}>;

type Inputs = Readonly<{
  merged: ConfigFile;
  own: ConfigFile;
  inForce: readonly ConfigSource[];
  host: HostModels;
  complain: Complain;
  /** The rows of an agent's policy as far as a project may say so. */
  hold: (agent: string, policy: NamedPolicy) => AgentPlan['policy'];
  /** Whether a limit of the user's own is in force that is measured by the agent's lead. */
  isLimited: (agent: string, rows: AgentPlan['policy']) => boolean;
  /** Notes what a project would loosen. @returns false where the user has allowed it. */
  keep: (loosening: Loosening) => boolean;
  /** The rows of an agent by the user's own files; null where they do not name it. */
  ownRows: (agent: string) => AgentPlan['policy'] | null;
  doubts: Doubts;
  /** Hears of each model that is left out for them: somebody may choose it all the same, and then it is the measure. */
  leave: (model: ModelId) => void;
}>;
type Listed = WrittenList & Readonly<{ origin: Omit<AgentOrigin, 'policy'> }>;

/** The plan of each agent that the files or OpenCode know, and of `*` where the files have it. */
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
    // Also of an agent whose lead nobody has told yet: what a project asks for is known before.
    const rows = inputs.hold(name, policy);
    const place = ['agents', own === null ? EVERY_OTHER : name];
    const asked = ledBy(inputs, name, { listed: listed?.models ?? [], isOwn: own !== null });
    const { chain: led, isNamed } = inputs.isLimited(name, rows) ? heldLead(inputs, name, asked) : asked;
    const allowed = oneVendor(inputs, { name, place, chain: undoubted(inputs, place, led) });
    const chain = capped(inputs, name, withSiblings(inputs.merged, inputs.host, allowed));
    // A chain that is written down and empty means "no fallback"; nothing at all leaves the agent to OpenCode.
    if (listed === null && chain.length === 0) continue;
    if (own !== null) tellDepth(inputs, name, chain);
    const numbers = numbersOf(inputs.merged, wordsOf(inputs.merged, name));
    const named = isNamed && chain.length > 0 ? { isNamed } : {};
    plans.push([name, { chain, policy: rows, ...numbers, ...named, ...variantsIn(listed, chain) }]);
    origins.push([name, { ...(listed?.origin ?? { chain: 'lead', path: null, line: null }), policy: policy.name }]);
  }
  // For agents that OpenCode has not told of yet.
  inputs.hold(EVERY_OTHER, policyOf(EVERY_OTHER, false));
  const kept = inRoom(inputs, plans);
  return {
    agents: inOrder(inputs, kept),
    origins: Object.fromEntries(origins.filter(([name]) => kept.has(name))),
  };
}

/** The plans as far as there is room for all of them together. */
function inRoom(inputs: Inputs, plans: readonly (readonly [string, AgentPlan])[]): ReadonlyMap<string, AgentPlan> {
  const { host, complain, ownRows } = inputs;
  const planned = plans.map(([name, plan]) => ({ name, plan, ownRows: ownRows(name) }));
  const { plans: kept, links, lost, dropped } = fitting(planned, host.catalogue);
  if (lost > 0)
    complain(
      'chains.too_many',
      ['agents'],
      `All chains together have ${links + lost} models; the first of each count, ${links} in all.`,
    );
  if (dropped > 0)
    complain(
      'agents.too_many',
      ['agents'],
      `Agents and policies are larger than can be told: ${dropped} of ${plans.length} agents have the chain of "*".`,
    );
  return kept;
}

/** As the files have them, then as OpenCode has. */
function inOrder({ merged, host }: Inputs, kept: ReadonlyMap<string, AgentPlan>): Record<string, AgentPlan> {
  const names = new Set([...Object.keys(merged.agents ?? {}), ...Object.keys(host.leads)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const plan = kept.get(name);
      return plan === undefined ? [] : [[name, plan] as const];
    }),
  );
}

function variantsIn(listed: Listed | null, chain: readonly ModelId[]): Pick<AgentPlan, 'variants'> {
  const asked = [...(listed?.variants ?? [])].filter(([model]) => chain.includes(model));
  return asked.length === 0 ? {} : { variants: Object.fromEntries(asked) };
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
    `The chain of ${name} has ${chain.length} models, but your defaults.maxFallbackDepth: ${depth} ends a turn after ${depth + 1} of them. With ${chain.length - 1} it reaches all.`,
  );
}

/** What is said of a model that a project alone describes, where the user's own limits ask what it costs or whose it is. */
export const doubtedText = (model: ModelId): string =>
  `What ${model} costs and whose it is, only an OpenCode file of this project, or of a folder above it, says. Your limits (vendorLock, maxPriceRatio) do not go by that: it stands in for nobody, and nobody for it. Define it in your own opencode.json to use it.`;

/** Nobody whom only a project describes stands in for anybody; where that is the lead, nobody is measured by it. */
function undoubted({ doubts, complain, leave }: Inputs, place: KeyPath, chain: readonly ModelId[]): ModelId[] {
  const [lead] = chain;
  const isLeadDoubted = lead !== undefined && doubts.isDoubted(lead);
  return chain.filter((model) => {
    if (!isLeadDoubted && !doubts.isDoubted(model)) return true;
    leave(model);
    if (model === lead || !isLeadDoubted) complain('model.doubted', place, doubtedText(model));
    // Of a vendor that is nobody else's it stands in for nobody: it may be told of.
    return model === lead && doubts.isVendorHeld;
  });
}

/** With `vendorLock`, the models of the lead's own vendor family alone. */
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
      `${name} is led by ${lead} (${family}); ${model} (${vendor}) is another vendor's and left out: vendorLock is on.`,
    );
    return false;
  });
}

function capped({ complain }: Inputs, name: string, chain: readonly ModelId[]): ModelId[] {
  if (chain.length > MAX_CHAIN) tooLong({ complain }, name, chain.length);
  return chain.slice(0, MAX_CHAIN);
}

/** The models an agent's own entry stands for, and where it stands; null without such an entry. */
function ownList(inputs: Inputs, name: string): Listed | null {
  const list = writtenList(inputs, name);
  if (list === null) return null;
  const owner = inputs.inForce.find(({ config }) => config !== null && hasChain(ownAgent(config, name)));
  const place = ['fallbackModels', 'tiers'].map((key) => owner?.positions.get(pathKey(['agents', name, key])));
  const line = place.find((position) => position !== undefined)?.line ?? null;
  return { ...list, origin: { chain: name === EVERY_OTHER ? 'wildcard' : 'own', path: owner?.path ?? null, line } };
}
