// `npm test`: everything that must hold: the checks, the build, and the promises on a real OpenCode and a real browser.
import process from 'node:process';
import { check, run, vitest } from './check.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from './ensure-opencode.mjs';

/** The promises, and beside them, one at a time, the tests that mostly wait: one is heard while it runs, the other after. */
async function playAll(args) {
  const promises = run('end-to-end tests', [...vitest('e2e'), ...args], { live: true });
  const beside = [...vitest('long'), '--reporter', 'dot', '--maxWorkers', '1', ...args, '--passWithNoTests'];
  const codes = await Promise.all([promises, run('long tests', beside, { after: promises })]);
  return codes.find((code) => code !== 0) ?? 0;
}

// What the end-to-end tests drive is fetched while the checks run. Whatever fails here is tried again by their own set-up,
// which says why.
const fetched = Promise.allSettled([ensureOpencode(), ensureOpencode2(), ensureChromium()]);
const code = await check({ isWhole: true });
await fetched;
process.exitCode = code || (await playAll(process.argv.slice(2)));
