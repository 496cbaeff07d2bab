// Lists the tests that a change can reach, for `npm test -- --changed` and `npm run check`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importsIn } from './check-layers.mjs';

/**
 * Features by file name: `sources` matches paths of src, `tests` files of test/e2e. A file of src without a feature
 * can reach every test.
 */
export const FEATURES = {
  council: { sources: /\/council\b/, tests: /^(?:demo-)?council/ },
  ranking: { sources: /\/(?:rank|ranking|proposals?)\b/, tests: /^ranking/ },
  fleet: { sources: /\/fleet\b/, tests: /^fleet/ },
  headroom: {
    sources: /^src\/(?:renderer|core|contract|wording|texts|cli\/commands)\/(?:.*\/)?(?:headroom|budget)\b/,
    tests: /^(?:headroom|budgets|drain|spread|counted-limits|limits)/,
  },
  usage: { sources: /\/usage\b|\/usage-/, tests: /^usage/ },
  sessions: {
    sources: /^src\/(?:renderer\/pages|core|contract|wording|texts)\/(?:sessions|scorecard)\b/,
    tests: /^session|^report/,
  },
  events: { sources: /^src\/renderer\/pages\/events\//, tests: /^events-page/ },
  chains: { sources: /^src\/renderer\/pages\/chains\//, tests: /^(?:chains-journey|panel-hands)/ },
  models: { sources: /^src\/renderer\/pages\/models\//, tests: /^panel-(?:hands|scale)/ },
  now: { sources: /^src\/renderer\/pages\/(?:now|inbox|glance)\//, tests: /^(?:home|panel|panel-hands)\./ },
  settings: { sources: /^src\/renderer\/pages\/settings\//, tests: /^(?:settings|trust)-page/ },
  setup: { sources: /^src\/renderer\/pages\/setup\//, tests: /^setup-page/ },
  notices: { sources: /\/notices?\b/, tests: /^notices/ },
  desktop: { sources: /^src\/(?:main|preload)\//, tests: /^(?:desktop|tray|glance)/ },
  commands: {
    sources: /^src\/cli\/commands\//,
    tests: /^(?:cli|desktop-cli|status-line|import|history|opencode2-journey)\./,
  },
};
/** Tests that a change of any panel page can reach. */
const ANY_PAGE = /^(?:layout|panel-languages)\./;

const featuresOf = (path) =>
  Object.entries(FEATURES)
    .filter(([, { sources }]) => sources.test(path))
    .map(([name]) => name);

/**
 * Features that a file of src can change: its own and those of files that import it, directly or through files with a
 * feature.
 * @param {string} path Such as `src/features/council/rules/run/step.ts`.
 * @param {ReadonlyMap<string, readonly string[]>} imports Imported files by file of src.
 * @returns {readonly string[]
 * null} null: everything.
 */
export function reachOf(path, imports) {
  const reached = new Set();
  const seen = new Set();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const features = featuresOf(next);
    if (features.length === 0) {
      if (next === path) return null;
      continue;
    }
    for (const name of features) reached.add(name);
    for (const [file, targets] of imports) if (targets.includes(next)) waiting.push(file);
  }
  return [...reached].sort();
}

/**
 * End-to-end tests that changed files can reach.
 * @param {readonly string[]} changed Paths below the root.
 * @param {{ imports: ReadonlyMap<string, readonly string[]>, tests: readonly string[] }} tree `tests` are file names
 * in test/e2e.
 * @returns {readonly string[]} file names, sorted.
 */
export function testsFor(changed, { imports, tests }) {
  const chosen = new Set();
  for (const path of changed) {
    const name = /^test\/e2e\/([^/]+)$/.exec(path)?.[1];
    if (name !== undefined) {
      if (tests.includes(name)) chosen.add(name);
    } else if (path.startsWith('src/') || path.startsWith('test/support/')) {
      const features = reachOf(path, imports);
      if (features === null) return tests;
      for (const test of tests) if (features.some((feature) => FEATURES[feature].tests.test(test))) chosen.add(test);
      if (path.startsWith('src/renderer/')) for (const test of tests) if (ANY_PAGE.test(test)) chosen.add(test);
    } else if (canReachEverything(path)) {
      return tests;
    }
  }
  return [...chosen].sort();
}

/** True for build files; documents and unit tests reach no end-to-end test. */
const canReachEverything = (path) => /^(?:resources|scripts)\/|^[^/]*\.(?:ts|json)$/.test(path);

export function changedSince(root, commit) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
    return stdout.split('\n').filter((line) => line !== '');
  };
  return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
}

export function changedTests(root, commit) {
  const tests = readdirSync(join(root, 'test', 'e2e')).filter((name) => name.endsWith('.test.ts'));
  const names = testsFor(changedSince(root, commit), { imports: importsIn(root), tests });
  return names.map((name) => `test/e2e/${name}`);
}

/**
 * Test files by distance from changed files along the imports, the nearest first.
 * @param {readonly string[]} changed Paths below the root.
 * @param {ReadonlyMap<string, readonly string[]>} imports Imported files by file of src and test.
 */
export function nearestTests(changed, imports) {
  const importers = new Map();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  // Iterating a set includes items added meanwhile, in order.
  const reached = new Set(changed.filter((path) => imports.has(path)));
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return [...reached].filter((path) => /\.test\.tsx?$/.test(path) && !/^test\/(?:e2e|soak)\//.test(path));
}
