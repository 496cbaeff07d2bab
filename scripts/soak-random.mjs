// `npm run soak -- random [rounds]`: runs all random tests with a new seed per round. `npm test` uses a fixed seed, so
// that only a change can break it; findings become separate tests.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '..');
const VITEST = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const PROJECTS = ['unit', 'long', 'web'].flatMap((name) => ['--project', name]);
const ROUNDS = 5;
const MAX_SEED = 2 ** 31 - 1;

/**
 * @param {readonly string[]} words
 * @throws RangeError unless they are one positive whole number.
 */
export function roundsOf(words) {
  const [first = String(ROUNDS), ...rest] = words;
  if (rest.length > 0 || !/^[1-9]\d*$/.test(first)) throw new RangeError(`${words.join(' ')}: not a number of rounds`);
  return Number(first);
}

/** @returns {number} the exit code: 1 if a round failed; the others run anyway. */
export function soakRandom(words) {
  const failed = [];
  for (let round = roundsOf(words); round > 0; round -= 1) {
    const seed = String(randomInt(MAX_SEED));
    console.log(`\nseed ${seed}`);
    const { status } = spawnSync(process.execPath, [VITEST, 'run', ...PROJECTS], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, UNDERSTUDY_RUNS: 'all', UNDERSTUDY_SEED: seed },
    });
    if (status !== 0) failed.push(seed);
  }
  for (const seed of failed) console.error(`failed: UNDERSTUDY_RUNS=all UNDERSTUDY_SEED=${seed} npm test`);
  return failed.length === 0 ? 0 : 1;
}
