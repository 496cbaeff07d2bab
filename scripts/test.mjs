// `npm test`: everything that must hold: the checks, the build, and the promises on a real OpenCode and a real browser.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { check } from './check.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from './ensure-opencode.mjs';

const root = join(import.meta.dirname, '..');

function endToEnd(args) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const result = spawnSync(process.execPath, [vitest, 'run', '--project', 'e2e', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return result.status ?? 1;
}

// What the end-to-end tests drive is fetched while the checks run. Whatever fails here is tried again by their own set-up,
// which says why.
const fetched = Promise.allSettled([ensureOpencode(), ensureOpencode2(), ensureChromium()]);
const code = await check({ isWhole: true });
await fetched;
process.exitCode = code || endToEnd(process.argv.slice(2));
