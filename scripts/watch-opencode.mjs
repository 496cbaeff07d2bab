// `npm run watch-opencode`: plays the promises on the newest releases of OpenCode that can be had, and holds the results
// against docs/releases.json. Ends with 3 when something differs, and says what in difference.md; with 1 when a release could
// not be looked at; else with 0. A workflow runs it every week and opens an issue from difference.md.
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
/** The newest may be listed and not be there yet; so many are tried. */
const TRIED = 3;
/** GitHub takes 65,536 characters in an issue. */
const LONGEST = 60_000;

/** The releases of a generation, the newest first; what is not a release, such as a nightly build, is none. */
export function newestOf(versions, generation) {
  return versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && generationOf(version) === generation)
    .sort((a, b) => order(b, a));
}

/** The newest release of the same generation that is not newer than this one, or else the oldest, with what was seen on it. */
export function knownBefore(results, version) {
  const versions = newestOf(Object.keys(results), generationOf(version));
  const found = versions.find((known) => order(known, version) <= 0) ?? versions.at(-1);
  return found === undefined ? null : { version: found, groups: results[found] };
}

/**
 * The promises that fail on a release and did not fail on the one known before it.
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
 * The text of difference.md: which promise does not hold on which release, and the first lines of why.
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
 * Looks at the newest release of every generation.
 * @param {object} means How to list versions, to fetch one, to play a group on it; the results so far, and the day.
 * @param {(seen: object) => void} [tell] Hears after each group what is known so far: what comes may take too long.
 * @returns {Promise<{ exitCode: 0 | 1 | 3, words: readonly string[], text: string | null }>} `text` is what differs.
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

/** What has been seen, as an exit code, in lines, and as the text of difference.md. */
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
 * Looks, says what was seen, and writes what differs into a file, which is there as soon as something does.
 * @returns {Promise<0 | 1 | 3>} the exit code.
 */
export async function watchInto(path, means, say = console.log) {
  rmSync(path, { force: true });
  const { exitCode, words } = await watch(means, ({ text }) => {
    if (text !== null) writeFileSync(path, text);
  });
  for (const line of words) say(line);
  return exitCode;
}

/** The newest release that can be fetched. One that cannot is no difference, and only told when none of them can. */
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

/** All versions of a generation's package that the registry names, other generations' among them. */
export async function listVersions(generation) {
  const { command, args } = npmCommand();
  const view = [...args, 'view', await packageFor(generation), 'versions', '--json'];
  const { stdout } = await promisify(execFile)(command, view, { maxBuffer: 16 * 1024 * 1024 });
  // A package with one version gives it alone.
  return [JSON.parse(stdout)].flat();
}

async function main() {
  if (build() !== 0) return 1;
  const date = new Date().toISOString().slice(0, 10);
  const means = { listVersions, fetch: fetchRelease, play: playGroup, results: readResults(), date };
  return await watchInto(join(root, 'difference.md'), means);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
