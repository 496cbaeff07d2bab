import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as disk from '../../../src/node/base/disk';
import { takeLock } from '../../../src/node/base/file-lock';
import { applyWrite, planWrite } from '../../../src/node/config/config-write';
import { writeReport } from '../../../src/node/data/session-reports';
import { tempFolder } from '../temp-folder';

/** A process that may write in `inside` alone, beside a user's folder with one file. */
async function sealed() {
  const root = await realpath(await tempFolder());
  const [inside, users] = [join(root, 'demo'), join(root, 'user')];
  for (const folder of [inside, users]) await mkdir(folder);
  const theirs = join(users, 'opencode.json');
  await writeFile(theirs, '{}\n');
  onTestFinished(disk.sealTo(inside));
  return { inside, users, theirs };
}

type Doors = Readonly<Record<string, (theirs: string, inside: string) => Promise<unknown>>>;

const DOORS: Doors = {
  writeFile: (theirs) => disk.writeFile(theirs, 'x'),
  'open for writing': (theirs) => disk.open(theirs, 'r+'),
  'open for appending': (theirs) => disk.open(`${theirs}.log`, 'a'),
  'open by number': (theirs) => disk.open(`${theirs}.new`, 0o101),
  rm: (theirs) => disk.rm(theirs),
  rmdir: (theirs) => disk.rmdir(join(theirs, '..')),
  mkdir: (theirs) => disk.mkdir(join(theirs, '..', 'new', 'deep'), { recursive: true }),
  chmod: (theirs) => disk.chmod(theirs, 0o600),
  copyFile: (theirs, inside) => disk.copyFile(join(inside, 'own'), theirs),
  'rename to': (theirs, inside) => disk.rename(join(inside, 'own'), theirs),
  'rename from': (theirs, inside) => disk.rename(theirs, join(inside, 'stolen')),
  link: (theirs, inside) => disk.link(theirs, join(inside, 'second-name')),
  'a link of its own that leads out': async (theirs, inside) => {
    await symlink(theirs, join(inside, 'way-out'));
    await disk.writeFile(join(inside, 'way-out'), 'x');
  },
  'a path that climbs out': (theirs, inside) => disk.writeFile(`${inside}/../user/opencode.json`, theirs),
  'a neighbour that begins with the same name': (_, inside) => disk.writeFile(`${inside}-other`, 'x'),
  'a lock': (theirs) => takeLock(theirs, { realpath: false }),
};

describe('given a process that is sealed to one folder', () => {
  it.each(Object.keys(DOORS))(
    'when something is done outside by %s, then it is refused, and nothing is touched',
    async (name) => {
      const { inside, users, theirs } = await sealed();
      await disk.writeFile(join(inside, 'own'), 'own');
      const before = [await stat(theirs), await stat(users)].map(({ mtimeMs, mode }) => [mtimeMs, mode]);
      const outcome = await (DOORS[name] as Doors[string])(theirs, inside).then(
        () => 'done',
        (error: Error) => error.message,
      );
      expect(outcome).toMatch(/ was not written: it is outside the demo’s folder .*\/demo$/);
      expect([await stat(theirs), await stat(users)].map(({ mtimeMs, mode }) => [mtimeMs, mode])).toEqual(before);
      expect(await readFile(theirs, 'utf8')).toBe('{}\n');
    },
  );

  it('when it writes in its folder, reads outside and wants a temporary folder, then it may, and gets one inside', async () => {
    const { inside, theirs } = await sealed();
    await disk.mkdir(join(inside, 'a', 'b'), { recursive: true });
    await disk.writeFile(join(inside, 'a', 'b', 'c'), 'x');
    await disk.copyFile(theirs, join(inside, 'copy'));
    const file = await disk.open(theirs, 'r');
    expect(await file.readFile('utf8')).toBe('{}\n');
    await file.close();
    expect(await disk.temporaryFolder()).toMatch(new RegExp(`^${inside}/understudy-`));
    await disk.rm(inside, { recursive: true });
  });

  it('when a handler forgets, and plans an edit of a file of the user’s, then the write is refused with the path and why', async () => {
    const { inside, theirs } = await sealed();
    const edit = () => ({ ok: true as const, text: '{ "plugin": [] }\n' });
    const planned = await planWrite({ path: theirs, edit, actor: 'panel', deed: 'forget' });
    expect(planned).toEqual({
      ok: false,
      reason: `${theirs}: it is outside the demo’s folder ${inside}. Nothing was changed.`,
    });
    const plan = { path: theirs, target: theirs, before: Buffer.from('{}\n'), after: Buffer.from('x'), mode: 0o644 };
    const written = await applyWrite({ ...plan, diff: '', actor: 'panel', deed: 'forget' }, join(inside, 'u'));
    expect(written).toMatchObject({ ok: false, reason: expect.stringContaining('is outside the demo’s folder') });
    expect(await readFile(theirs, 'utf8')).toBe('{}\n');
  });

  it('when a configuration wants the report of a session in a folder of the user’s, then there is none', async () => {
    const { users } = await sealed();
    const triage = { isEnabled: true, isConfined: false, path: join(users, 'r.json'), formats: ['json'] as const };
    const desk = { lines: () => ['{}'] } as unknown as Parameters<typeof writeReport>[0];
    const ended = { session: 's', directory: users, triage: triage as never };
    expect(await writeReport(desk, ended, {})).toMatchObject({
      ok: false,
      reason: expect.stringContaining('is outside the demo’s folder'),
    });
  });
});

describe('given a process without a seal', () => {
  it('when it writes anywhere, then it may', async () => {
    const folder = await tempFolder();
    await disk.writeFile(join(folder, 'a'), 'x');
    await disk.rename(join(folder, 'a'), join(folder, 'b'));
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('x');
  });
});
