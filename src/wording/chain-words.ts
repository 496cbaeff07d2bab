import type { LeadChange, Remaining } from '../contract/setup';
import type { ChainRow, ModelAbilities, ModelRow, Snapshot } from '../contract/snapshot';
import { writtenModel } from '../contract/written-model';
import { unbooked } from '../engine/names';
import { chainTexts } from '../texts';
import { remedy } from './act-words';
import { rowIn } from './model-rows';
import { contextPhrase, pricePhrase } from './model-words';
import { chainCaution } from './standing-words';
import { agentLabel, shortName } from './wording';

/** A note about a draft chain; removing `model` solves it. */
export type ChainNote = Readonly<{ severity: 'error' | 'warning' | 'info'; text: string; model: string | null }>;

/** A fallback model that costs this many times the primary gets a note. */
const PRICE_JUMP = 5;

/** Notes against a chain, the gravest first, from available data only. An error cannot be applied. */
export function chainNotes(
  snapshot: Snapshot,
  { directory, agent }: Pick<ChainRow, 'directory' | 'agent'>,
  models: readonly string[],
): readonly ChainNote[] {
  const rows = models.map((model) => rowIn(snapshot.models, directory, model));
  const plain = models.map(plainIn);
  const lead = rows[0];
  return [
    ...models.flatMap(malformed),
    ...models.flatMap((model, index) => (plain.indexOf(plainIn(model)) < index ? [twice(model)] : [])),
    ...models.flatMap((model, index) => (rows[index] || malformed(model).length > 0 ? [] : [unknown(model)])),
    ...rows.flatMap((row) => (row?.state === 'blocked' ? [blocked(row)] : [])),
    ...rows.slice(1).flatMap((row) => (lead && row ? standInNotes(lead, row) : [])),
    ...shrinks(rows),
    ...caution(agent, models),
  ];
}

/** Names the new and the previous primary of an agent, with their prices if available. */
export function leadChangeSentence({ agent, from, to }: LeadChange): string {
  const hasNewName = shortName(from.model) !== shortName(to.model);
  const priced = ({ model, abilities }: LeadChange['from']): string => {
    const price = pricePhrase(abilities);
    const name = hasNewName ? shortName(model) : model;
    return price === null ? name : `${name} (${price})`;
  };
  return chainTexts().notes.leads(agent, priced(to), priced(from));
}

/** The models of an agent after its chain is removed. */
export function remainingPhrase(agent: string, { by, models }: Remaining): string {
  const t = chainTexts().removal;
  const names = models.map(shortName).join(', ');
  if (agent === '*') return by === 'nobody' ? t.allNobody : t.own(agentLabel(agent), names);
  if (by === 'nobody') return t.nobody(agent);
  return by === 'rest' ? t.rest(agent, names) : t.own(agent, names);
}

/** Notes for a draft that changes the primary of its agent to `to`. */
export function leadNotes(
  snapshot: Snapshot,
  { agent, from, to }: Readonly<{ agent: string; from: string | undefined; to: string | undefined }>,
): readonly ChainNote[] {
  if (agent === '*' || from === undefined || to === undefined || plainIn(from) === plainIn(to)) return [];
  const withAbilities = (model: string): LeadChange['from'] => ({
    model,
    abilities: snapshot.models.find((row) => unbooked(row.model) === plainIn(model))?.abilities ?? NOTHING_KNOWN,
  });
  const text = leadChangeSentence({ agent, from: withAbilities(from), to: withAbilities(to) });
  return [{ severity: 'warning', model: null, text }];
}

const NOTHING_KNOWN: ModelAbilities = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };

const plainIn = (written: string): string => writtenModel(written).model;

const ModelShape = /^[^/\s]+\/\S+$/;

function malformed(model: string): ChainNote[] {
  if (ModelShape.test(model)) return [];
  return [{ severity: 'error', model, text: chainTexts().notes.malformed(model) }];
}

const twice = (model: string): ChainNote => ({
  severity: 'error',
  model,
  text: chainTexts().notes.twice(shortName(model)),
});

function unknown(model: string): ChainNote {
  const { pattern, unknown } = chainTexts().notes;
  return model.includes('*')
    ? { severity: 'info', model, text: pattern(model) }
    : { severity: 'warning', model, text: unknown(model) };
}

const blocked = (row: ModelRow): ChainNote => ({
  severity: 'warning',
  model: row.model,
  text: chainTexts().notes.needsYou(row.name, remedy(row)),
});

function standInNotes(lead: ModelRow, row: ModelRow): ChainNote[] {
  const warning = (text: string): ChainNote => ({ severity: 'warning', model: row.model, text });
  const ratio = priceRatio(lead.abilities, row.abilities);
  const t = chainTexts().notes;
  return [
    ...(lead.abilities.vision && row.abilities.vision === false ? [warning(t.noVision(row.name))] : []),
    ...(lead.abilities.tools && row.abilities.tools === false ? [warning(t.noTools(row.name))] : []),
    ...(ratio >= PRICE_JUMP ? [warning(t.price(row.name, Math.round(ratio), lead.name))] : []),
  ];
}

/** Names a chain in addresses and lists. */
export const chainKey = ({ directory, agent }: Readonly<{ directory: string; agent: string }>): string =>
  `${directory}|${agent}`;

/** The chain of an agent in a directory: its own, or the one for all other agents. */
export function chainOf(
  chains: readonly ChainRow[],
  { directory, agent }: Readonly<{ directory: string; agent: string }>,
): ChainRow | undefined {
  const here = chains.filter((chain) => chain.directory === directory);
  return here.find((chain) => chain.agent === agent) ?? here.find((chain) => chain.agent === '*');
}

/** The price of a model as a multiple of the primary's; 0 if a price is unknown. */
export function priceRatio(lead: ModelAbilities, other: ModelAbilities): number {
  const ratio = (a: number | null, b: number | null) => (a !== null && b !== null && a > 0 ? b / a : 0);
  return Math.max(ratio(lead.priceIn, other.priceIn), ratio(lead.priceOut, other.priceOut));
}

/** Notes for a smaller context window after a larger one. */
function shrinks(rows: readonly (ModelRow | undefined)[]): ChainNote[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const [from, to] = [before?.abilities.context ?? null, row?.abilities.context ?? null];
    if (!before || !row || from === null || to === null || to >= from) return [];
    const [more, less] = [contextPhrase(from), contextPhrase(to)];
    // Equal after rounding.
    if (more === less) return [];
    const text = chainTexts().notes.shrinks(more, less, before.name, row.name);
    return [{ severity: 'info', model: null, text }];
  });
}

function caution(agent: string, models: readonly string[]): ChainNote[] {
  if (models.length === 0) return [{ severity: 'warning', model: null, text: chainTexts().notes.empty }];
  const text = chainCaution(
    agent,
    models.map((model) => ({ model })),
  );
  return text === null ? [] : [{ severity: 'warning', model: null, text }];
}
