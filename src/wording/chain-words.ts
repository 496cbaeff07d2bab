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

/** One thing to know of a chain before it is in force; `model` is the one to take out if it shall not be so. */
export type ChainNote = Readonly<{ severity: 'error' | 'warning' | 'info'; text: string; model: string | null }>;

/** A stand-in that costs this many times what the lead does is worth a word. */
const PRICE_JUMP = 5;

/** What speaks against a chain, the gravest first; only what is known is told. An error cannot be applied. */
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

/** "build: claude-sonnet-4-5 ($3 / $15) leads, not devstral ($0.4 / $2).": prices where they are known. */
export function leadChangeSentence({ agent, from, to }: LeadChange): string {
  const isTold = shortName(from.model) !== shortName(to.model);
  const priced = ({ model, abilities }: LeadChange['from']): string => {
    const price = pricePhrase(abilities);
    const name = isTold ? shortName(model) : model;
    return price === null ? name : `${name} (${price})`;
  };
  return chainTexts().notes.leads(agent, priced(to), priced(from));
}

/** What an agent goes by once its chain is taken out. */
export function remainingPhrase(agent: string, { by, models }: Remaining): string {
  const said = chainTexts().removal;
  const names = models.map(shortName).join(', ');
  if (agent === '*') return by === 'nobody' ? said.allNobody : said.own(agentLabel(agent), names);
  if (by === 'nobody') return said.nobody(agent);
  return by === 'rest' ? said.rest(agent, names) : said.own(agent, names);
}

/** What of a draft is to be said where it gives its agent another lead; `to` is the model that would lead. */
export function leadNotes(
  snapshot: Snapshot,
  { agent, from, to }: Readonly<{ agent: string; from: string | undefined; to: string | undefined }>,
): readonly ChainNote[] {
  if (agent === '*' || from === undefined || to === undefined || plainIn(from) === plainIn(to)) return [];
  const known = (model: string): LeadChange['from'] => ({
    model,
    abilities: snapshot.models.find((row) => unbooked(row.model) === plainIn(model))?.abilities ?? NOTHING_KNOWN,
  });
  const text = leadChangeSentence({ agent, from: known(from), to: known(to) });
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
  const said = chainTexts().notes;
  return [
    ...(lead.abilities.vision && row.abilities.vision === false ? [warning(said.noVision(row.name))] : []),
    ...(lead.abilities.tools && row.abilities.tools === false ? [warning(said.noTools(row.name))] : []),
    ...(ratio >= PRICE_JUMP ? [warning(said.price(row.name, Math.round(ratio), lead.name))] : []),
  ];
}

/** Names a chain in addresses and lists. */
export const chainKey = ({ directory, agent }: Readonly<{ directory: string; agent: string }>): string =>
  `${directory}|${agent}`;

/** The chain an agent of a directory is on, which may be that of everybody who has none of their own. */
export function chainOf(
  chains: readonly ChainRow[],
  { directory, agent }: Readonly<{ directory: string; agent: string }>,
): ChainRow | undefined {
  const here = chains.filter((chain) => chain.directory === directory);
  return here.find((chain) => chain.agent === agent) ?? here.find((chain) => chain.agent === '*');
}

/** How many times the lead's price a model costs; 0 where a price is not known. */
export function priceRatio(lead: ModelAbilities, other: ModelAbilities): number {
  const ratio = (a: number | null, b: number | null) => (a !== null && b !== null && a > 0 ? b / a : 0);
  return Math.max(ratio(lead.priceIn, other.priceIn), ratio(lead.priceOut, other.priceOut));
}

/** Where a smaller context window follows a larger one. */
function shrinks(rows: readonly (ModelRow | undefined)[]): ChainNote[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const [from, to] = [before?.abilities.context ?? null, row?.abilities.context ?? null];
    if (!before || !row || from === null || to === null || to >= from) return [];
    const [more, less] = [contextPhrase(from), contextPhrase(to)];
    // A difference that nobody can read is none.
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
