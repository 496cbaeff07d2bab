import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Budget } from '../../../src/core/budget/ledger';
import type { SpentLine } from '../../../src/core/budget/spent';
import { begunLines } from '../../../src/core/headroom/counted';
import { enteredIn } from '../../../src/core/headroom/entered';
import { eraseData } from '../../../src/node/data/own-data';
import { openSpending } from '../../../src/node/data/spending';
import { damagedLines } from '../../../src/node/data/spending-files';

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

  it('when a day ends while much of it is still to be written, then that is awaited as well', async () => {
    const one = open();
    for (let number = 0; number < 500; number++) one.add(step(1, NOW - DAY));
    one.add(step(2));
    await one.flush();
    expect((await readFile(join(home, 'spent-2026-11-26.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(500);
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

describe('given the same ledger, and limits that a person has entered', () => {
  const limitsOf = (...a: NonNullable<NonNullable<Parameters<typeof enteredIn>[0]['headroom']>['limits']>[string]) =>
    enteredIn({ headroom: { limits: { a } } });
  const DAY_LIMIT = limitsOf({ requests: 9, per: 'day' });
  const FIVE_HOURS = limitsOf({ tokens: 900, hours: 5 });
  const usedOf = async (of: ReturnType<typeof open>, limits = DAY_LIMIT) => {
    await of.refresh(limits);
    return of.countLimits(limits, NOW).map(({ used }) => used);
  };
  const fileOf = (at: number) => join(home, `spent-${new Date(at).toISOString().slice(0, 10)}.jsonl`);
  const write = (at: number, cost = 0) => appendFile(fileOf(at), `${JSON.stringify(step(cost, at))}\n`);

  it('when two processes write, one is killed in a line, and a third starts later, then each counts the same', async () => {
    const [one, other] = [open(), open()];
    one.add(step(1));
    other.add(step(2));
    await Promise.all([one.flush(), other.flush()]);
    await appendFile(fileOf(NOW), JSON.stringify(step(8)).slice(0, 40));
    const third = open();
    third.add(step(4));
    await third.flush();
    expect([await usedOf(one), await usedOf(other), await usedOf(open())]).toEqual([[3], [3], [3]]);
    expect(await usedOf(open(), FIVE_HOURS)).toEqual([30]);
  });

  it('when they need only some days, then only those are read; when a longer one or a budget comes, all of what that needs', async () => {
    for (const days of [0, 1, 2, 20, 30]) await write(NOW - days * DAY, 1);
    // What is not read cannot be wrong: older files are folders here.
    await mkdir(fileOf(NOW - 25 * DAY));
    const one = open();
    expect(await usedOf(one)).toEqual([1]);
    expect(one.count([WEEK], NOW)[0]?.spent).toBe(1);
    expect(await usedOf(one, limitsOf({ requests: 9, per: 'week' }))).toEqual([3]);
    expect(await usedOf(one, limitsOf({ requests: 9, per: 'month', resets: 28 }))).toEqual([5]);
    expect(await spent(one)).toBe(3);
    expect(await usedOf(one)).toEqual([1]);
  });

  it('when a month of 31 days is nearly over, then its first day still counts, here and after a restart', async () => {
    const last = Date.UTC(2027, 0, 31, 22);
    const one = openSpending(
      home,
      () => undefined,
      () => last,
    );
    await write(Date.UTC(2027, 0, 1, 1));
    // Whoever writes removes what is older than anybody looks back.
    one.add(step(1, last));
    await one.flush();
    await expect.poll(async () => (await readdir(home)).length).toBe(2);
    const month = limitsOf({ requests: 9, per: 'month' });
    await one.refresh(month);
    expect(one.countLimits(month, last)).toMatchObject([{ used: 2 }]);
  });

  it('when a window of some hours has begun, then that is written down, and whoever comes later begins there', async () => {
    const one = open();
    await write(NOW - 2 * 3_600_000);
    const count = async (of: ReturnType<typeof open>) => {
      await of.refresh(FIVE_HOURS);
      return of.countLimits(FIVE_HOURS, NOW);
    };
    const found = await count(one);
    expect(found).toMatchObject([{ beganAt: NOW - 2 * 3_600_000, isNoted: false }]);
    for (const line of begunLines(found, NOW)) one.add(line);
    await one.flush();
    // An older line that was lost, and is found again, does not move it.
    await write(NOW - 6 * 3_600_000);
    expect(await count(open())).toMatchObject([{ beganAt: NOW - 2 * 3_600_000, isNoted: true, used: 10 }]);
    expect([await spent(open()), begunLines(await count(one), NOW)]).toEqual([0, []]);
  });

  it('when what is recorded is erased, then nothing is used', async () => {
    const one = open();
    one.add(step(1));
    expect(await usedOf(one)).toEqual([1]);
    await eraseData(home);
    expect(await usedOf(one)).toEqual([0]);
  });
});

describe('given a ledger that a clock was ahead for', () => {
  const DAY_BUDGET: Budget = { ...WEEK, period: 'day', limit: 10 };
  const countAt = async (now: number) => {
    const of = openSpending(
      home,
      () => undefined,
      () => now,
    );
    await of.refresh();
    return of.count([DAY_BUDGET], now)[0]?.spent;
  };

  it.each([48, 100, 240, 480])(
    'when the clock was %s h ahead and is put right, then the money counts today',
    async (hours) => {
      const ahead = openSpending(home, () => undefined);
      ahead.add(step(4.5, NOW + hours * 3_600_000));
      ahead.add(step(0.5));
      await ahead.flush();
      expect([await countAt(NOW), await countAt(NOW + 60_000)]).toEqual([5, 5]);
      expect([await countAt(NOW + DAY), await countAt(NOW + 40 * 3_600_000)]).toEqual([0, 0]);
    },
  );

  it('when two processes find it at once, then it counts once in both', async () => {
    const ahead = open();
    ahead.add(step(4.5, NOW + 3 * DAY));
    await ahead.flush();
    expect(await Promise.all([countAt(NOW), countAt(NOW)])).toEqual([4.5, 4.5]);
    expect(await countAt(NOW)).toBe(4.5);
  });

  it('when the clock was right and only put back for a while, then the money counts on its own day', async () => {
    const right = open();
    right.add(step(4.5));
    await right.flush();
    expect([await countAt(NOW - 3 * DAY), await countAt(NOW)]).toEqual([4.5, 4.5]);
  });
});

describe('given a damaged line in a ledger', () => {
  const whole = JSON.stringify(step(1));
  it.each([
    ['an endless number', whole.replace('"cost":1', '"cost":1e999')],
    ['a number beyond any price', whole.replace('"cost":1', '"cost":1e300')],
    ['no number', whole.replace('"cost":1', '"cost":"x"')],
    ['tokens beyond any answer', whole.replace('"tokens":10', '"tokens":1e308')],
    ['a negative price', whole.replace('"cost":1', '"cost":-3')],
    ['zeros', '\0'.repeat(200)],
    ['half a line', whole.slice(0, 60)],
    ['two lines in one', whole + whole],
  ])('when it holds %s, then it is named with its line, and the rest counts', async (_, damaged) => {
    const path = join(home, 'spent-2026-11-27.jsonl');
    await writeFile(path, `${whole}\n${damaged}\n${whole}\n`);
    const of = open();
    expect(await spent(of)).toBe(2);
    expect(await damagedLines(home)).toEqual([`${path}:2`]);
  });

  it('when nothing is damaged and a line is of a kind to come, then nothing is named', async () => {
    await writeFile(join(home, 'spent-2026-11-27.jsonl'), `${whole}\n{"at":1,"later":true}\n`);
    expect(await damagedLines(home)).toEqual([]);
  });
});
