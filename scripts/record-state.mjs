// `node scripts/record-state.mjs VERSION`: plays a day on both generations of OpenCode and writes
// test/recorded/versions/VERSION. `names` adds new names to test/recorded/names.txt; `surface` writes
// test/recorded/surface.json.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '..');

function test(args, env) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(process.execPath, [vitest, 'run', '--project', ...args], options).status ?? 1;
}

const addNames = () => test(['unit', 'test/recorded/names.test.ts'], { UNDERSTUDY_RECORD_NAMES: '1' });
const record = (version) =>
  build() || test(['soak', 'test/soak/record-state.test.ts'], { UNDERSTUDY_RECORD: version }) || addNames();

const SURFACE = { UNDERSTUDY_RECORD_SURFACE: '1', UNDERSTUDY_NIGHTLY: '1' };
const recordSurface = () =>
  build() ||
  test(['unit', 'test/recorded/surface.test.ts'], SURFACE) ||
  test(['e2e', 'test/e2e/surface.test.ts'], SURFACE);

const [what] = process.argv.slice(2);
if (what === undefined) console.error('Name the version to record, such as 0.2.0, or "names", or "surface".');
process.exitCode =
  what === undefined ? 2 : what === 'names' ? addNames() : what === 'surface' ? recordSurface() : record(what);
