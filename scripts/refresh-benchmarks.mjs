// `node scripts/refresh-benchmarks.mjs [--from <checkout>] [--check]`: takes benchmark values, ids and release dates of models
// from models.dev into resources/benchmarks. Without `--from` it clones the repository, and removes the clone afterwards.
// `--check` writes nothing and says what would change. Ends with 1 when something would, with 2 when something went wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { collect } from './models-dev.mjs';

const SOURCE = 'https://github.com/anomalyco/models.dev';
const NOTICE =
  'Benchmark values, ids and release dates of models are from models.dev: Copyright (c) 2025 models.dev, MIT License.';
const FOLDER = join(import.meta.dirname, '..', 'resources', 'benchmarks');
const DATA = 'models-dev.json';
const LICENSE = 'models-dev-LICENSE.txt';
const NOTHING = { values: [], aliases: {}, released: {} };

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Clones models.dev, or what takes its place, for as long as the work with it takes. */
export function withClone(work, address = SOURCE) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-models-dev-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', address, folder]);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Brings a folder up to what a checkout of models.dev says. Where nothing differs but the commit, the files stay as they are.
 *
 * @param {{ from: string, into?: string, isCheck?: boolean }} paths With `isCheck` nothing is written.
 * @param {(line: string) => void} say
 * @returns {0 | 1} 1 when something would change, and was only to be checked.
 * @throws Error where the folder is no checkout, SyntaxError or TypeError where a file in it cannot be read.
 */
export function refresh({ from, into = FOLDER, isCheck = false }, say) {
  const { commit, date } = versionOf(from);
  const { undecided, ...data } = collect(from);
  const known = existsSync(join(into, DATA)) ? JSON.parse(readFileSync(join(into, DATA), 'utf8')) : NOTHING;
  const license = readFileSync(join(from, 'LICENSE'), 'utf8');
  const isSameLicense = existsSync(join(into, LICENSE)) && readFileSync(join(into, LICENSE), 'utf8') === license;
  const changes = [...changesOf(known, data), ...(isSameLicense ? [] : ['the license'])];
  for (const [what, times] of undecided) say(`? ${what}: nobody has decided on it (${times}), see benchmark-names.mjs`);
  if (changes.length === 0) {
    say(`Nothing has changed since ${known.commit} of ${known.date}.`);
    return 0;
  }
  for (const change of changes) say(change);
  if (isCheck) return 1;
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, DATA), textOf({ notice: NOTICE, source: SOURCE, commit, date, ...data }));
  writeFileSync(join(into, LICENSE), license);
  say(`Written as of ${commit} of ${date}.`);
  return 0;
}

function versionOf(checkout) {
  if (!isCheckout(checkout)) throw new Error(`${checkout} is no checkout of models.dev: git clone ${SOURCE}`);
  const [commit, date] = git(checkout, 'log', '-1', '--format=%H %cs').split(' ');
  return { commit, date };
}

/** A folder that only lies somewhere in another repository would have the commit of that one. */
function isCheckout(folder) {
  try {
    return realpathSync(git(folder, 'rev-parse', '--show-toplevel')) === realpathSync(folder);
  } catch {
    return false;
  }
}

/** One value, or the ids of one record, a line: so that a diff says what has changed. */
function textOf({ values, aliases, released, ...about }) {
  const pairs = (object) =>
    Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const block = (lines) => lines.map((line) => `\n    ${line}`).join(',');
  const parts = [
    ...pairs(about),
    `"values": [${block(values.map((value) => JSON.stringify(value)))}\n  ]`,
    `"aliases": {${block(pairs(aliases))}\n  }`,
    `"released": {${block(pairs(released))}\n  }`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

/** What differs, a line each; ids and release dates are counted. */
function changesOf(known, data) {
  const [before, after] = [byPlace(known.values), byPlace(data.values)];
  const lines = [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((place) => {
    const [old, fresh] = [before.get(place), after.get(place)];
    if (old === undefined) return [`+ ${place}: ${numberOf(fresh)}`];
    if (fresh === undefined) return [`- ${place}: ${numberOf(old)}`];
    return numberOf(old) === numberOf(fresh) ? [] : [`~ ${place}: ${numberOf(old)}, now ${numberOf(fresh)}`];
  });
  return [
    ...lines,
    ...counted('ids', recordOfEachId(known.aliases), recordOfEachId(data.aliases)),
    ...counted('release dates', new Map(Object.entries(known.released)), new Map(Object.entries(data.released))),
  ];
}

/** Values by what they are of and where they stand. A place that has several counts them. */
function byPlace(values) {
  const places = new Map();
  for (const value of values) {
    const place = `${value.record} ${value.benchmark} (${value.note}) ${value.source}`;
    let numbered = place;
    for (let count = 2; places.has(numbered); count++) numbered = `${place} ${count}`;
    places.set(numbered, value);
  }
  return places;
}

const numberOf = ({ value, unit, date }) => `${value} ${unit}${date === null ? '' : ` of ${date}`}`;
const recordOfEachId = (aliases) =>
  new Map(Object.entries(aliases).flatMap(([record, ids]) => ids.map((id) => [id, record])));

function counted(what, before, after) {
  const added = [...after.keys()].filter((key) => !before.has(key)).length;
  const removed = [...before.keys()].filter((key) => !after.has(key)).length;
  const changed = [...after].filter(([key, value]) => before.has(key) && before.get(key) !== value).length;
  return added + removed + changed === 0 ? [] : [`${what}: ${added} added, ${removed} removed, ${changed} changed`];
}

function main() {
  const { values: options } = parseArgs({ options: { from: { type: 'string' }, check: { type: 'boolean' } } });
  const work = (from) => refresh({ from, isCheck: options.check === true }, console.log);
  return options.from === undefined ? withClone(work) : work(options.from);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.exitCode = main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
