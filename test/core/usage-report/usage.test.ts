import { afterAll, describe, expect, it } from 'vitest';
import type { UsageAnswer, UsageQuestion } from '../../../src/contract/usage';
import { openDatabase } from '../../../src/node/store/driver';
import { keepSteps } from '../../../src/node/store/keep';
import { sampleUsage } from '../../support/sample-usage';
import { openUsageCore } from '../../support/usage-core';
import { GPT, NOW, SONNET } from '../../support/usage-story';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UTC = { timeZone: 'UTC', splitBy: 'position' } as const;

type Opened = Awaited<ReturnType<typeof openUsageCore>>;
/** What is added up, whoever has kept it: single events, and which projects there were, are no sums. */
const counted = ({ points, projects: _, ...usage }: UsageAnswer) => ({
  ...usage,
  points: points.map(({ resets: _, ...point }) => point),
});

const open: Opened[] = [];
afterAll(() => Promise.all(open.map(({ close }) => close())));

/** A history of its own, for who changes it. */
async function ownHistory(days?: number) {
  const opened = await openUsageCore(days);
  const { core, path, store } = opened;
  open.push(opened);
  const ask = async (range: UsageQuestion['range'], over: Partial<UsageQuestion> = {}): Promise<UsageAnswer> =>
    core.host.handlers['usage.get']({ ...UTC, range, ...over });
  return { core, ask, path, store };
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
      expect(sum(usage.points.flatMap(({ parts }) => parts))).toBe(attempts);
      expect(sum(usage.hours.flat().map((count) => count ?? 0))).toBe(attempts);
      expect(sum(usage.rows.map((row) => row.fallback?.past ?? 0))).toBe(usage.totals.fallback?.past);
    },
  );

  it.each(['position', 'model', 'provider', 'agent'] as const)(
    'when it is split by %s, then the database says what counting every row anew says, of all and of a session',
    async (splitBy) => {
      const { ask } = await opened();
      for (const range of [{ kind: 'all' }, { kind: 'session', session: 'ses_5' }] as const)
        expect(counted(await ask(range, { splitBy }))).toEqual(
          counted(await recount.get({ range, splitBy, timeZone: 'UTC' })),
        );
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
      const after = await ask({ kind: 'all' }, { splitBy });
      expect(counted(after)).toEqual(counted(before));
      // Single events have gone: how often a person reset something is not known of those days, which is not zero.
      expect(before.points.every(({ resets }) => resets === 0)).toBe(true);
      expect(after.points.map(({ resets }) => resets)).toEqual(after.points.map((_, at) => (at < 10 ? null : 0)));
    },
  );

  it('when models are told, then their figures are those of the scorecard, whatever usage is split by', async () => {
    const { ask, core } = await opened();
    const { models } = await core.host.handlers['scorecard.get']({});
    for (const splitBy of ['position', 'model', 'agent'] as const) {
      const usage = await ask({ kind: 'all' }, { splitBy });
      for (const row of models) {
        const { totalCalls, successes, failures, successRate, avgResponseTimeMs, p50Ms, p95Ms } = row;
        expect(usage.models.find(({ model }) => model === row.model)).toMatchObject({
          ...{ totalCalls, successes, failures, successRate, avgResponseTimeMs, p50Ms, p95Ms },
          circuitBreakerActivations: row.circuitBreakerActivations,
          failureReasons: row.failureReasons,
          outcomes: { answered: row.outcomes.success, slow: row.outcomes.slow, skipped: row.turns.spared },
        });
      }
      expect(usage.models).toHaveLength(models.length);
      const question = { range: { kind: 'all' }, timeZone: 'UTC' } as const;
      expect(await core.host.handlers['usage.models'](question)).toEqual({
        question,
        range: usage.range,
        models: usage.models,
      });
    }
  });

  it('when it is asked who stood in for whom, then it is what the scorecard says of switches', async () => {
    const { ask, core } = await opened();
    const { switches } = await core.host.handlers['scorecard.get']({});
    expect((await ask({ kind: 'all' })).standIns).toEqual(switches);
    expect(switches.length).toBeGreaterThan(2);
  });

  it.each(['position', 'model', 'agent'] as const)(
    'when it is split by %s, then the cost of all parts of all points is that of the whole',
    async (splitBy) => {
      const { ask } = await opened();
      const usage = await ask({ kind: 'all' }, { splitBy });
      expect(usage.costBy).toBe(splitBy === 'position' ? 'model' : splitBy);
      const nanos = (cost: string | null): number => Math.round(Number(cost ?? 0) * 1e9);
      const parts = usage.points.flatMap(({ costs }) => costs.map(nanos));
      expect(parts.reduce((a, b) => a + b, 0)).toBe(nanos(usage.totals.cost.total));
      expect(usage.points.every(({ costs }) => costs.length === usage.costs.length)).toBe(true);
    },
  );

  it('when a range has as many days kept before it, then these are beside it, and with one day more they are absent', async () => {
    const { ask } = await opened();
    const { before, range } = await ask({ kind: 'days', days: 6 });
    const span = { kind: 'span', sinceMs: before?.sinceMs ?? 0, untilMs: before?.untilMs ?? 0 } as const;
    expect([before?.sinceMs, before?.untilMs]).toEqual(
      [range?.sinceMs, range?.untilMs].map((at) => (at ?? 0) - 6 * DAY_MS),
    );
    const then = await ask(span);
    expect([before?.totals, before?.turns]).toEqual([then.totals, then.turns]);
    expect(before?.totals.attempts).toBeGreaterThan(0);
    for (const range of [{ kind: 'days', days: 7 }, { kind: 'all' }, { kind: 'session', session: 'ses_5' }] as const)
      expect((await ask(range)).before).toBeNull();
  });

  it('when what was before was imported, then its cost and tokens are told, and that nobody counted its attempts', async () => {
    const { ask, store } = await ownHistory(2);
    const tokens = { input: 10, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const answer = { durationMs: 900, model: GPT, agent: 'build', isAnswer: true, tokens, costNanos: 2e9 };
    await store.takeIn([5, 3].map((days) => ({ ...answer, at: NOW - days * DAY_MS })));
    const { before } = await ask({ kind: 'days', days: 2 });
    expect(before).toMatchObject({
      isWatched: false,
      totals: { attempts: 0, tokens, cost: { total: '2', pricedShare: 1 } },
    });
    expect((await (await opened()).ask({ kind: 'days', days: 6 })).before?.isWatched).toBe(true);
  });

  it('when two projects are asked for one by one, then both together are the whole, and each has its own days', async () => {
    const { ask, core } = await opened();
    const whole = await ask({ kind: 'all' });
    expect(whole.projects.toSorted()).toEqual(['project', 'website']);
    const parts = await Promise.all(whole.projects.map((project) => ask({ kind: 'all' }, { project })));
    const sum = (of: (usage: UsageAnswer) => number): number => parts.reduce((all, usage) => all + of(usage), 0);
    expect(sum(({ totals }) => totals.attempts)).toBe(whole.totals.attempts);
    expect(sum(({ totals }) => totals.fallback?.past ?? 0)).toBe(whole.totals.fallback?.past);
    expect(sum(({ totals }) => totals.tokens?.input ?? 0)).toBe(whole.totals.tokens?.input);
    expect(sum(({ turns }) => turns.total)).toBe(whole.turns.total);
    expect(parts.every(({ totals }) => totals.attempts > 0)).toBe(true);
    const agents = await Promise.all(
      [...whole.projects, undefined].map((project) =>
        core.host.handlers['usage.agents']({
          range: { kind: 'all' },
          timeZone: 'UTC',
          ...(project ? { project } : {}),
        }),
      ),
    );
    const attempts = agents.map((asked) => asked?.agents.reduce((all, row) => all + row.attempts, 0) ?? 0);
    expect([(attempts[0] ?? 0) + (attempts[1] ?? 0), attempts[2]]).toEqual([attempts[2], whole.totals.attempts]);
  });

  it('when agents are asked for, then each has what the scorecard says of it, and percentiles as a model has them', async () => {
    const { core } = await opened();
    const handlers = core.host.handlers;
    const question = { range: { kind: 'all' }, timeZone: 'UTC' } as const;
    const asked = await handlers['usage.agents'](question);
    expect(asked).toEqual({ question, agents: await handlers['scorecard.agents']({}), sinceMs: null });
    expect(asked?.agents.map(({ agent }) => agent)).toEqual(['build', 'plan', 'review']);
    for (const row of asked?.agents ?? []) {
      expect(row.p95Ms).toBeGreaterThanOrEqual(row.p50Ms ?? Number.POSITIVE_INFINITY);
      expect(Object.values(row.failureReasons ?? {}).reduce((a, b) => a + b, 0)).toBe(row.failures);
    }
    const session = await handlers['usage.agents']({ range: { kind: 'session', session: 'ses_5' }, timeZone: 'UTC' });
    expect(session?.agents).toEqual(await handlers['scorecard.agents']({ session: 'ses_5' }));
  });

  it('when some hours of a day are asked for, then it is them alone, hour by hour', async () => {
    const { ask } = await opened();
    const untilMs = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    const usage = await ask({ kind: 'span', sinceMs: untilMs - 3 * HOUR_MS + 1, untilMs: untilMs - 1 });
    expect([usage.step, usage.points.length, usage.range]).toEqual([
      'hour',
      3,
      { sinceMs: untilMs - 3 * HOUR_MS, untilMs },
    ]);
    expect(usage.totals.attempts).toBeGreaterThan(0);
    expect(usage.before?.untilMs).toBe(usage.range?.sinceMs);
  });

  it('when a person resets a model, then the point of that hour says one reset, and no point says zero switches for some', async () => {
    const { ask, core } = await ownHistory(2);
    const counts = async () =>
      (await ask({ kind: 'days', days: 2 })).points.map(({ switches, resets }) => [switches, resets]);
    const before = await counts();
    const { rev } = await core.host.handlers['snapshot.get'](null);
    await core.host.handlers['health.reset']({ target: { all: true }, rev, actor: 'panel' });
    const after = await counts();
    expect(after.map(([, resets]) => resets ?? 0).reduce((a, b) => a + b, 0)).toBe(1);
    expect(after.at(-1)?.[1]).toBe(1);
    expect(after.map(([switches]) => switches)).toEqual(before.map(([switches]) => switches));
    const { totals } = await core.host.handlers['scorecard.get']({});
    expect(after.map(([switches]) => switches ?? 0).reduce((a, b) => a + b, 0)).toBe(totals.fallbacksOut);
  });

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
