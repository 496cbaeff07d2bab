import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../src/node/opencode';
import { copyCompanion } from '../support/built-companion';
import { PACKAGE_FOLDER, type Packed, pack } from '../support/npm-package';
import { type NpmRegistry, startNpmRegistry } from '../support/npm-registry';
import { type Case, openStage, type Stage } from '../support/stage';

const PLUGIN = join(PACKAGE_FOLDER, 'plugin', 'opencode-understudy.js');

let scratch: string;
let packed: Packed;
let registry: NpmRegistry;
let stage: Stage;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'us-npm-'));
  packed = await pack(scratch);
  registry = await startNpmRegistry();
  await registry.publish(packed.tarball, packed.manifest);
  stage = await openStage([], { npm_config_registry: registry.url });
});
afterAll(async () => {
  await stage?.close();
  await registry?.close();
  await rm(scratch, { recursive: true, force: true });
});
beforeEach(() => stage.provider.clear());

/** True if the understudy answers after the lead's failure, which takes the companion. */
async function fallsBack({ directory, ids }: Case): Promise<boolean> {
  const { provider, server } = stage;
  provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
  provider.script(ids[1] ?? '', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
  return textOf(await server.prompt(await server.createSession(directory), { text: 'One' })) === 'UNDERSTUDY ANSWERS';
}

describe('given a real OpenCode', () => {
  it('when nothing of ours is installed, then a failing lead ends the turn', async () => {
    expect(await fallsBack(await stage.makeCase())).toBe(false);
  });

  it('when its configuration names the file, then turns fall back', async () => {
    expect(await fallsBack(await stage.makeCase({ config: { plugin: [pathToFileURL(PLUGIN).href] } }))).toBe(true);
  });

  it.each(['plugin', 'plugins'])(
    'when its files are dropped into .opencode/%s, then turns fall back',
    async (folder) => {
      const place = await stage.makeCase();
      await copyCompanion(join(place.directory, '.opencode', folder), PLUGIN);
      expect(await fallsBack(place)).toBe(true);
    },
  );

  it('when its configuration names the package, then OpenCode installs it from its registry and turns fall back', async () => {
    expect(await fallsBack(await stage.makeCase({ config: { plugin: ['opencode-understudy'] } }))).toBe(true);
    expect(registry.asked()).toContain(`/opencode-understudy/-/opencode-understudy-${packed.manifest.version}.tgz`);
  });
});
