// `npm run bench -- [engine] [app] [panel] [store] [switch] [startup]`: speed, measured on the built product and beside its peers in the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode } from './ensure-opencode.mjs';

const root = join(import.meta.dirname, '..');
const node = (script, args, env = {}) =>
  spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    .status ?? 1;

async function main(suites) {
  if (!isBuilt(root)) {
    const code = build();
    if (code !== 0) return code;
  }
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const bundled = node(vite, ['build', '--config', 'vite.node.config.ts', '--mode', 'bench', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });
  if (bundled !== 0) return bundled;
  const needs = (...names) => suites.length === 0 || names.some((name) => suites.includes(name));
  const env = {
    ...(needs('switch', 'startup') ? { OPENCODE_BIN: await ensureOpencode() } : {}),
    ...(needs('panel') ? { CHROMIUM_BIN: await ensureChromium() } : {}),
  };
  return node(join(root, '.cache', 'bench', 'bench.js'), suites, env);
}

process.exitCode = await main(process.argv.slice(2));
