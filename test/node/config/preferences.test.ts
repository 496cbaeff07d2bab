import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readKeeping } from '../../../src/node/config/preferences';
import { preferencesPath } from '../../../src/node/config/preferences-path';
import { openCore } from '../../../src/node/open-core';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';

const MIB = 1_048_576;
const EVERYTHING = { detailDays: 3_650, maxBytes: 65_536 * MIB };

async function homeWith(text: string): Promise<string> {
  const home = await tempFolder();
  await writeFile(preferencesPath(home), text);
  return home;
}

describe('given the preferences of a state home', () => {
  it('when there are none, then 30 days and 512 MiB are kept', async () => {
    const usual = { keeping: { detailDays: 30, maxBytes: 512 * MIB }, notice: null };
    expect(await readKeeping(await tempFolder())).toEqual(usual);
    expect(await readKeeping(await homeWith('{"theme": "dark"}'))).toEqual(usual);
  });

  it('when they name days alone, then these days are kept and the size stays as it is', async () => {
    expect(await readKeeping(await homeWith('{"history": {"detailDays": 7}}'))).toEqual({
      keeping: { detailDays: 7, maxBytes: 512 * MIB },
      notice: null,
    });
    expect(await readKeeping(await homeWith('{"history": {"maxMebibytes": 64}}'))).toMatchObject({
      keeping: { detailDays: 30, maxBytes: 64 * MIB },
    });
  });

  it.each([
    ['{"history": {"detailDays": 0}}', 'history.detailDays'],
    ['{"history": {"maxMebibytes": "much"}}', 'history.maxMebibytes'],
    ['{"history": 30}', 'history'],
    ['{"history": ', 'preferences.json:1:13: a value is missing'],
  ])('when they are %s, then nothing is given up and the notice names %s', async (text, named) => {
    const { keeping, notice } = await readKeeping(await homeWith(text));
    expect(keeping).toEqual(EVERYTHING);
    expect(notice).toContain('The preferences are invalid');
    expect(notice).toContain(named);
  });

  it('when the app starts with broken ones, then it runs and its events say so', async () => {
    const home = await homeWith('{');
    const core = await openCore({ version: '0.1.0', runtime: 'test', env: { UNDERSTUDY_HOME: home } });
    await patiently(async () => {
      const { events } = await core.host.handlers['snapshot.get'](null);
      expect(events.map(({ detail }) => detail).join()).toContain('The preferences are invalid');
    });
    await core.close();
  });
});
