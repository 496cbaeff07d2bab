import type { AgentPlan, ModelId, Policy } from '../../engine';
import { narrowPolicy, POLICIES, SWIFT } from '../../engine';
import { isGlob, matchesGlob } from './glob';
import { hasChain, ownAgent } from './merge';
import type { KeyPath } from './problem';
import type { Complain, ConfigSource, HostModels } from './resolve';
import type { AgentEntry, ConfigFile } from './schema';
import { DEFAULTS, MAX_CHAIN } from './schema';

const EVERY_OTHER = '*';

/** Where one agent's plan comes from. */
export type AgentOrigin = Readonly<{
  /** `own`: the agent's entry; `wildcard`: the entry `*`; `lead`: its configured model alone. */
  chain: 'own' | 'wildcard' | 'lead';
  /** The file with that entry; null for `lead`. */
  path: string | null;
  /** The name of the policy in force. */
  policy: string;
}>;

type Inputs = Readonly<{
  merged: ConfigFile;
  inForce: readonly ConfigSource[];
  host: HostModels;
  complain: Complain;
}>;
type Listed = Readonly<{ models: readonly ModelId[]; origin: Pick<AgentOrigin, 'chain' | 'path'> }>;

/** The plan of each agent that the files or OpenCode know, and of `*` where the files have it. */
export function resolveAgents(inputs: Inputs): {
  agents: Record<string, AgentPlan>;
  origins: Record<string, AgentOrigin>;
} {
  const names = new Set([...Object.keys(inputs.merged.agents ?? {}), ...Object.keys(inputs.host.leads)]);
  const policyOf = createPolicies(inputs);
  const lists = new Map([...names].map((name) => [name, ownList(inputs, name)]));
  const wildcard = lists.get(EVERY_OTHER) ?? null;
  const plans: [string, AgentPlan][] = [];
  const origins: [string, AgentOrigin][] = [];
  for (const name of names) {
    const own = lists.get(name) ?? null;
    const listed = own ?? (wildcard === null ? null : asWildcard(wildcard));
    const lead = leadOf(inputs.host, name);
    const chain = withLead(lead, knownOnly(inputs, { name, lead, models: listed?.models ?? [] }));
    // A chain that is written down and empty means "no fallback"; nothing at all leaves the agent to OpenCode.
    if (listed === null && chain.length === 0) continue;
    const policy = policyOf(name, own !== null);
    plans.push([name, { chain: capped(inputs, name, chain), policy: policy.rows }]);
    origins.push([name, { ...(listed?.origin ?? { chain: 'lead', path: null }), policy: policy.name }]);
  }
  return { agents: Object.fromEntries(plans), origins: Object.fromEntries(origins) };
}

function asWildcard(list: Listed): Listed {
  return { models: list.models, origin: { chain: 'wildcard', path: list.origin.path } };
}

/** A model OpenCode does not have would end the turn that is moved to it; the lead is OpenCode's own business. */
function knownOnly(
  { host, complain }: Inputs,
  { name, lead, models }: Readonly<{ name: string; lead: ModelId | null; models: readonly ModelId[] }>,
): readonly ModelId[] {
  if (host.models === undefined || host.models.length === 0) return models;
  const known = new Set(host.models);
  return models.filter((model) => {
    if (known.has(model) || model === lead) return true;
    complain(
      'model.unknown',
      ['agents', name],
      `OpenCode has no model ${model} (unknown, or no login): it is left out.`,
    );
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

function capped({ complain }: Inputs, name: string, chain: ModelId[]): ModelId[] {
  if (chain.length <= MAX_CHAIN) return chain;
  complain(
    'chain.too_long',
    ['agents', name],
    `The chain of ${name} has ${chain.length} models; the first ${MAX_CHAIN} are used.`,
  );
  return chain.slice(0, MAX_CHAIN);
}

/** The models an agent's own entry names, tiers after single models, globs expanded; null without such an entry. */
function ownList(inputs: Inputs, name: string): Listed | null {
  const entry = ownAgent(inputs.merged, name);
  if (entry === undefined || !hasChain(entry)) return null;
  const models = entriesOf(entry, ['agents', name]).flatMap(({ model, path }) => expand(inputs, model, path));
  const owner = inputs.inForce.find(({ config }) => config !== null && hasChain(ownAgent(config, name)));
  return { models, origin: { chain: name === EVERY_OTHER ? 'wildcard' : 'own', path: owner?.path ?? null } };
}

function entriesOf(entry: AgentEntry, path: KeyPath): { model: string; path: KeyPath }[] {
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

type NamedPolicy = Readonly<{ name: string; rows: Policy }>;

/** Finds the policy of each agent; each name that is not available is told once for each place it is written. */
function createPolicies({ merged, complain }: Inputs): (agent: string, hasOwnChain: boolean) => NamedPolicy {
  const words = merged.defaults?.fallbackOn;
  const told = new Set<string>();
  const narrow = (rows: Policy) => (words === undefined ? rows : narrowPolicy(rows, words));
  const find = (name: string, path: KeyPath): NamedPolicy => {
    const known = Object.hasOwn(POLICIES, name) ? POLICIES[name] : undefined;
    if (known !== undefined) return { name, rows: narrow(known) };
    const place = path.join('\n');
    if (!told.has(place)) {
      complain(
        'policy.unavailable',
        path,
        `The policy ${JSON.stringify(name)} is not available in this version; "swift" is used.`,
      );
    }
    told.add(place);
    return { name: 'swift', rows: narrow(SWIFT) };
  };
  return (agent, hasOwnChain) => {
    const own = ownAgent(merged, agent)?.policy;
    if (own !== undefined) return find(own, ['agents', agent, 'policy']);
    const shared = hasOwnChain ? undefined : ownAgent(merged, EVERY_OTHER)?.policy;
    if (shared !== undefined) return find(shared, ['agents', EVERY_OTHER, 'policy']);
    return find(merged.defaults?.policy ?? DEFAULTS.policy, ['defaults', 'policy']);
  };
}
