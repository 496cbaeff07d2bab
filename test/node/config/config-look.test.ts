import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configPaths } from '../../../src/node/config/config-files';
import { lookAt, MISSING } from '../../../src/node/config/config-look';
import { loadConfig, openConfig } from '../../../src/node/config/config-reader';
import { hearQuestions } from '../../support/hostile/strays';
import { tempFolder } from '../temp-folder';

const NAMES = ['model-fallback.json', 'model-fallback.jsonc', 'opencode.json', 'opencode.jsonc'];

async function place() {
  const root = await realpath(await tempFolder());
  const project = join(root, 'project');
  const folder = join(project, '.opencode');
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, 'config'));
  const env = { OPENCODE_CONFIG_DIR: join(root, 'config'), UNDERSTUDY_HOME: join(root, 'u') };
  return { root, project, folder, paths: configPaths(project, env), places: NAMES.map((name) => join(folder, name)) };
}

/** How often the file system is asked about a place. */
async function questionsOf(work: () => Promise<unknown>, root: string): Promise<number> {
  let count = 0;
  const end = hearQuestions((_, path) => {
    if (path.startsWith(root)) count++;
  });
  await work();
  end();
  return count;
}

describe('given a project with a folder of OpenCode’s and none of the files that name chains', () => {
  it('when it is read, then the system is asked eleven times at most, the user’s own folder and one above included', async () => {
    const { root, paths } = await place();
    const count = await questionsOf(() => loadConfig(paths), root);
    expect([count > 0, count <= 11]).toEqual([true, true]);
  });

  it('when it is looked at again, then nothing is read, and a file that has come is', async () => {
    const { root, paths, places } = await place();
    const reader = await openConfig(paths);
    expect(await questionsOf(() => reader.refresh(), root)).toBeLessThanOrEqual(10);
    await writeFile(places[1] ?? '', '{ "defaults": { "vendorLock": true } }');
    expect([await reader.refresh(), reader.loaded().sources.project?.path]).toEqual([true, places[1]]);
  });
});

describe.skipIf(process.platform === 'win32')('given places of a project', () => {
  it('when nothing lies there, then that is certain; when something may, then it is not', async () => {
    const { root, project, folder, places } = await place();
    await writeFile(join(folder, 'Opencode.JSON'), '{}');
    await symlink(join(folder, 'nowhere'), places[0] ?? '');
    await symlink(join(root, 'config'), places[1] ?? '');
    const look = lookAt(places, project);
    const marks = await Promise.all(places.map(look));
    const isLetterBlind = await lookAt([])(join(folder, 'opencode.json'));
    expect(marks.map((mark) => mark === MISSING)).toEqual([false, false, isLetterBlind === MISSING, true]);
  });

  it('when their folder is a link that leads out or nowhere, then nothing is said to be missing', async () => {
    const { root, project } = await place();
    await symlink(join(root, 'config'), join(project, 'out'));
    await symlink(join(project, 'none'), join(project, 'dangling'));
    for (const name of ['out', 'dangling']) {
      const places = NAMES.map((file) => join(project, name, file));
      const look = lookAt(places, project);
      expect([name, ...(await Promise.all(places.map(look)))]).not.toContain(MISSING);
    }
  });

  it('when their folder holds more names than are listed, then each place is looked at', async () => {
    const { folder, project, places } = await place();
    for (let at = 0; at <= 200; at++) await writeFile(join(folder, `a${at}`), '');
    await writeFile(places[3] ?? '', '{}');
    const look = lookAt(places, project);
    expect((await Promise.all(places.map(look))).map((mark) => mark === MISSING)).toEqual([true, true, true, false]);
  });
});
