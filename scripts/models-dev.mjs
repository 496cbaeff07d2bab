// Reads benchmark values, model ids and release dates from a checkout of models.dev.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decisionOn } from './benchmark-names.mjs';
import { readToml } from './read-toml.mjs';

const ENDING = '.toml';
/** Maximum of percentages and indexes. */
const HIGHEST = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Older models may only have a month or a year. */
const DAY_MONTH_OR_YEAR = /^\d{4}(?:-\d{2}){0,2}$/;
/** Further properties of a number. */
const CONDITIONS = ['metric', 'harness', 'variant', 'dataset', 'version'];

/** By code points: the same on every machine. */
const order = (one, other) => (one < other ? -1 : Number(one > other));

/**
 * Reads a checkout; the order does not depend on the machine.
 * @returns {{ values: object[], aliases: object, released: object, undecided: Map<string, number> }} `aliases`:
 * OpenCode ids, `provider/model`, by record. `undecided`: entries missing in `benchmark-names.mjs`, and their number.
 * @throws SyntaxError or TypeError with the file if its content is invalid.
 */
export function collect(checkout) {
  const records = [...namesBelow(join(checkout, 'models'))].map((record) => {
    const path = `models/${record}${ENDING}`;
    return { record, path, ...read(checkout, path) };
  });
  const undecided = new Map();
  const values = records.flatMap((model) => valuesOf(model, undecided));
  const released = records.filter(({ head }) => head.release_date !== undefined);
  return {
    values: values.toSorted(byPlace),
    aliases: aliasesIn(checkout, new Set(records.map(({ record }) => record))),
    released: Object.fromEntries(released.map(({ record, path, head }) => [record, timeOf(head.release_date, path)])),
    undecided,
  };
}

/** Names of `.toml` files without that ending. Follows links and skips broken ones. */
function* namesBelow(folder, before = '') {
  for (const name of readdirSync(folder).toSorted(order)) {
    const entry = statSync(join(folder, name), { throwIfNoEntry: false });
    if (entry?.isDirectory()) yield* namesBelow(join(folder, name), `${before}${name}/`);
    else if (entry?.isFile() && name.endsWith(ENDING)) yield `${before}${name.slice(0, -ENDING.length)}`;
  }
}

const read = (checkout, path) => readToml(readFileSync(join(checkout, path), 'utf8'), path);

function valuesOf({ record, path, tables }, undecided) {
  const results = tables.filter(({ name, isList }) => isList && name === 'benchmarks').map(({ values }) => values);
  return results.flatMap((result) => {
    const decision = decisionOn(result);
    if (decision === null) {
      const what = described(result);
      undecided.set(what, (undecided.get(what) ?? 0) + 1);
    }
    return decision !== null && 'benchmark' in decision ? [ourValue(result, { record, path, ...decision })] : [];
  });
}

function ourValue(result, { record, path, benchmark, unit }) {
  const { score, source, date } = result;
  const place = `${path}: ${described(result)}`;
  if (typeof score !== 'number' || score < 0 || score > HIGHEST)
    throw new TypeError(`${place}: ${JSON.stringify(score)} is no number from 0 to ${HIGHEST}`);
  if (typeof source !== 'string' || !source.startsWith('https://'))
    throw new TypeError(`${place}: ${JSON.stringify(source)} is no https address of a source`);
  const time = date === undefined ? null : timeOf(date, place);
  const isDay = time !== null && DAY.test(time);
  const note = [...conditionsOf(result), ...(time === null || isDay ? [] : [`date: ${time}`])].join(', ');
  return { record, benchmark, value: score, unit, source, date: isDay ? time : null, note };
}

function timeOf(text, place) {
  if (!DAY_MONTH_OR_YEAR.test(text)) throw new TypeError(`${place}: ${JSON.stringify(text)} is no date`);
  return text;
}

const conditionsOf = (result) =>
  CONDITIONS.filter((name) => result[name] !== undefined).map((name) => `${name}: ${result[name]}`);
const described = (result) => [result.name, ...conditionsOf(result)].join(', ');

const byPlace = (one, other) =>
  order(one.record, other.record) ||
  order(one.benchmark, other.benchmark) ||
  order(JSON.stringify(one), JSON.stringify(other));

/** Other ids of each record. A provider's file names its record by `base_model`. */
function aliasesIn(checkout, records) {
  const aliases = new Map();
  for (const provider of readdirSync(join(checkout, 'providers')).toSorted(order)) {
    const folder = `providers/${provider}/models`;
    if (!existsSync(join(checkout, folder))) continue;
    for (const model of namesBelow(join(checkout, folder))) {
      const path = `${folder}/${model}${ENDING}`;
      const record = read(checkout, path).head.base_model;
      const id = `${provider}/${model}`;
      if (record === undefined || record === id) continue;
      if (!records.has(record)) throw new TypeError(`${path}: there is no model ${JSON.stringify(record)}`);
      aliases.set(record, [...(aliases.get(record) ?? []), id]);
    }
  }
  return Object.fromEntries([...aliases].toSorted(([one], [other]) => order(one, other)));
}
