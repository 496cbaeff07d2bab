import { remedy } from './act-words';
import { contextPhrase } from './model-words';
import type { ModelAbilities, ModelRow, Snapshot } from './snapshot';
import { chainCaution, shortName } from './wording';

/** One thing to know of a chain before it is in force; `model` is the one to take out if it shall not be so. */
export type ChainNote = Readonly<{ severity: 'error' | 'warning' | 'info'; text: string; model: string | null }>;

/** A stand-in that costs this many times what the lead does is worth a word. */
const PRICE_JUMP = 5;

/** What speaks against a chain, the gravest first; only what is known is told. An error cannot be applied. */
export function chainNotes(snapshot: Snapshot, agent: string, models: readonly string[]): readonly ChainNote[] {
  const rows = models.map((model) => snapshot.models.find((row) => row.model === model));
  const lead = rows[0];
  return [
    ...models.flatMap(malformed),
    ...models.flatMap((model, index) => (models.indexOf(model) < index ? [twice(model)] : [])),
    ...models.flatMap((model, index) => (rows[index] || malformed(model).length > 0 ? [] : [unknown(model)])),
    ...rows.flatMap((row) => (row?.state === 'blocked' ? [blocked(row)] : [])),
    ...rows.slice(1).flatMap((row) => (lead && row ? standInNotes(lead, row) : [])),
    ...shrinks(rows),
    ...caution(agent, models),
  ];
}

const ModelShape = /^[^/\s]+\/\S+$/;

function malformed(model: string): ChainNote[] {
  if (ModelShape.test(model)) return [];
  return [{ severity: 'error', model, text: `${model} is no model: write provider/model.` }];
}

const twice = (model: string): ChainNote => ({
  severity: 'error',
  model,
  text: `${shortName(model)} is in the chain twice.`,
});

function unknown(model: string): ChainNote {
  const text = model.includes('*')
    ? `${model} is a pattern: it stands for every model that fits it.`
    : `Nobody has used ${model} here yet: see that its name is right.`;
  return { severity: model.includes('*') ? 'info' : 'warning', model, text };
}

const blocked = (row: ModelRow): ChainNote => ({
  severity: 'warning',
  model: row.model,
  text: `${row.name} needs you. ${remedy(row)}`,
});

/** What a model lacks that the lead has, and what it costs beside it. */
function standInNotes(lead: ModelRow, row: ModelRow): ChainNote[] {
  const warning = (text: string): ChainNote => ({ severity: 'warning', model: row.model, text });
  const ratio = priceRatio(lead.abilities, row.abilities);
  return [
    ...(lead.abilities.vision && row.abilities.vision === false
      ? [warning(`${row.name} cannot read images: turns that have one skip it.`)]
      : []),
    ...(lead.abilities.tools && row.abilities.tools === false
      ? [warning(`${row.name} cannot use tools: turns that need them skip it.`)]
      : []),
    ...(ratio >= PRICE_JUMP
      ? [warning(`${row.name} costs about ${Math.round(ratio)} times what ${lead.name} does.`)]
      : []),
  ];
}

/** How many times the lead's price; 0 where a price is not known. */
function priceRatio(lead: ModelAbilities, other: ModelAbilities): number {
  const ratio = (a: number | null, b: number | null) => (a !== null && b !== null && a > 0 ? b / a : 0);
  return Math.max(ratio(lead.priceIn, other.priceIn), ratio(lead.priceOut, other.priceOut));
}

/** Where a smaller context window follows a larger one. */
function shrinks(rows: readonly (ModelRow | undefined)[]): ChainNote[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const [from, to] = [before?.abilities.context ?? null, row?.abilities.context ?? null];
    if (!before || !row || from === null || to === null || to >= from) return [];
    const text = `Context shrinks from ${contextPhrase(from)} to ${contextPhrase(to)} when ${before.name} hands over to ${row.name}.`;
    return [{ severity: 'info', model: null, text }];
  });
}

function caution(agent: string, models: readonly string[]): ChainNote[] {
  if (models.length === 0)
    return [
      { severity: 'warning', model: null, text: 'An empty chain means no fallback: if the model fails, work stops.' },
    ];
  const text = chainCaution(
    agent,
    models.map((model) => ({ model })),
  );
  return text === null ? [] : [{ severity: 'warning', model: null, text }];
}

/** "2 moved, 1 added". */
export function changesPhrase(changes: Readonly<{ moved: number; added: number; removed: number }>): string {
  return Object.entries(changes)
    .flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
    .join(', ');
}
