import type { AgentPlan, ModelId } from '../../engine';
import { vendorOf } from '../../engine/tools';
import { AGENTS_MAX } from '../../protocol';
import { isGlob, matchesGlob } from './glob';
import { hasChain, ownAgent } from './merge';
import { createPolicies, type NamedPolicy } from './policies';
import type { KeyPath } from './problem';
import { pathKey } from './problem';
import type { Complain, ConfigSource, HostModels } from './resolve';
import type { AgentEntry, ConfigFile } from './schema';
import { MAX_CHAIN } from './schema';

const EVERY_OTHER = '*';
/** Models that the entries of one chain may stand for together. */
const MAX_EXPANDED = 2_000;

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
  inForce: readonly ConfigSource[];
  host: HostModels;
  complain: Complain;
  /** The rows of an agent's policy as far as a project may say so. */
  hold: (agent: string, policy: NamedPolicy) => AgentPlan['policy'];
}>;
type Listed = Readonly<{ models: readonly ModelId[]; origin: Omit<AgentOrigin, 'policy'> }>;

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
    const lead = leadOf(inputs.host, name);
    const place = ['agents', own === null ? EVERY_OTHER : name];
    const known = knownOnly(inputs, { place, lead, models: listed?.models ?? [] });
    const chain = oneVendor(inputs, { name, place, chain: withLead(lead, known) });
    // A chain that is written down and empty means "no fallback"; nothing at all leaves the agent to OpenCode.
    if (listed === null && chain.length === 0) continue;
    const policy = policyOf(name, own !== null);
    plans.push([name, { chain: capped(inputs, name, chain), policy: inputs.hold(name, policy) }]);
    origins.push([name, { ...(listed?.origin ?? { chain: 'lead', path: null, line: null }), policy: policy.name }]);
  }
  // For agents that OpenCode has not told of yet.
  inputs.hold(EVERY_OTHER, policyOf(EVERY_OTHER, false));
  return { agents: Object.fromEntries(plans), origins: Object.fromEntries(origins) };
}

/** Agents of the files first: whoever is beyond the limit has the chain of `*`. */
function namesOf({ merged, host, complain }: Inputs): ReadonlySet<string> {
  const names = [...new Set([...Object.keys(merged.agents ?? {}), ...Object.keys(host.leads)])];
  if (names.length > AGENTS_MAX)
    complain('agents.too_many', ['agents'], `There are ${names.length} agents; the first ${AGENTS_MAX} count.`);
  return new Set(names.slice(0, AGENTS_MAX));
}

function asWildcard(list: Listed): Listed {
  return { models: list.models, origin: { ...list.origin, chain: 'wildcard' } };
}

/** What is said of a model OpenCode does not have. */
export const unknownModel = (model: ModelId): string =>
  `OpenCode has no model ${model} (unknown, or no login): it is left out.`;

/** A model OpenCode does not have would end the turn that is moved to it; the lead is OpenCode's own business. */
function knownOnly(
  { host, complain }: Inputs,
  { place, lead, models }: Readonly<{ place: KeyPath; lead: ModelId | null; models: readonly ModelId[] }>,
): readonly ModelId[] {
  if (host.models === undefined || host.models.length === 0) return models;
  const known = new Set(host.models);
  return models.filter((model) => {
    if (known.has(model) || model === lead) return true;
    complain('model.unknown', place, unknownModel(model));
    return false;
  });
}

/** OpenCode's built-in agents stand in no configuration and use the default model, and so does whoever `*` is for. */
function leadOf(host: HostModels, name: string): ModelId | null {
  return (Object.hasOwn(host.leads, name) ? host.leads[name] : null) ?? host.defaultModel;
}

function withLead(lead: ModelId | null, models: readonly ModelId[]): ModelId[] {
  const isListed = lead === null || models.includes(lead);
  return [...new Set(isListed ? models : [lead, ...models])];
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

function capped({ complain }: Inputs, name: string, chain: ModelId[]): ModelId[] {
  if (chain.length > MAX_CHAIN) tooLong({ complain }, name, chain.length);
  return chain.slice(0, MAX_CHAIN);
}

const tooLong = ({ complain }: Pick<Inputs, 'complain'>, name: string, count: number): void =>
  complain(
    'chain.too_long',
    ['agents', name],
    `The chain of ${name} has ${count} models; the first ${MAX_CHAIN} are used.`,
  );

/** The models an agent's own entry names, tiers after single models, globs expanded; null without such an entry. */
function ownList(inputs: Inputs, name: string): Listed | null {
  const entry = ownAgent(inputs.merged, name);
  if (entry === undefined || !hasChain(entry)) return null;
  const models = expandedIn(inputs, name, entriesOf(entry, ['agents', name]));
  const owner = inputs.inForce.find(({ config }) => config !== null && hasChain(ownAgent(config, name)));
  const place = ['fallbackModels', 'tiers'].map((key) => owner?.positions.get(pathKey(['agents', name, key])));
  const line = place.find((position) => position !== undefined)?.line ?? null;
  return { models, origin: { chain: name === EVERY_OTHER ? 'wildcard' : 'own', path: owner?.path ?? null, line } };
}

type Entry = Readonly<{ model: string; path: KeyPath }>;

/** The models that entries stand for. How many are read is known before any is: a pattern may fit a thousand. */
function expandedIn(inputs: Inputs, name: string, entries: readonly Entry[]): readonly ModelId[] {
  if (entries.length > MAX_CHAIN) tooLong(inputs, name, entries.length);
  const models = new Set<ModelId>();
  for (const { model, path } of entries.slice(0, MAX_CHAIN)) {
    for (const fitting of expand(inputs, model, path)) models.add(fitting);
    if (models.size >= MAX_EXPANDED) break;
  }
  return [...models].slice(0, MAX_EXPANDED);
}

function entriesOf(entry: AgentEntry, path: KeyPath): Entry[] {
  const single = (entry.fallbackModels ?? []).map((model, index) => ({
    model,
    path: [...path, 'fallbackModels', index],
  }));
  const tiered = (entry.tiers ?? []).flatMap((tier, at) =>
    tier.models.map((model, index) => ({ model, path: [...path, 'tiers', at, 'models', index] })),
  );
  return [...single, ...tiered];
}

function expand({ host, complain }: Inputs, model: string, path: KeyPath): readonly ModelId[] {
  if (!isGlob(model)) return [model];
  const fitting = (host.models ?? []).filter((candidate) => matchesGlob(model, candidate));
  if (fitting.length === 0) {
    complain('glob.empty', path, `No model fits ${JSON.stringify(model)}: OpenCode knows none. The entry is left out.`);
  }
  return fitting;
}
