// `npm run watch-opencode`, weekly in a workflow: plays the promises on the newest OpenCode releases and compares with
// docs/releases.json. Exits with 3 and writes difference.md, the text of an issue, if something differs; with 1 if a
// release could not be tested.
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { fetchRelease, packageFor } from './ensure-opencode.mjs';
import { npmCommand } from './npm-command.mjs';
import { playGroup } from './play-release.mjs';
import { GROUPS, generationOf, order, quoted } from './promises.mjs';
import { readResults } from './soak-releases.mjs';

const root = join(import.meta.dirname, '..');
const GENERATIONS = [1, 2];
/** Number of tries, because the newest version may be listed but not yet available. */
const TRIED = 3;
/** GitHub's limit for an issue is 65,536 characters. */
const LONGEST = 60_000;

/** Releases of a generation, the newest first, without nightly builds. */
export function newestOf(versions, generation) {
  return versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && generationOf(version) === generation)
    .sort((a, b) => order(b, a));
}

/** The newest tested release of this generation that is not newer, else the oldest, with its results. */
export function knownBefore(results, version) {
  const versions = newestOf(Object.keys(results), generationOf(version));
  const found = versions.find((known) => order(known, version) <= 0) ?? versions.at(-1);
  return found === undefined ? null : { version: found, groups: results[found] };
}

/**
 * Promises that fail and did not fail on the earlier release.
 * @param {readonly { group: string, promises: readonly object[] }[]} played
 */
export function differencesOf(played, known) {
  return played.flatMap(({ group, promises }) => {
    const failedBefore = known?.groups[group]?.failed ?? {};
    return promises
      .filter(({ place, title, outcome }) => outcome === 'failed' && !(`${place}: ${title}` in failedBefore))
      .map(({ place, title, why }) => ({ group, promise: `${place}: ${title}`, why }));
  });
}

/**
 * Text of difference.md: failing promises by release with the first lines of the reason.
 * @param {{ date: string, releases: readonly object[], notes: readonly string[] }} seen
 */
export function differenceText({ date, releases, notes }) {
  const differing = releases.filter(({ differences }) => differences.length > 0);
  const title = `# What differs on OpenCode ${differing.map(({ version }) => version).join(' and ')}`;
  const text = [title, `Looked at on ${date}.`, ...differing.map(releaseText), ...notesText(notes)].join('\n\n');
  return text.length <= LONGEST ? `${text}\n` : `${text.slice(0, LONGEST)}\n\nThe rest does not fit in here.\n`;
}

function releaseText({ version, known, differences }) {
  const count = differences.length === 1 ? 'One promise does' : `${differences.length} promises do`;
  const before = known === null ? '' : ` that ${differences.length === 1 ? 'does' : 'do'} on ${known}`;
  const lines = differences.map(({ group, promise, why }) => `- **${group}**: ${promise}\n${quoted(why)}`);
  return `## OpenCode ${version}\n\n${count} not hold${before}:\n\n${lines.join('\n')}`;
}

const notesText = (notes) =>
  notes.length === 0 ? [] : [`## What could not be looked at\n\n${notes.map((note) => `- ${note}`).join('\n')}`];

/**
 * Tests the newest release of every generation.
 * @param {object} means Functions to list versions, fetch one and play a group; earlier results and the day.
 * @param {(seen: object) => void} [tell] Gets the results after each group, because the rest may take too long.
 * @returns {Promise<{ exitCode: 0
 * 1
 * 3, words: readonly string[], text: string
 * null }>} `text` has the differences.
 */
export async function watch({ listVersions, fetch, play, results, date }, tell = () => undefined) {
  const releases = [];
  const notes = [];
  for (const generation of GENERATIONS) {
    const found = await newestToBeHad(generation, { listVersions, fetch });
    notes.push(...found.notes);
    if (found.version === null) continue;
    const known = knownBefore(results, found.version);
    const release = { version: found.version, known: known?.version ?? null, differences: [] };
    releases.push(release);
    for (const group of GROUPS.filter((each) => each.generation === generation)) {
      const result = await play({ version: found.version, binary: found.binary, group });
      if ('unplayed' in result) notes.push(`OpenCode ${found.version}, ${group.name}: ${result.unplayed}`);
      else release.differences.push(...differencesOf([{ group: group.name, promises: result.promises }], known));
      tell(conclusionOf({ date, releases, notes }));
    }
  }
  return conclusionOf({ date, releases, notes });
}

function conclusionOf({ date, releases, notes }) {
  const words = releases.map(
    ({ version, differences }) =>
      `OpenCode ${version}: ${differences.length === 0 ? 'nothing differs' : `${differences.length} differ`}`,
  );
  const isDifferent = releases.some(({ differences }) => differences.length > 0);
  return {
    exitCode: isDifferent ? 3 : notes.length > 0 ? 1 : 0,
    words: [...words, ...notes],
    text: isDifferent ? differenceText({ date, releases, notes }) : null,
  };
}

/**
 * Watches, prints the results, and writes differences to a file as soon as there are any.
 * @returns {Promise<0
 * 1
 * 3>} the exit code.
 */
export async function watchInto(path, means, say = console.log) {
  rmSync(path, { force: true });
  const { exitCode, words } = await watch(means, ({ text }) => {
    if (text !== null) writeFileSync(path, text);
  });
  for (const line of words) say(line);
  return exitCode;
}

/** The newest available release. Unavailable ones are reported only if all are. */
async function newestToBeHad(generation, { listVersions, fetch }) {
  const notes = [];
  try {
    const newest = newestOf(await listVersions(generation), generation).slice(0, TRIED);
    if (newest.length === 0) throw new Error('the registry names no release');
    for (const version of newest) {
      const binary = await fetch(generation, version).catch((error) => {
        notes.push(error.message);
        return null;
      });
      if (binary !== null) return { version, binary, notes: [] };
    }
  } catch (error) {
    notes.push(`OpenCode ${generation}: ${error.message}`);
  }
  return { version: null, binary: null, notes };
}

/** All versions of a generation's package in the registry, including other generations. */
export async function listVersions(generation) {
  const { command, args } = npmCommand();
  const view = [...args, 'view', await packageFor(generation), 'versions', '--json'];
  const { stdout } = await promisify(execFile)(command, view, { maxBuffer: 16 * 1024 * 1024 });
  // npm prints a single version without a list.
  return [JSON.parse(stdout)].flat();
}

async function main() {
  if (build() !== 0) return 1;
  const date = new Date().toISOString().slice(0, 10);
  const means = { listVersions, fetch: fetchRelease, play: playGroup, results: readResults(), date };
  return await watchInto(join(root, 'difference.md'), means);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
