import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, onPush, type QueryOutput } from '../../src/contract/contract';
import { DEFAULT_PREFERENCES, Preferences } from '../../src/contract/preferences';
import { attachCore } from '../../src/node/attach-core';
import { openPreferences, readPreferences } from '../../src/node/config/preferences';
import { preferencesPath } from '../../src/node/config/preferences-path';
import { openCore } from '../../src/node/open-core';
import { patiently } from '../support/eventually';
import { tempFolder } from './temp-folder';

async function homeWith(text?: string) {
  const home = await tempFolder();
  if (text !== undefined) await writeFile(preferencesPath(home), text);
  const port = openPreferences(home);
  return { home, port, path: preferencesPath(home), held: () => readFile(preferencesPath(home), 'utf8') };
}

describe('given no preferences yet', () => {
  it('when they are read, then the published defaults hold and nothing is written', async () => {
    const { home, port } = await homeWith();
    const { preferences, rev, problem } = await port.read();
    expect([preferences, rev, problem]).toEqual([Preferences.parse(DEFAULT_PREFERENCES), 'none', null]);
    expect(await readdir(home)).toEqual([]);
  });

  it('when one is changed, then a private file holds that one alone', async () => {
    const { home, port, held, path } = await homeWith();
    const changed = await port.change({ history: { detailDays: 90 } }, 'none');
    expect(changed).toMatchObject({
      ok: true,
      now: { preferences: { history: { detailDays: 90, maxMebibytes: 512 } } },
    });
    expect([await held(), (await stat(path)).mode & 0o777]).toEqual([
      '{\n  "history": { "detailDays": 90 }\n}\n',
      0o600,
    ]);
    expect(await readdir(home)).toEqual(['preferences.json']);
  });
});

describe('given preferences a person has written, some of them for a newer version', () => {
  const WRITTEN =
    '{\n  // a week is enough\n  "history": { "detailDays": 7, "shape": "round" },\n  "hologram": { "on": true }\n}\n';

  it('when two values are changed, then comments and what only the newer version knows stay', async () => {
    const { port, held } = await homeWith(WRITTEN);
    const { rev } = await port.read();
    expect(await port.change({ history: { detailDays: 8 }, notices: { chosen: { N5: true } } }, rev)).toMatchObject({
      ok: true,
      now: { preferences: { notices: { chosen: { N1: true, N5: true, N10: false } } }, problem: null },
    });
    expect(await held()).toBe(
      WRITTEN.replace('"detailDays": 7', '"detailDays": 8').replace(
        '"hologram": { "on": true }\n',
        '"hologram": { "on": true },\n  "notices": { "chosen": { "N5": true } }\n',
      ),
    );
  });

  it('when they have changed since somebody looked, then nothing is written', async () => {
    const { port, held, path } = await homeWith(WRITTEN);
    const { rev } = await port.read();
    await writeFile(path, `${WRITTEN}\n`);
    expect(await port.change({ history: { detailDays: 8 } }, rev)).toEqual({
      ok: false,
      reason: 'The settings changed meanwhile, so nothing was written; review them again.',
    });
    expect(await held()).toBe(`${WRITTEN}\n`);
  });

  it('when twenty change them at once with what they have seen, then one wins and the others are told', async () => {
    const { port, held } = await homeWith(WRITTEN);
    const { rev } = await port.read();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => port.change({ history: { maxMebibytes: 100 + at } }, rev)),
    );
    const won = all.findIndex(({ ok }) => ok);
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(JSON.parse((await held()).replace(/\/\/.*/, ''))).toMatchObject({ history: { maxMebibytes: 100 + won } });
  });

  it('when the file is a link to another place, then it stays one', async () => {
    const { home, port, path } = await homeWith();
    await mkdir(join(home, 'dots'));
    await writeFile(join(home, 'dots', 'p.json'), WRITTEN);
    await symlink(join(home, 'dots', 'p.json'), path);
    const { rev } = await port.read();
    expect(await port.change({ history: { detailDays: 8 } }, rev)).toMatchObject({ ok: true });
    expect(await readFile(join(home, 'dots', 'p.json'), 'utf8')).toContain('"detailDays": 8');
  });

  it('when a change names nothing, then it is refused', async () => {
    const { port, held } = await homeWith(WRITTEN);
    const { rev } = await port.read();
    expect(await port.change({}, rev)).toEqual({ ok: false, reason: 'There is no such setting.' });
    expect(await held()).toBe(WRITTEN);
  });
});

describe('given whoever has to act on preferences', () => {
  it('when a person writes the file by hand, then it is heard with the next look, and each change once', async () => {
    const { home, path } = await homeWith();
    const heard: number[] = [];
    const port = openPreferences(home, ({ preferences }) => heard.push(preferences.history.detailDays));
    const { rev } = await port.read();
    await port.change({ history: { detailDays: 8 } }, rev);
    await port.read();
    await writeFile(path, '{ "history": { "detailDays": 9 } }');
    await port.read();
    expect(heard).toEqual([30, 8, 9]);
  });
});

describe('given a file nobody understands', () => {
  it.each([
    ['{ "history": ', ':1:14: a value is missing.'],
    ['{ "history": { "detailDays": 0 } }', ':1:30: history.detailDays: '],
    [
      '{ "notices": { "quietHours": { "from": "25:00" } } }',
      ':1:40: notices.quietHours.from: expected a time of day such as 22:00.',
    ],
    ['[]', ':1:1: it must be an object in { }.'],
    ['', ':1:1: the file is empty.'],
  ])(
    'when it is %j, then the defaults hold, the problem names its place, and a change never overwrites it',
    async (text, problem) => {
      const { home, port, held, path } = await homeWith(text);
      const read = await readPreferences(home);
      expect(read.preferences).toEqual(Preferences.parse(DEFAULT_PREFERENCES));
      expect(read.problem).toContain(`${path}${problem}`);
      expect(await port.change({ history: { detailDays: 8 } }, read.rev)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('Fix the file first; nothing was changed.'),
      });
      expect(await held()).toBe(text);
    },
  );
});

describe('given an app with two windows', () => {
  it('when one changes a setting, then the other is told that settings have changed, and reads the new one', async () => {
    const { home } = await homeWith();
    const options = { version: '0.1.0', runtime: 'test', env: { UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: home } };
    const core = await openCore(options);
    const viewer = await attachCore(options);
    if (viewer === null) throw new Error('no core runs');
    const ask = async (name: 'settings.get' | 'settings.set', input: unknown) => {
      const reply = await answer(viewer.host.handlers, name, input);
      return reply.ok ? reply.value : reply.reason;
    };
    const before = (await core.host.handlers['snapshot.get'](null)).settings;
    const heard: number[] = [];
    onPush(core.host, 'snapshot', ({ settings }) => heard.push(settings));
    const { rev } = (await ask('settings.get', null)) as QueryOutput<'settings.get'>;
    expect(await ask('settings.set', { patch: { metrics: { enabled: true } }, rev })).toMatchObject({ ok: true });
    await patiently(() => expect(heard.at(-1)).toBeGreaterThan(before));
    expect(await core.host.handlers['settings.get'](null)).toMatchObject({
      preferences: { metrics: { enabled: true } },
    });
    expect(await ask('settings.set', { patch: { history: { detailDays: 0 } }, rev })).toContain('detailDays');
    await viewer.close();
    await core.close();
  });
});
