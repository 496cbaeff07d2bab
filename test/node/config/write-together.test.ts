import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listReceipts } from '../../../src/node/config/config-journal';
import { applyWrite, planWrite, type WritePlan, type Written } from '../../../src/node/config/config-write';
import { applyTogether } from '../../../src/node/config/write-together';
import { chainRequest, userFile } from '../config-write-support';

const BEFORE = '{ "agents": { "build": { "fallbackModels": ["a/1"] } } } // mine\n';
const AFTER = BEFORE.replace('["a/1"]', '["b/2", "c/3"]');

/** Three files of one user, and the plans that change them. */
async function threeFiles() {
  const { folder, home, path } = await userFile(BEFORE, 'one.json');
  const paths = [path, join(folder, 'two.json'), join(folder, 'three.json')];
  for (const other of paths.slice(1)) await writeFile(other, BEFORE);
  const plans: WritePlan[] = [];
  for (const one of paths) {
    const planned = await planWrite(chainRequest(one, ['b/2', 'c/3']));
    if (!planned.ok) throw new Error(planned.reason);
    plans.push(planned.plan);
  }
  const contents = (): Promise<string[]> => Promise.all(paths.map((one) => readFile(one, 'utf8')));
  return { home, paths, plans, contents };
}

const deedsIn = async (home: string): Promise<string[]> =>
  (await listReceipts(home)).map(({ deed }) => deed.slice(0, 5));

describe('given three files to be written together', () => {
  it('when each can be, then all are, each with its receipt', async () => {
    const { home, plans, contents } = await threeFiles();
    const written = await applyTogether(plans, home);
    expect([written.ok && written.receipts.map((receipt) => receipt?.path), await contents()]).toEqual([
      plans.map(({ path }) => path),
      [AFTER, AFTER, AFTER],
    ]);
    const groups = new Set((await listReceipts(home)).map(({ group }) => group));
    expect([groups.size, groups.has(undefined)]).toEqual([1, false]);
  });

  it.each([0, 1, 2])(
    'when number %i has changed meanwhile, then it stays so, and the others are as they were',
    async (at) => {
      const { home, paths, plans, contents } = await threeFiles();
      await writeFile(paths[at] ?? '', '{}');
      expect(await applyTogether(plans, home)).toEqual({
        ok: false,
        code: 'changed',
        reason: `${paths[at]} was changed by another program meanwhile, so nothing was written; review it again.`,
      });
      const undone = Array<string>(at).fill('undo ');
      expect([await contents(), await deedsIn(home)]).toEqual([
        paths.map((_, index) => (index === at ? '{}' : BEFORE)),
        [...undone, ...Array<string>(at).fill('chain')],
      ]);
    },
  );

  it('when the last fails and the first cannot be taken back, then it is said which file stays changed', async () => {
    const { home, paths, plans, contents } = await threeFiles();
    const failing = async (plan: WritePlan, place: string): Promise<Written> => {
      if (plan.path !== paths[2]) return await applyWrite(plan, place);
      await writeFile(paths[0] ?? '', '{ "enabled": false }');
      return { ok: false, code: 'failed', reason: 'The disk is full.' };
    };
    const written = await applyTogether(plans, home, failing);
    expect([written.ok ? '' : written.reason, await contents()]).toEqual([
      expect.stringMatching(/^The disk is full\. .*one\.json stays changed: .*one\.json has changed since /),
      ['{ "enabled": false }', BEFORE, BEFORE],
    ]);
  });
});
