import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../../src/node/base/inside';
import { tempFolder } from '../temp-folder';

/** Resolves where a path stays in a folder. */
async function ensureInside(folder: string, path: string): Promise<void> {
  if (!(await isInside(folder, path))) throw new Error('it leads out of the project through a link');
}

/** A project beside the rest of a user's files, and links in it. */
async function placed() {
  const root = await tempFolder();
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(join(project, 'logs'), { recursive: true });
  await mkdir(join(root, 'project-of-others'));
  await mkdir(home);
  await writeFile(join(home, 'own.txt'), 'mine');
  const link = (from: string, to: string) => symlink(to, join(project, from));
  await link('out', home);
  await link('in', join(project, 'logs'));
  await link('file.log', join(home, 'own.txt'));
  await link('new.log', join(home, 'new.txt'));
  await link('none.log', join(project, 'nothing.txt'));
  await link('twice', 'out');
  await link('beside', join(root, 'project-of-others'));
  await link('loop.log', 'loop.log');
  await symlink(project, join(root, 'alias'));
  return { root, project };
}

describe.skipIf(process.platform === 'win32')('given a project with links in it', () => {
  it.each(['x.log', 'logs/x.log', 'logs/deep/er/x.log', 'in/x.log', 'in/deep/x.log'])(
    'when %s is to be written, then it may',
    async (name) => {
      const { root, project } = await placed();
      await expect(ensureInside(project, join(project, name))).resolves.toBeUndefined();
      // A project that is itself opened through a link.
      await expect(ensureInside(join(root, 'alias'), join(root, 'alias', name))).resolves.toBeUndefined();
    },
  );

  it.each([
    ['out/x.log', /leads out of the project through a link/],
    ['out/deep/x.log', /leads out of the project through a link/],
    ['twice/x.log', /leads out of the project through a link/],
    ['beside/x.log', /leads out of the project through a link/],
    ['file.log', /leads out of the project through a link/],
    ['new.log', /leads out of the project through a link/],
    ['none.log', /is a link that leads nowhere/],
    ['loop.log', /ELOOP|loop/],
    ['../home/own.txt', /leads out of the project/],
    ['.', /leads out of the project/],
  ])('when %s is to be written, then it is refused', async (name, why) => {
    const { project } = await placed();
    await expect(ensureInside(project, join(project, name))).rejects.toThrow(why);
  });
});
