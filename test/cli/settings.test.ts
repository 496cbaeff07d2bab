import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliUser, startApp } from './real-cli';

describe('given a user who changes settings in a terminal', () => {
  it.each([['without a running app'], ['while the app runs']])(
    'when one is set %s, then it lies in the file, and "get" shows all of them',
    async (how) => {
      const user = await cliUser();
      if (how.startsWith('while')) await startApp(user);
      expect(await user.run(['config', 'set', 'history.detailDays', '90'])).toEqual({
        code: 0,
        said: 'history.detailDays is now 90.',
      });
      const { code, said } = await user.run(['config', 'get']);
      expect([code, said]).toEqual([0, expect.stringMatching(/history\.detailDays +90\n/)]);
      expect(said).toMatch(/notices\.quietHours\.from +"22:00"\n/);
      expect(said).toContain('Stored in ~/u/preferences.json.');
      expect(JSON.parse(await readFile(join(user.home, 'preferences.json'), 'utf8'))).toEqual({
        history: { detailDays: 90 },
      });
    },
  );

  it.each([
    ['colour', 'red', "There is no setting 'colour'."],
    ['history', '30', "There is no setting 'history'."],
    ['history.detailDays', 'long', 'history.detailDays: '],
    ['notices.quietHours.from', '25:00', 'expected a time of day such as 22:00'],
  ])('when %s is set to %s, then it ends with 2, says why, and no file is there', async (key, value, why) => {
    const user = await cliUser();
    const { code, said } = await user.run(['config', 'set', key, value]);
    expect([code, said]).toEqual([2, expect.stringContaining(why)]);
    await expect(readFile(join(user.home, 'preferences.json'))).rejects.toThrow('ENOENT');
  });

  it('when the file is broken, then "get" says where and ends with 6, and "set" changes nothing and ends with 5', async () => {
    const user = await cliUser({ 'u/preferences.json': '{' });
    expect(await user.run(['config', 'get'])).toMatchObject({
      code: 6,
      said: expect.stringContaining('~/u/preferences.json:1:2: a closing } is missing.'),
    });
    expect(await user.run(['config', 'set', 'history.detailDays', '90'])).toMatchObject({ code: 5 });
    await writeFile(join(user.home, 'preferences.json'), '{}');
    expect(await user.run(['config', 'set', 'history.detailDays', '90', '--json'])).toMatchObject({ code: 0 });
  });
});
