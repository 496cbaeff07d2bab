import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Budget } from '../../../src/core/budget/ledger';
import type { SpentLine } from '../../../src/core/budget/spent';
import { eraseData } from '../../../src/node/data/own-data';
import { openSpending } from '../../../src/node/data/spending';

const NOW = Date.UTC(2026, 10, 27, 14);
const DAY = 86_400_000;
const WEEK: Budget = {
  ...{ period: 'week', action: 'warn', provider: null, agent: null, directory: null, limit: 5, maxPrice: null },
};
const step = (cost: number, at = NOW): SpentLine => ({
  ...{ at, for: 'turn', provider: 'a', agent: 'build', directory: '/p', session: 's', tokens: 10, cost },
});

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-spent-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const warned: string[] = [];
const open = () =>
  openSpending(
    home,
    (message) => warned.push(message),
    () => NOW,
  );
const spent = async (of: ReturnType<typeof open>) => {
  await of.refresh();
  return of.count([WEEK], NOW)[0]?.spent;
};

describe('given the ledger of what a user spends', () => {
  it('when two processes write, then each counts what both have spent, and so does a third that starts later', async () => {
    const [one, other] = [open(), open()];
    one.add(step(1));
    other.add(step(2));
    await Promise.all([one.flush(), other.flush()]);
    expect([await spent(one), await spent(other), await spent(open())]).toEqual([3, 3, 3]);
  });

  it('when nothing has been written since, then there is no news, and nothing counts twice', async () => {
    const one = open();
    one.add(step(1));
    expect([await one.refresh(), await one.refresh(), await spent(one)]).toEqual([true, false, 1]);
  });

  it('when a process is killed in the middle of a line, then that line alone is lost', async () => {
    const one = open();
    one.add(step(1));
    await one.flush();
    const [name = ''] = await readdir(home);
    await appendFile(join(home, name), JSON.stringify(step(8)).slice(0, 40));
    const other = open();
    other.add(step(2));
    expect([await spent(other), await spent(one), await spent(open())]).toEqual([3, 3, 3]);
  });

  it('when half a line is read, then it counts as soon as the rest is there', async () => {
    const one = open();
    const line = `${JSON.stringify(step(4))}\n`;
    const path = join(home, 'spent-2026-11-27.jsonl');
    await writeFile(path, line.slice(0, 30));
    expect(await spent(one)).toBe(0);
    await appendFile(path, line.slice(30));
    expect(await spent(one)).toBe(4);
  });

  it('when days go by, then there is a file for each, of 31 days', async () => {
    for (const name of ['spent-2026-10-26.jsonl', 'spent-2026-10-27.jsonl']) await writeFile(join(home, name), '');
    const one = open();
    one.add(step(1, NOW - DAY));
    one.add(step(2));
    expect(await spent(one)).toBe(3);
    await expect
      .poll(async () => (await readdir(home)).toSorted())
      .toEqual(['spent-2026-10-27.jsonl', 'spent-2026-11-26.jsonl', 'spent-2026-11-27.jsonl']);
  });

  it('when what is recorded is erased, then nothing is spent, and what comes later counts', async () => {
    const one = open();
    one.add(step(4));
    expect(await spent(one)).toBe(4);
    expect(await eraseData(home)).toMatchObject({ ok: true, files: ['spent-2026-11-27.jsonl'] });
    expect(await spent(one)).toBe(0);
    one.add(step(1));
    expect(await spent(one)).toBe(1);
  });

  it('when it is written, then it holds figures and names, and nobody else may read it', async () => {
    const one = open();
    one.add(step(0.5));
    await one.flush();
    const text = await readFile(join(home, 'spent-2026-11-27.jsonl'), 'utf8');
    expect(JSON.parse(text)).toEqual(step(0.5));
  });
});
