import fs, { link, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRotatingFile } from '../../../src/node/base/rotating-file';
import { writeReport } from '../../../src/node/data/session-reports';
import { tempFolder } from '../temp-folder';

/** A project beside a folder of the user's with one file in it. */
async function placed() {
  const root = await tempFolder();
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  for (const folder of [join(project, 'logs'), home]) await mkdir(folder, { recursive: true });
  await writeFile(join(home, 'own.log'), 'line of the user\n');
  const faults: string[] = [];
  const log = (name: string, maxBytes = 1_000) =>
    openRotatingFile({
      ...{ path: join(project, name), within: project, maxBytes },
      isOurs: (beginning) => beginning.startsWith('line'),
      onFault: (error) => faults.push((error as Error).message),
    });
  const homeIs = async () => [await readdir(home), await readFile(join(home, 'own.log'), 'utf8')];
  return { project, home, faults, log, homeIs };
}
const UNTOUCHED = [['own.log'], 'line of the user\n'];

/** Once, when a file at a path that ends like this is opened to be written, does something first. */
function beforeOpening(ending: string, act: () => Promise<void>): void {
  const { open } = fs;
  let isDone = false;
  const put = (next: typeof open): void => {
    fs.open = next;
    syncBuiltinESMExports();
  };
  put(async (path, flags, mode) => {
    if (!isDone && String(path).endsWith(ending)) {
      isDone = true;
      await act();
    }
    return await open(path, flags, mode);
  });
  onTestFinished(() => put(open));
}

const desk = { lines: () => ['{"schema":"scorecard/1"}'] } as never;
const report = (project: string, path: string) =>
  writeReport(
    desk,
    {
      ...{ session: 's1', directory: project },
      triage: { isEnabled: true, isOff: false, formats: ['json'], metrics: null, path, isConfined: true },
    },
    {},
  );

describe.skipIf(process.platform === 'win32')('given the log of a project', () => {
  it('when its folders are there or missing, then it is written, and put aside when it is full', async () => {
    const { project, faults, log } = await placed();
    for (const name of ['x.log', 'logs/x.log', 'logs/deep/er/x.log']) {
      const file = log(name, 16);
      for (const line of ['line 1\n', 'line 2\n', 'line 3\n']) file.append(line);
      await file.flush();
      const texts = [`${name}.1`, name].map((each) => readFile(join(project, each), 'utf8'));
      expect(await Promise.all(texts)).toEqual(['line 1\nline 2\n', 'line 3\n']);
    }
    expect(faults).toEqual([]);
  });

  it.each([
    ['a hard link to a file outside', 'logs/x.log', /x\.log has a second name \(a hard link\)$/],
    ['a link to a file outside', 'logs/link.log', /link\.log is a link$/],
    ['below a link that leads out', 'out/x.log', /leads out of the project through a link$/],
    ['below a link that stays inside', 'in/x.log', /leads out of the project through a link$/],
    ['below a file', 'logs/x.log/deep/x.log', /leads out of the project through a link$|ENOTDIR/],
  ])('when it is %s, then nothing is written, and one fault with its own path says so', async (_, name, why) => {
    const { project, home, faults, log, homeIs } = await placed();
    await link(join(home, 'own.log'), join(project, 'logs', 'x.log'));
    await symlink(join(home, 'own.log'), join(project, 'logs', 'link.log'));
    await symlink(home, join(project, 'out'));
    await symlink(join(project, 'logs'), join(project, 'in'));
    const file = log(name);
    file.append('line 1\n');
    await file.flush();
    expect(await homeIs()).toEqual(UNTOUCHED);
    expect(faults).toEqual([expect.stringMatching(why)]);
    expect(faults[0]).toContain(project);
    expect(faults[0]).not.toContain('/proc/');
  });

  it.runIf(process.platform === 'linux').each(['own.log', 'new.log'])(
    'when its folder is swapped for a link after the check, then %s is not written outside',
    async (name) => {
      const { project, home, faults, log, homeIs } = await placed();
      beforeOpening(`/${name}`, async () => {
        await rename(join(project, 'logs'), join(project, 'moved'));
        await symlink(home, join(project, 'logs'));
      });
      const file = log(`logs/${name}`);
      file.append('line 1\n');
      await file.flush();
      expect([await homeIs(), faults]).toEqual([UNTOUCHED, []]);
      expect(await readFile(join(project, 'moved', name), 'utf8')).toBe('line 1\n');
    },
  );
});

describe.skipIf(process.platform === 'win32')('given the report of a project', () => {
  it('when it lies in folders that are missing, then it is written', async () => {
    const { project } = await placed();
    expect(await report(project, 'reports/deep/r.json')).toEqual({ ok: true });
    expect(await readdir(join(project, 'reports', 'deep'))).toEqual(['r.json']);
  });

  it.each(['out/r.json', 'logs/link.json'])('when it is %s, a link, then nothing is written outside', async (path) => {
    const { project, home, homeIs } = await placed();
    await symlink(home, join(project, 'out'));
    await symlink(join(home, 'own.log'), join(project, 'logs', 'link.json'));
    const written = await report(project, path);
    expect(written).toMatchObject({ ok: false, reason: expect.stringContaining(join(project, path)) });
    expect(await homeIs()).toEqual(UNTOUCHED);
  });

  it.runIf(process.platform === 'linux')(
    'when its folder is swapped for a link, then nothing is written outside',
    async () => {
      const { project, home, homeIs } = await placed();
      beforeOpening('/r.json', async () => {
        await rename(join(project, 'logs'), join(project, 'moved'));
        await symlink(home, join(project, 'logs'));
      });
      expect(await report(project, 'logs/r.json')).toEqual({ ok: true });
      expect([await homeIs(), await readdir(join(project, 'moved'))]).toEqual([UNTOUCHED, ['r.json']]);
    },
  );
});
