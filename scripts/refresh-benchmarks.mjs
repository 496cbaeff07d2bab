// `node scripts/refresh-benchmarks.mjs [--from <checkout>] [--check]`: updates resources/benchmarks from models.dev.
// Without `--from` it uses a temporary clone. `--check` only prints changes. Exits with 1 if `--check` finds changes,
// with 2 on an error.
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

/** Provides a temporary clone of models.dev, or of another address. */
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
 * Updates a folder from a checkout of models.dev. Keeps files of which only the commit differs.
 * @param {{ from: string, into?: string, isCheck?: boolean }} paths `isCheck` writes nothing.
 * @param {(line: string) => void} say
 * @returns {0
 * 1} 1 if `isCheck` finds changes.
 * @throws Error if the folder is no checkout, SyntaxError or TypeError if a file is invalid.
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

/** A folder inside another repository would have that repository's commit. */
function isCheckout(folder) {
  try {
    return realpathSync(git(folder, 'rev-parse', '--show-toplevel')) === realpathSync(folder);
  } catch {
    return false;
  }
}

/** One line for each value or record, for readable diffs. */
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
