import type { AgentPlan, ModelId } from '../../engine';
import { vendorOf } from '../../engine/tools';
import { AGENTS_MAX } from '../../protocol';
import type { Doubts } from './defined-models';
import { isGlob, matchesGlob } from './glob';
import { hasChain, ownAgent } from './merge';
import { createPolicies, type NamedPolicy } from './policies';
import type { KeyPath } from './problem';
import { pathKey } from './problem';
import type { Complain, ConfigSource, HostModels } from './resolve';
import type { AgentEntry, ConfigFile } from './schema';
import { DEFAULTS, MAX_CHAIN } from './schema';

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
  /** What only a project says of models. */
  doubts: Doubts;
  /** Hears of each model that is left out for them: somebody may choose it all the same, and then it is the measure. */
  leave: (model: ModelId) => void;
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
    const words = wordsOf(inputs.merged, name);
    const { lead, isNamed } = leadOf(inputs, name, words);
    const place = ['agents', own === null ? EVERY_OTHER : name];
    const known = knownOnly(inputs, { place, lead, models: listed?.models ?? [] });
    const isOwn = own !== null && name !== EVERY_OTHER;
    const ordered = isNamed && lead !== null ? [lead, ...known] : known;
    const chain = capped(
      inputs,
      name,
      oneVendor(inputs, { name, place, chain: undoubted(inputs, place, withLead(lead, ordered, isOwn)) }),
    );
    const policy = policyOf(name, own !== null);
    // Also of an agent whose lead nobody has told yet: what a project asks for is known before.
    const rows = inputs.hold(name, policy);
    // A chain that is written down and empty means "no fallback"; nothing at all leaves the agent to OpenCode.
    if (listed === null && chain.length === 0) continue;
    if (own !== null) tellDepth(inputs, name, chain);
    const numbers = numbersOf(inputs.merged, words);
    const named = isNamed && chain.length > 0 ? { isNamed } : {};
    plans.push([name, { chain, policy: rows, ...numbers, ...named }]);
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

/** What the files say of an agent besides its models: its own entry, and that of `*` where its chain is of there. */
export function wordsOf(merged: ConfigFile, name: string): AgentEntry {
  const own = ownAgent(merged, name);
  return { ...(hasChain(own) ? undefined : ownAgent(merged, EVERY_OTHER)), ...own };
}

type Lead = Readonly<{ lead: ModelId | null; isNamed: boolean }>;

/**
 * OpenCode's word comes first, then `currentModel`. Built-in agents stand in no configuration and use the default model, and
 * so does whoever `*` is for.
 */
function leadOf(inputs: Inputs, name: string, { currentModel, fallbackModels }: AgentEntry): Lead {
  const { leads, models, defaultModel } = inputs.host;
  const own = Object.hasOwn(leads, name) ? leads[name] : null;
  if (own || currentModel === undefined) return { lead: own ?? defaultModel, isNamed: false };
  if (!models?.length || models.includes(currentModel)) return { lead: currentModel, isNamed: true };
  if (!fallbackModels?.includes(currentModel))
    inputs.complain('model.unknown', ['agents', name, 'currentModel'], unknownModel(currentModel));
  return { lead: defaultModel, isNamed: false };
}

/** The numbers of its own that an agent has, where its entry says any. */
function numbersOf(merged: ConfigFile, words: AgentEntry): Partial<AgentPlan> {
  const breaker = breakerOf(merged, words);
  const { maxRetries } = words;
  return { ...(breaker ? { breaker } : {}), ...(maxRetries === undefined ? {} : { maxRetries }) };
}

/** The breaker that an agent's failures count with, where its entry says anything of one. */
export function breakerOf({ defaults }: ConfigFile, { circuitBreaker: own }: AgentEntry): AgentPlan['breaker'] {
  const all = defaults?.circuitBreaker;
  const standard = DEFAULTS.circuitBreaker;
  return (
    own && {
      failureThreshold: own.failureThreshold ?? all?.failureThreshold ?? standard.failureThreshold,
      cooldownMs: own.cooldownMs ?? all?.cooldownMs ?? standard.cooldownMs,
    }
  );
}

function tellDepth({ merged, complain }: Inputs, name: string, chain: readonly ModelId[]): void {
  const depth = merged.defaults?.maxFallbackDepth ?? DEFAULTS.maxFallbackDepth;
  const left = chain.length - (depth + 1);
  if (left <= 0) return;
  const times = depth === 1 ? 'once' : `${depth} times`;
  const who = left === 1 ? 'the last one is' : `the last ${left} are`;
  const key = ownAgent(merged, name)?.fallbackModels === undefined ? 'tiers' : 'fallbackModels';
  complain(
    'chain.too_deep',
    ['agents', name, key],
    `The chain of ${name} has ${chain.length} models, but a failing turn moves on ${times} at most: it may end before ${who} asked. With defaults.maxFallbackDepth: ${chain.length - 1} it reaches all.`,
  );
}

/** Only an agent's own entry may put another model before its lead: what is written for all chooses nobody's lead. */
function withLead(lead: ModelId | null, models: readonly ModelId[], isOwn: boolean): ModelId[] {
  const isPlaced = lead === null || (isOwn && models.includes(lead));
  return [...new Set(isPlaced ? models : [lead, ...models])];
}

/** What is said of a model that a project alone describes, where the user's own limits ask what it costs or whose it is. */
export const doubtedText = (model: ModelId): string =>
  `What ${model} costs and whose it is, only this project's own OpenCode file says. Your limits (vendorLock, maxPriceRatio) do not go by that: it stands in for nobody, and nobody for it. Define it in your own opencode.json to use it.`;

/** Nobody whom only a project describes stands in for anybody; where that is the lead, nobody is measured by it. */
function undoubted({ doubts, complain, leave }: Inputs, place: KeyPath, chain: ModelId[]): ModelId[] {
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
