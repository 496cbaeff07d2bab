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
  /** Null where nobody knows whom OpenCode asks. */
  lead: ModelId | null;
  /** A file of ours names the lead, where OpenCode has none for the agent. */
  isNamed: boolean;
  /** The models that are written for the agent and that OpenCode has. */
  known: readonly ModelId[];
  /** Those with the lead in its place. Where a lead is known, the first of them speaks when all is well. */
  chain: readonly ModelId[];
}>;

/** Who leads an agent by these files. @param listed the models of its own entry, else of `*`. */
export function ledBy(
  inputs: Inputs,
  name: string,
  { listed, isOwn }: Readonly<{ listed: readonly ModelId[]; isOwn: boolean }>,
): Led {
  const { lead, isNamed } = leadOf(inputs, name, wordsOf(inputs.merged, name));
  const known = knownOnly(inputs, { place: ['agents', isOwn ? name : EVERY_OTHER], lead, models: listed });
  const ordered = isNamed && lead !== null ? [lead, ...known] : known;
  return { lead, isNamed, known, chain: withLead(lead, ordered, isOwn && name !== EVERY_OTHER) };
}

const speaker = ({ lead, chain }: Led): ModelId | null => (lead === null ? null : (chain[0] ?? null));

/**
 * Limits of the user's own are measured by the lead, and nobody is asked before a lead speaks: a lead that a project's files
 * alone would put there is asked for as any loosening is, and until then whoever leads without them does.
 *
 * @param own what the user's own files say together. @param keep tells whether a loosening is not allowed.
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
  // What is written for all puts nobody first.
  const mine = ledBy(byOwn, name, { listed: list ?? [], isOwn: list !== null });
  const from = speaker(mine);
  if (from === to || !inputs.keep({ ...wishOf(inputs, name, led), own: JSON.stringify(from) })) return led;
  const others = led.known.filter((model) => model !== from);
  return { ...led, lead: mine.lead, isNamed: mine.isNamed, chain: from === null ? others : [from, ...others] };
}

/** The key by which another model leads, with all that it says. */
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
  `OpenCode lists no model ${model} (unknown, no login, or it cannot be started): it is left out.`;

/** A model OpenCode does not have would end the turn that is moved to it; the lead is OpenCode's own business. */
function knownOnly(
  { host, complain }: Inputs,
  { place, lead, models }: Readonly<{ place: KeyPath; lead: ModelId | null; models: readonly ModelId[] }>,
): readonly ModelId[] {
  if (models.length === 0 || host.models === undefined || host.models.length === 0) return models;
  const known = new Set(host.models);
  return models.filter((model) => {
    if (known.has(model) || model === lead) return true;
    if (!tellUnknownAccount({ host, complain }, place, model)) complain('model.unknown', place, unknownModel(model));
    return false;
  });
}

/** What the files say of an agent besides its models: its own entry, and that of `*` where its chain is of there. */
export function wordsOf(merged: ConfigFile, name: string): AgentEntry {
  const own = ownAgent(merged, name);
  return { ...(hasChain(own) ? undefined : ownAgent(merged, EVERY_OTHER)), ...own };
}

/**
 * OpenCode's word comes first, then `currentModel`. Built-in agents stand in no configuration and use the default model, and
 * so does whoever `*` is for.
 */
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

/** Only an agent's own entry may put another model before its lead: what is written for all chooses nobody's lead. */
function withLead(lead: ModelId | null, models: readonly ModelId[], isOwn: boolean): ModelId[] {
  const isPlaced = lead === null || (isOwn && models.includes(lead));
  return [...new Set(isPlaced ? models : [lead, ...models])];
}
