import { afterAll, describe, expect, it } from 'vitest';
import type { UsageAnswer, UsageQuestion } from '../../../src/contract';
import { openDatabase } from '../../../src/node/store/driver';
import { keepSteps } from '../../../src/node/store/keep';
import { sampleUsage } from '../../support/sample-usage';
import { openUsageCore } from '../../support/usage-core';
import { GPT, NOW, SONNET } from '../../support/usage-story';

const DAY_MS = 86_400_000;
const UTC = { timeZone: 'UTC', splitBy: 'position' } as const;

type Opened = Awaited<ReturnType<typeof openUsageCore>>;
const open: Opened[] = [];
afterAll(() => Promise.all(open.map(({ close }) => close())));

/** A history of its own, for who changes it. */
async function ownHistory(days?: number) {
  const { core, close, path } = await openUsageCore(days);
  open.push({ core, close, path });
  const ask = async (range: UsageQuestion['range'], over: Partial<UsageQuestion> = {}): Promise<UsageAnswer> =>
    core.host.handlers['usage.get']({ ...UTC, range, ...over });
  return { core, ask, path };
}

let shared: ReturnType<typeof ownHistory> | undefined;
/** Two weeks that all read; they take a while to be lived. */
const opened = () => {
  shared ??= ownHistory();
  return shared;
};

describe('given two weeks of work with understudies', () => {
  const recount = sampleUsage();

  it.each([
    { kind: 'days', days: 1 },
    { kind: 'days', days: 7 },
    { kind: 'all' },
    { kind: 'session', session: 'ses_3' },
    { kind: 'custom', from: '2026-09-10', to: '2026-09-12' },
  ] as const)('when $kind $days is asked, then its figures are those of the scorecard', async (range) => {
    const { ask, core } = await opened();
    const usage = await ask(range);
    const within = usage.range && { sinceMs: usage.range.sinceMs, untilMs: usage.range.untilMs };
    const { totals } = await core.host.handlers['scorecard.get'](
      range.kind === 'session' ? { session: range.session } : { ...within },
    );
    expect(totals.totalCalls).toBeGreaterThan(0);
    expect(usage.totals).toMatchObject({
      attempts: totals.totalCalls,
      answered: totals.successes,
      failed: totals.failures,
      tokens: totals.tokens,
      cost: { total: totals.cost.total, pricedShare: totals.cost.pricedShare },
      answer: { p50Ms: totals.p50Ms, p95Ms: totals.p95Ms },
      firstToken: totals.firstToken,
    });
    expect(usage.turns.firstTryRate).toBe(totals.turns.firstTryRate);
  });

  it.each(['position', 'model', 'provider', 'agent'] as const)(
    'when it is split by %s, then rows, parts of points and points each add up to the whole',
    async (splitBy) => {
      const { ask } = await opened();
      const usage = await ask({ kind: 'all' }, { splitBy });
      const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
      const { attempts, tokens } = usage.totals;
      expect(sum(usage.rows.map((row) => row.attempts))).toBe(attempts);
      expect(sum(usage.rows.map((row) => row.tokens?.input ?? 0))).toBe(tokens?.input);
      expect(sum(usage.rows.map((row) => Math.round(Number(row.cost.total) * 1e9)))).toBe(
        Math.round(Number(usage.totals.cost.total) * 1e9),
      );
      expect(sum(usage.points.map((point) => point.figures?.attempts ?? 0))).toBe(attempts);
      expect(sum(usage.points.flatMap((point) => point.parts.map((part) => part.attempts)))).toBe(attempts);
      expect(sum(usage.hours.flat().map((count) => count ?? 0))).toBe(attempts);
      expect(sum(usage.rows.map((row) => row.fallback?.past ?? 0))).toBe(usage.totals.fallback?.past);
    },
  );

  it.each(['position', 'model', 'provider', 'agent'] as const)(
    'when it is split by %s, then the database says what counting every row anew says, of all and of a session',
    async (splitBy) => {
      const { ask } = await opened();
      for (const range of [{ kind: 'all' }, { kind: 'session', session: 'ses_5' }] as const)
        expect(await ask(range, { splitBy })).toEqual(await recount.get({ range, splitBy, timeZone: 'UTC' }));
    },
  );

  it('when it is split by model, then times are known, and the one most asked as a primary leads the series', async () => {
    const { ask } = await opened();
    const { rows, series } = await ask({ kind: 'all' }, { splitBy: 'model' });
    expect(rows.every(({ answer }) => answer?.p50Ms !== null)).toBe(true);
    expect([SONNET, GPT]).toContain(series[0]?.name);
  });

  it('when positions are asked, then they stand in their order, and the first is past no primary', async () => {
    const { ask } = await opened();
    const { rows, series } = await ask({ kind: 'all' });
    expect(rows.map(({ name }) => name)).toEqual(['0', '1']);
    expect(series).toEqual([{ name: '0' }, { name: '1' }]);
    expect(rows[0]?.fallback?.past).toBe(0);
    expect(rows[1]?.fallback?.past).toBe(rows[1]?.attempts);
    expect(rows[0]?.answer).toBeNull();
  });

  it('when nothing was done on some days of a range, then they are zero, though only these days are read', async () => {
    const { ask } = await opened();
    const usage = await ask({ kind: 'custom', from: '2026-09-12', to: '2026-09-13' });
    const early = usage.points[0]?.figures;
    expect([early?.attempts, early?.tokens]).toEqual([0, null]);
    expect(usage.keptSinceMs).toBeLessThan(usage.range?.sinceMs ?? 0);
  });

  it('when a range begins before anything is kept, then those days are missing, not zero', async () => {
    const { ask } = await ownHistory(3);
    const { points, hours } = await ask({ kind: 'days', days: 30 });
    expect(points).toHaveLength(30);
    expect(points.filter(({ figures }) => figures === null)).toHaveLength(27);
    expect(hours.flat().filter((count) => count !== null).length).toBeLessThan(72);
  });

  it.each(['agent', 'position'] as const)(
    'when the detail of the first nine days is given up, then usage by %s is what it was',
    async (splitBy) => {
      const { ask, path } = await ownHistory();
      const before = await ask({ kind: 'all' }, { splitBy });
      const database = openDatabase(path);
      if (!database) throw new Error('no SQLite here');
      for (const _ of keepSteps(database, NOW, { detailDays: 5, maxBytes: 1e9 }));
      expect(database.all('SELECT min(at) >= ? AS isGone FROM attempts', [NOW - 6 * DAY_MS])).toEqual([{ isGone: 1 }]);
      database.close();
      expect(await ask({ kind: 'all' }, { splitBy })).toEqual(before);
    },
  );

  it('when a part is exported, then the file has exactly the figures of the answer', async () => {
    const { ask, core } = await opened();
    const usage = await ask({ kind: 'all' }, { splitBy: 'model' });
    const give = core.host.handlers['usage.export'];
    const csv = await give({ ...usage.question, part: 'split', format: 'csv' });
    expect(csv.name).toBe('understudy-usage-split-all.csv');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^name,attempts,answered,failed,pastPrimary,fallbackShare,input,/);
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual(
      usage.rows.map(({ name, attempts }) => [name, String(attempts)]),
    );
    const { text } = await give({ ...usage.question, part: 'tokens', format: 'json' });
    const { rows, generatedAt } = JSON.parse(text);
    expect(generatedAt).toBe(new Date(NOW).toISOString());
    expect(rows.map((row: { input: number }) => row.input)).toEqual(
      usage.points.map(({ figures }) => figures?.tokens?.input ?? null),
    );
  });
});
