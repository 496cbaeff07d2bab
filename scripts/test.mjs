// `npm test`: everything that must hold: the checks, the build, and the promises on a real OpenCode and a real browser.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { check } from './check.mjs';

const root = join(import.meta.dirname, '..');

function endToEnd(args) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const result = spawnSync(process.execPath, [vitest, 'run', '--project', 'e2e', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return result.status ?? 1;
}

process.exitCode = (await check({ isWhole: true })) || endToEnd(process.argv.slice(2));
