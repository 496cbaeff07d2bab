import { writtenModel } from '../../contract/written-model';
import type { ModelId } from '../../engine';
import { tellUnknownAccount } from './accounts';
import { hasChain, ownAgent } from './merge';
import type { KeyPath } from './problem';
import type { AgentEntry, ConfigFile } from './schema';
import type { Complain, HostModels } from './sources';
import type { Loosening } from './tighten';
import { EVERY_OTHER, entriesOf, writtenList } from './written';

type Inputs = Readonly<{ merged: ConfigFile; host: HostModels; complain: Complain }>;

export type Led = Readonly<{
  lead: ModelId | null;
  /** One of our files names the primary, and OpenCode has none for the agent. */
  isNamed: boolean;
  known: readonly ModelId[];
  /** With a known primary, the first model is used when all are available. */
  chain: readonly ModelId[];
}>;

export function ledBy(
  inputs: Inputs,
  name: string,
  { listed, isOwn }: Readonly<{ listed: readonly ModelId[]; isOwn: boolean }>,
): Led {
  const { lead, isNamed } = leadOf(inputs, name, wordsOf(inputs.merged, name));
  const available = knownOnly(inputs, { place: ['agents', isOwn ? name : EVERY_OTHER], lead, models: listed });
  const ordered = isNamed && lead !== null ? [lead, ...available] : available;
  return { lead, isNamed, known: available, chain: withLead(lead, ordered, isOwn && name !== EVERY_OTHER) };
}

const speaker = ({ lead, chain }: Led): ModelId | null => (lead === null ? null : (chain[0] ?? null));

/**
 * A primary that only a project sets needs approval, because the user's limits depend on it.
 * @param own the user's own files merged. @param keep returns whether a loosening is not approved.
 */
export function heldLead(
  inputs: Inputs & Readonly<{ own: ConfigFile; keep: (loosening: Loosening) => boolean }>,
  name: string,
  led: Led,
): Led {
  const to = speaker(led);
  const { merged, own } = inputs;
  const isTheirs = [name, EVERY_OTHER].some(
    (entry) => JSON.stringify(ownAgent(merged, entry)) !== JSON.stringify(ownAgent(own, entry)),
  );
  if (to === null || !isTheirs) return led;
  const byOwn = { ...inputs, merged: own, complain: () => undefined };
  const list = writtenList(byOwn, name)?.models ?? null;
  const mine = ledBy(byOwn, name, { listed: list ?? [], isOwn: list !== null });
  const from = speaker(mine);
  if (from === to || !inputs.keep({ ...wishOf(inputs, name, led), own: JSON.stringify(from) })) return led;
  const others = led.known.filter((model) => model !== from);
  return { ...led, lead: mine.lead, isNamed: mine.isNamed, chain: from === null ? others : [from, ...others] };
}

function wishOf(
  { merged, own }: Readonly<{ merged: ConfigFile; own: ConfigFile }>,
  name: string,
  led: Led,
): Omit<Loosening, 'own'> {
  const { currentModel } = wordsOf(merged, name);
  const isPlaced = led.chain[0] !== led.lead;
  if (!isPlaced && currentModel !== undefined && currentModel !== wordsOf(own, name).currentModel) {
    const entry = ownAgent(merged, name)?.currentModel === undefined ? EVERY_OTHER : name;
    return { path: ['agents', entry, 'currentModel'], theirs: JSON.stringify(currentModel) };
  }
  const entry = ownAgent(merged, name) ?? {};
  const path = ['agents', name, entry.fallbackModels === undefined ? 'tiers' : 'fallbackModels'];
  return { path, theirs: JSON.stringify(entriesOf(entry, []).map(({ model }) => model)) };
}

export const unknownModel = (model: ModelId): string =>
  `OpenCode lists no model ${model} (unknown, no login, or it cannot be started): it is skipped.`;

/** A model unknown to OpenCode would end a turn that moves to it; OpenCode handles the primary itself. */
function knownOnly(
  { host, complain }: Inputs,
  { place, lead, models }: Readonly<{ place: KeyPath; lead: ModelId | null; models: readonly ModelId[] }>,
): readonly ModelId[] {
  if (models.length === 0 || host.models === undefined || host.models.length === 0) return models;
  const hostModels = new Set(host.models);
  return models.filter((model) => {
    if (hostModels.has(model) || model === lead) return true;
    if (!tellUnknownAccount({ host, complain }, place, model)) complain('model.unknown', place, unknownModel(model));
    return false;
  });
}

export function wordsOf(merged: ConfigFile, name: string): AgentEntry {
  const own = ownAgent(merged, name);
  return { ...(hasChain(own) ? undefined : ownAgent(merged, EVERY_OTHER)), ...own };
}

/** OpenCode's setting comes first, then `currentModel`. Built-in agents and `*` use the default model. */
function leadOf(
  inputs: Inputs,
  name: string,
  { currentModel, fallbackModels }: AgentEntry,
): Pick<Led, 'lead' | 'isNamed'> {
  const { leads, models, defaultModel } = inputs.host;
  const own = Object.hasOwn(leads, name) ? leads[name] : null;
  if (own || currentModel === undefined) return { lead: own ?? defaultModel, isNamed: false };
  const lead = modelIn(currentModel, models);
  if (!models?.length || models.includes(lead)) return { lead, isNamed: true };
  if (!fallbackModels?.some((written) => modelIn(written, models) === lead))
    inputs.complain('model.unknown', ['agents', name, 'currentModel'], unknownModel(lead));
  return { lead: defaultModel, isNamed: false };
}

const modelIn = (written: string, models: readonly ModelId[] | undefined): ModelId =>
  writtenModel(written, models).model;

/** The entry for all agents sets no primary. */
function withLead(lead: ModelId | null, models: readonly ModelId[], isOwn: boolean): ModelId[] {
  const isPlaced = lead === null || (isOwn && models.includes(lead));
  return [...new Set(isPlaced ? models : [lead, ...models])];
}
