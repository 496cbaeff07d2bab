// Reads a checkout of models.dev: benchmark values, under which ids models are served, and when they were released.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decisionOn } from './benchmark-names.mjs';
import { readToml } from './read-toml.mjs';

const ENDING = '.toml';
/** All that is taken is a percentage or an index, and neither goes further. */
const HIGHEST = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Of an older model often no more than the month is known. */
const DAY_MONTH_OR_YEAR = /^\d{4}(?:-\d{2}){0,2}$/;
/** What else a source says of a number. */
const CONDITIONS = ['metric', 'harness', 'variant', 'dataset', 'version'];

/** By code points: the same on every machine. */
const order = (one, other) => (one < other ? -1 : Number(one > other));

/**
 * What a checkout says, in an order that does not depend on the machine.
 *
 * @returns {{ values: object[], aliases: object, released: object, undecided: Map<string, number> }} `aliases`: ids of OpenCode,
 * `provider/model`, by the record they are of. `undecided`: what stands in no table of `benchmark-names.mjs`, and how often.
 * @throws SyntaxError or TypeError with the file, where something in it is not what it has to be.
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

/** Files below a folder that end in `.toml`, without that ending. Links are followed; one that leads nowhere is no file. */
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

/** Each record with its other ids. A provider's file says of which record its model is by `base_model`. */
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
