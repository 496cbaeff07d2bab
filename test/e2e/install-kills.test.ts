import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companionParts } from '../../scripts/npm-package.mjs';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { stateHome } from '../../src/node/base/state-home';
import { NIGHTLY } from '../support/nightly';
import { type Packed, pack, packNext } from '../support/npm-package';
import { createNpmUser, type NpmUser } from '../support/npm-user';
import { opencodeBinary } from '../support/opencode-binary';

const LIMIT_MS = 600_000;
const KILLER = join(import.meta.dirname, '..', 'support', 'kill-at.mjs');
const MOMENTS = 10;
/** The address of a port without a listener: nothing is fetched here. */
const NO_REGISTRY = 'http://127.0.0.1:9';

let scratch: string;
let provider: ScriptedProvider;
let now: Packed;
let next: Packed;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'us-kills-'));
  [now, next, provider] = [await pack(scratch), await packNext(scratch), await startScriptedProvider()];
}, LIMIT_MS);
afterAll(async () => {
  await provider?.close();
  await rm(scratch, { recursive: true, force: true });
});

const newUser = async (): Promise<NpmUser> =>
  createNpmUser({ binary: await opencodeBinary(), provider: provider.url, registry: NO_REGISTRY });

const programOf = ({ folder }: Packed): string => join(folder, 'cli', 'understudy.js');
const run = (user: NpmUser, version: Packed, ...words: readonly string[]) =>
  user.run(process.execPath, [programOf(version), ...words]);

/** Runs `install` up to a change on the disk; 0 for a whole run. @returns how many changes a whole run made. */
async function installUpTo(user: NpmUser, version: Packed, change: number): Promise<number> {
  const words = ['--import', pathToFileURL(KILLER).href, programOf(version), 'install'];
  const ran = await user.run('/usr/bin/env', [`KILL_AT=${change}`, process.execPath, ...words]);
  if (change > 0) {
    expect(ran.code).not.toBe(0);
    return 0;
  }
  expect(ran.code).toBe(0);
  return Number(/changes: (\d+)/.exec(ran.err)?.[1]);
}

/** Ten changes of so many, the first and the last among them. */
const momentsOf = (changes: number): readonly number[] =>
  Array.from({ length: MOMENTS }, (_, at) => 1 + Math.round((at * (changes - 1)) / (MOMENTS - 1)));

/** The version whose files lie in place, entry and every part; null where a file is missing or is another. */
async function wholeVersion(user: NpmUser): Promise<string | null> {
  const installed = join(stateHome(user.sandbox.env), 'plugin');
  const entry = await readFile(join(installed, 'opencode-understudy.js'), 'utf8').catch(() => null);
  for (const { folder, manifest } of [now, next]) {
    const plugin = join(folder, 'plugin');
    if ((await readFile(join(plugin, 'opencode-understudy.js'), 'utf8')) !== entry) continue;
    const parts = companionParts(plugin);
    const names = (await readdir(join(plugin, parts))).toSorted();
    for (const name of names) {
      const bytes = await readFile(join(installed, parts, name)).catch(() => null);
      if (!bytes?.equals(await readFile(join(plugin, parts, name)))) return null;
    }
    return manifest.version;
  }
  return null;
}

const isNamed = async (user: NpmUser): Promise<boolean> => {
  const folder = join(user.sandbox.env.XDG_CONFIG_HOME ?? '', 'opencode');
  const texts = await Promise.all(
    ['opencode.json', 'opencode.jsonc'].map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts.some((text) => text.includes('opencode-understudy'));
};

describe('given install, killed at ten moments', () => {
  it('when nothing was installed before, then OpenCode starts with all of it or none, and install again repairs it', {
    ...NIGHTLY,
    timeout: LIMIT_MS,
  }, async () => {
    const whole = await newUser();
    const changes = await installUpTo(whole, now, 0);
    await whole.close();
    const seen: string[] = [];
    for (const moment of momentsOf(changes)) {
      const user = await newUser();
      expect((await run(user, now, 'chains', 'set', '*', 'beta/understudy-model', '--global', '--create')).code).toBe(
        0,
      );
      await installUpTo(user, now, moment);
      const named = await isNamed(user);
      if (named) expect(await wholeVersion(user)).toBe(now.manifest.version);
      provider.clear();
      provider.script('lead-model', [{ kind: 'status', status: 401 }]);
      provider.script('understudy-model', [{ kind: 'text', text: 'SAVED' }]);
      const turn = await user.opencode('run', 'One');
      expect([moment, turn.out.includes('SAVED')]).toEqual([moment, named]);
      expect((await run(user, now, 'install')).code).toBe(0);
      expect([await isNamed(user), await wholeVersion(user)]).toEqual([true, now.manifest.version]);
      seen.push(named ? 'complete' : 'absent');
      await user.close();
    }
    console.info(`Killed before ${MOMENTS} of ${changes} changes: ${seen.join(', ')}`);
    expect([seen.length, [...new Set(seen)].toSorted()]).toEqual([MOMENTS, ['absent', 'complete']]);
  });

  it('when a version was installed before, then one of the two is whole, and install again brings the next', {
    ...NIGHTLY,
    timeout: LIMIT_MS,
  }, async () => {
    const whole = await newUser();
    await installUpTo(whole, now, 0);
    const changes = await installUpTo(whole, next, 0);
    await whole.close();
    const found: (string | null)[] = [];
    for (const moment of momentsOf(changes)) {
      const user = await newUser();
      await installUpTo(user, now, 0);
      await installUpTo(user, next, moment);
      expect(await isNamed(user)).toBe(true);
      found.push(await wholeVersion(user));
      expect((await run(user, next, 'install')).code).toBe(0);
      expect(await wholeVersion(user)).toBe(next.manifest.version);
      await user.close();
    }
    expect(found).toHaveLength(MOMENTS);
    expect([...new Set(found)].toSorted()).toEqual([now.manifest.version, next.manifest.version]);
  });
});
