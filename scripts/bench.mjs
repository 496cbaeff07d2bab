// `npm run bench -- [engine] [app] [desktop] [fleet] [headroom] [panel] [ranking] [store] [switch] [startup] [memory]
// [healthy] [looks]`: measures speed on the build and its peers in the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from './ensure-opencode.mjs';

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
  const needs = (...names) => suites.length === 0 || names.some((name) => suites.includes(name));
  for (const mode of ['bench', ...(needs('desktop') ? ['stand-in'] : [])]) {
    const args = ['build', '--config', 'vite.node.config.ts', '--mode', mode, '--logLevel', 'warn'];
    const bundled = node(vite, args, { NODE_ENV: 'production' });
    if (bundled !== 0) return bundled;
  }
  const env = {
    ...(needs('switch', 'startup', 'memory', 'healthy', 'looks')
      ? { OPENCODE_BIN: await ensureOpencode(), ...(await second()) }
      : {}),
    ...(needs('panel', 'store') ? { CHROMIUM_BIN: await ensureChromium() } : {}),
  };
  return node(join(root, '.cache', 'bench', 'bench.js'), suites, env);
}

async function second() {
  try {
    return { OPENCODE2_BIN: await ensureOpencode2() };
  } catch (error) {
    console.warn(`No OpenCode 2 is measured: ${error.message}`);
    return {};
  }
}

process.exitCode = await main(process.argv.slice(2));
