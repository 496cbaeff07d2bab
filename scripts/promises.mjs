// Tests for every release of OpenCode, and the conversion of results to docs/releases.md. scripts/play-release.mjs
// runs them.
import { OPENCODE_VERSION, OPENCODE2_VERSION } from './ensure-opencode.mjs';

/** Releases in docs/releases.md, by generation: both ends of the supported range, and common ones. */
export const RELEASES = [
  { generation: 1, versions: ['1.17.19', '1.18.3', '1.18.33', OPENCODE_VERSION] },
  { generation: 2, versions: [OPENCODE2_VERSION] },
];

/** All but the newest of each generation, for a nightly workflow. */
export const OLDER = RELEASES.flatMap(({ versions }) => versions.slice(0, -1));

/** For both generations. */
const DEMO = { name: 'demo', says: '`understudy demo --once` succeeds', limitMinutes: 2 };

/**
 * Groups of a generation in order. Without `file` it is the demo; `pattern` selects tests by name; `says` explains it
 * in the table. All limits together fit into one job of the watch: about four times the time on two cores.
 */
export const GROUPS = [
  { generation: 1, ...DEMO },
  {
    generation: 1,
    name: 'facts',
    says: 'OpenCode without Understudy',
    file: 'test/e2e/opencode-facts.test.ts',
    limitMinutes: 3,
  },
  {
    generation: 1,
    name: 'turns',
    says: 'sub-agents, chains, exhaustion, stops, broken configurations',
    file: 'test/e2e/turns.test.ts',
    limitMinutes: 5,
  },
  {
    generation: 1,
    name: 'matrix',
    says: 'every failure, place and wire',
    file: 'test/e2e/matrix.test.ts',
    limitMinutes: 12,
  },
  {
    generation: 1,
    name: 'proof',
    says: 'the self-test at the start',
    file: 'test/e2e/self-test.test.ts',
    limitMinutes: 4,
  },
  {
    generation: 1,
    name: 'readme',
    says: 'promises of the README',
    file: 'test/e2e/gauntlet.test.ts',
    pattern: 'OpenCode 1',
    limitMinutes: 3,
  },
  {
    generation: 1,
    name: 'sockets',
    says: 'failures over web sockets',
    file: 'test/e2e/sockets.test.ts',
    pattern: 'OpenCode 1',
    limitMinutes: 4,
  },
  {
    generation: 1,
    name: 'line',
    says: 'status line and toasts',
    file: 'test/e2e/tui.test.ts',
    pattern: 'OpenCode 1',
    limitMinutes: 3,
  },
  {
    generation: 1,
    name: 'logins',
    says: 'failures behind a login plugin',
    file: 'test/e2e/login.test.ts',
    limitMinutes: 11,
  },
  {
    generation: 1,
    name: 'packages',
    says: 'models that cannot start, packages without HTTP',
    file: 'test/e2e/packages.test.ts',
    limitMinutes: 4,
  },
  {
    generation: 1,
    name: 'parts',
    says: 'missing files, two builds at once',
    file: 'test/e2e/parts.test.ts',
    pattern: 'OpenCode 1',
    limitMinutes: 1,
  },
  { generation: 2, ...DEMO },
  {
    generation: 2,
    name: 'facts',
    says: 'OpenCode without Understudy',
    file: 'test/e2e/opencode2-facts.test.ts',
    limitMinutes: 2,
  },
  {
    generation: 2,
    name: 'promises',
    says: 'chains, questions, summaries, exhaustion, stops',
    file: 'test/e2e/opencode2.test.ts',
    pattern: 'real OpenCode 2',
    limitMinutes: 7,
  },
  {
    generation: 2,
    name: 'matrix',
    says: 'every failure, place and wire',
    file: 'test/e2e/matrix2.test.ts',
    limitMinutes: 12,
  },
  {
    generation: 2,
    name: 'journey',
    says: 'installation to uninstallation',
    file: 'test/e2e/opencode2-journey.test.ts',
    limitMinutes: 3,
  },
  {
    generation: 2,
    name: 'readme',
    says: 'promises of the README',
    file: 'test/e2e/gauntlet.test.ts',
    pattern: 'OpenCode 2',
    limitMinutes: 3,
  },
  {
    generation: 2,
    name: 'sockets',
    says: 'failures over web sockets',
    file: 'test/e2e/sockets.test.ts',
    pattern: 'OpenCode 2',
    limitMinutes: 4,
  },
  {
    generation: 2,
    name: 'line',
    says: 'status line and toasts',
    file: 'test/e2e/tui.test.ts',
    pattern: 'OpenCode 2',
    limitMinutes: 3,
  },
  {
    generation: 2,
    name: 'drill',
    says: 'the drill',
    file: 'test/e2e/drill2.test.ts',
    limitMinutes: 3,
  },
  {
    generation: 2,
    name: 'accounts',
    says: 'several accounts of a provider',
    file: 'test/e2e/accounts.test.ts',
    limitMinutes: 3,
  },
  {
    generation: 2,
    name: 'logins',
    says: 'failures behind a login plugin',
    file: 'test/e2e/login2.test.ts',
    limitMinutes: 12,
  },
  {
    generation: 2,
    name: 'packages',
    says: 'models that cannot start, packages without HTTP',
    file: 'test/e2e/packages2.test.ts',
    limitMinutes: 4,
  },
  {
    generation: 2,
    name: 'parts',
    says: 'missing files, two builds at once',
    file: 'test/e2e/parts.test.ts',
    pattern: 'OpenCode 2',
    limitMinutes: 1,
  },
];

/** Number of lines shown of a failure, without code locations. */
const WHY_LINES = 3;
const WHY_LENGTH = 1_000;

/** @returns {number} negative if `a` is older. */
export const order = (a, b) => a.localeCompare(b, 'en', { numeric: true });

/** @returns {number} the generation of a version. @throws RangeError if it is invalid. */
export function generationOf(version) {
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(version) ?? [];
  if (major === undefined) throw new RangeError(`"${version}" is no version such as ${OPENCODE_VERSION}`);
  return Number(major);
}

/**
 * Promises in a vitest `json` report: held, known not to hold (see test/support/known.ts), or failed. Skipped tests
 * are omitted; a file that failed outside its tests is a failure.
 */
export function readReport(report) {
  return report.testResults.flatMap((file) => {
    const promises = file.assertionResults.flatMap(readPromise);
    if (file.status !== 'failed' || promises.some(({ outcome }) => outcome === 'failed')) return promises;
    const why = plain(file.message) || 'its preparation failed';
    return [...promises, { place: 'the file as a whole', title: 'it can be run', outcome: 'failed', why }];
  });
}

function readPromise({ status, ancestorTitles, title, failureMessages, meta }) {
  if (status !== 'passed' && status !== 'failed') return [];
  const place = (ancestorTitles.at(-1) ?? 'the file').replace(/^(?:given|and) /, '');
  if (status === 'failed') return [{ place, title, outcome: 'failed', why: plain(failureMessages[0] ?? '') }];
  return [{ place, title, outcome: meta?.known ? 'known' : 'held', why: meta?.known ?? '' }];
}

/** The first lines of an output, without colours and code locations. */
export function plain(text) {
  const lines = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
    .replace(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at .+:\d+:\d+\)?$/.test(line));
  const first = lines.slice(0, WHY_LINES).join('\n');
  return first.length > WHY_LENGTH ? `${first.slice(0, WHY_LENGTH)}…` : first;
}

/** Summary of a played group; promises keep the order of the tests. */
export function summaryOf(promises, date) {
  const places = {};
  const whys = { known: {}, failed: {} };
  for (const { place, title, outcome, why } of promises) {
    places[place] ??= { held: 0, known: 0, failed: 0 };
    places[place][outcome] += 1;
    if (outcome !== 'held') whys[outcome][`${place}: ${title}`] = why;
  }
  return { date, places, ...whys };
}

export function totalOf({ places }) {
  const total = { held: 0, known: 0, failed: 0 };
  for (const counts of Object.values(places))
    for (const outcome of Object.keys(total)) total[outcome] += counts[outcome];
  return total;
}

/** @returns the results with this group of a release replaced. */
export function withResult(results, version, group, summary) {
  const versions = { ...results, [version]: { ...results[version], [group]: summary } };
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => order(a, b)));
}

const HEAD = `# Releases of OpenCode

Test results for each release. This command repeats them and writes \`docs/releases.json\` and this page:

\`\`\`sh
npm run soak -- releases                 # everything, half an hour
npm run soak -- releases 1.18.34 facts   # one release, some groups
\`\`\`

Each cell shows **passed / known / failed**. A *known* difference has its reason below. \`npm run watch-opencode\` tests the newest
releases each week.
`;

export function pageOf(results) {
  const generations = [...new Set(GROUPS.map(({ generation }) => generation))];
  return [HEAD, ...generations.map((generation) => sectionOf(results, generation))].join('\n');
}

function sectionOf(results, generation) {
  const versions = Object.keys(results).filter((version) => generationOf(version) === generation);
  const groups = GROUPS.filter((group) => group.generation === generation);
  const played = groups.filter(({ name }) => versions.some((version) => results[version][name]));
  const rows = [
    ['', ...versions],
    ['---', ...versions.map(() => '---:')],
    ...played.flatMap(({ name }) =>
      rowsOf(
        versions.map((version) => results[version][name]),
        name,
      ),
    ),
    ['*seen on*', ...versions.map((version) => dateOf(results[version]))],
  ];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const legend = groups
    .map(({ name, says, file }) => `- **${name}**: ${says}${file ? ` (\`${file}\`)` : ''}`)
    .join('\n');
  const notes = (outcome) => notesOf(results, { versions, groups: played, outcome });
  return [
    `## OpenCode ${generation}\n\n${legend}\n`,
    `${versions.length === 0 ? 'Nothing has been played yet.' : table}\n`,
    ...[notes('known'), notes('failed')].filter((text) => text !== ''),
  ].join('\n');
}

function rowsOf(summaries, name) {
  const places = [...new Set(summaries.flatMap((summary) => Object.keys(summary?.places ?? {})))];
  const all = [`**${name}**`, ...summaries.map((summary) => (summary ? cellOf(totalOf(summary)) : 'not played'))];
  if (places.length < 2) return [all];
  return [
    all,
    ...places.map((place) => [
      cellText(place),
      ...summaries.map((summary) => (summary?.places[place] ? cellOf(summary.places[place]) : '–')),
    ]),
  ];
}

function cellOf({ held, known, failed }) {
  const text = `${held} / ${known} / ${failed}`;
  return failed === 0 ? text : `**${text}**`;
}

/** The oldest day of a group: the whole column holds since then. */
const dateOf = (groups) =>
  Object.values(groups)
    .map(({ date }) => date)
    .sort()[0] ?? '';

const TITLES = { known: 'Known', failed: 'Failed' };

function notesOf(results, { versions, groups, outcome }) {
  const notes = new Map();
  for (const { name } of groups)
    for (const version of versions)
      for (const [promise, why] of Object.entries(results[version][name]?.[outcome] ?? {})) {
        const note = notes.get(`${name} ${promise}`) ?? { name, promise, why, versions: [] };
        notes.set(`${name} ${promise}`, { ...note, versions: [...note.versions, version] });
      }
  if (notes.size === 0) return '';
  const lines = [...notes.values()].map(
    (note) => `- ${note.versions.join(', ')}, **${note.name}**: ${note.promise}\n${quoted(note.why)}`,
  );
  return `${TITLES[outcome]}:\n\n${lines.join('\n')}\n`;
}

const cellText = (text) => text.replaceAll('|', '\\|');

export const quoted = (why) =>
  [
    '  ```text',
    ...(why || 'without a word')
      .replaceAll('```', "'''")
      .split('\n')
      .map((line) => `  ${line}`),
    '  ```',
  ].join('\n');
