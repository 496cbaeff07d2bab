import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerLineIn, type SpentLine } from '../../src/core/budget/spent';
import type { EngineEvent, ModelId } from '../../src/engine';
import { openSpending } from '../../src/node/data/spending';
import { createBrain } from '../../src/plugin/base/brain';
import { keepBook } from '../../src/plugin/stores/book';
import type { StoredStep } from '../../src/plugin/stores/reservations';
import { scopeOf } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';

const NOW = Date.UTC(2026, 10, 27, 12);
const MODEL = 'a/m';
const PRICES = { [MODEL]: { priceIn: 3, priceOut: 15 } };
const TOKENS = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
/** No process has this id. */
const DEAD = `${2 ** 22 + 1}-dead`;

async function openBook(home: string, instance: string) {
  const clock = { now: NOW };
  const wall = () => clock.now;
  const brain = createBrain(() => clock.now - NOW);
  const spending = openSpending(home, () => undefined, wall, instance);
  const spendOf = () => ({ input: 1_000, fresh: 200, output: 50, most: 50 });
  const book = keepBook(brain, { home, instance, spending, spendOf, wall, onCounted: () => undefined });
  brain.tell({ type: 'scope.configured', directory: '/p', config: scopeOf([MODEL, 'b/m']) });
  book.list('/p', PRICES);
  const tell = (event: Partial<EngineEvent>) => brain.tell(event as EngineEvent);
  const start = (attempt: string, more: Readonly<{ agent?: string; model?: ModelId }> = {}) =>
    tell({
      ...{ type: 'attempt.started', attempt, turn: 't', session: 's', directory: '/p', agent: 'build', model: MODEL },
      ...{ purpose: 'turn', ...more },
    });
  const use = (cost: number) =>
    brain.note({
      ...{ type: 'usage.recorded', session: 's', turn: 't', agent: 'build', model: MODEL, purpose: 'turn' },
      ...{ directory: '/p', tokens: TOKENS, cost },
    });
  const spent = async () => {
    await spending.refresh();
    const budget = { period: 'day', action: 'warn', provider: null, agent: null, directory: null } as const;
    return spending.count([{ ...budget, limit: 100, maxPrice: null }], wall())[0]?.spent;
  };
  return { book, clock, spending, tell, start, use, spent };
}

async function linesOf(home: string) {
  const names = (await readdir(home)).filter((name) => name.startsWith('spent-'));
  const texts = await Promise.all(names.map((name) => readFile(join(home, name), 'utf8')));
  return texts.flatMap((text) => text.trim().split('\n')).map(ledgerLineIn);
}
const spentLines = async (home: string) =>
  (await linesOf(home)).filter((line): line is SpentLine => line !== null && 'session' in line);

/** 200 fresh tokens for 3 $ a million, 800 cached ones for a tenth of it, and 50 of answer for 15 $. */
const ESTIMATE = (200 * 3 + 800 * 0.3 + 50 * 15) / 1e6;

describe('given a request that is about to leave', () => {
  it('when it has started, then the ledger holds it with its estimate before anything else happens', async () => {
    const home = await tempFolder();
    const { start } = await openBook(home, `${process.pid}-here`);
    start('one');
    const [line] = await linesOf(home);
    expect(line).toMatchObject({ reserved: 'one', model: MODEL, asker: 's', turn: 't' });
    expect(line && 'estimate' in line && line.estimate.cost).toBeCloseTo(ESTIMATE, 9);
  });

  it('when its process lives, then its estimate counts for nothing, and its usage settles it', async () => {
    const { start, use, spent } = await openBook(await tempFolder(), `${process.pid}-here`);
    start('one');
    expect(await spent()).toBe(0);
    use(0.5);
    expect(await spent()).toBe(0.5);
  });

  it('when its process has ended, then its estimate counts in every other one', async () => {
    const home = await tempFolder();
    (await openBook(home, DEAD)).start('one');
    expect(await (await openBook(home, `${process.pid}-here`)).spent()).toBeCloseTo(ESTIMATE, 9);
  });

  it.each([
    ['fails', { type: 'attempt.failed', attempt: 'one', evidence: { phase: 'headers', status: 500 }, durationMs: 1 }],
    ['is no work of an agent', null],
  ] as const)('when it %s, then nothing counts, not even after a kill', async (_, event) => {
    const home = await tempFolder();
    const dead = await openBook(home, DEAD);
    dead.start('one', event === null ? { agent: 'title' } : {});
    if (event) dead.tell(event);
    expect(await (await openBook(home, `${process.pid}-here`)).spent()).toBe(0);
  });

  it('when it was answered and its session rests without usage, then nothing counts', async () => {
    const home = await tempFolder();
    const dead = await openBook(home, DEAD);
    dead.start('one');
    dead.tell({ type: 'attempt.succeeded', attempt: 'one', durationMs: 5, firstTokenMs: 1, outputChars: 3 });
    dead.tell({ type: 'session.idle', session: 's' });
    expect(await (await openBook(home, `${process.pid}-here`)).spent()).toBe(0);
  });
});

describe('given a request that a process left open when it ended', () => {
  const stored = (more: Partial<StoredStep> = {}): StoredStep => ({
    ...{ model: MODEL, agent: 'build', at: NOW + 300, endedAt: undefined, tokens: TOKENS, cost: 0.7, ...more },
  });
  async function restart(steps: readonly StoredStep[] | null, settlers = 1) {
    const home = await tempFolder();
    (await openBook(home, DEAD)).start('one');
    const later = await Promise.all(Array.from({ length: settlers }, (_, n) => openBook(home, `${process.pid}-${n}`)));
    for (const each of later) each.clock.now += 86_400_000;
    await Promise.all(later.map(({ book }) => book.settleLost('/p', async () => steps)));
    return { home, later };
  }

  it('when OpenCode has stored its usage, then that counts, on the day of the request', async () => {
    const { home } = await restart([
      stored({ at: NOW - 30_000, cost: 9 }),
      stored(),
      stored({ model: 'b/m', cost: 8 }),
    ]);
    expect(await spentLines(home)).toMatchObject([{ cost: 0.7, at: NOW, settles: 'one', session: 's' }]);
  });

  it.each([
    ['stored nothing', []],
    ['stored only a step that had ended before', [stored({ at: NOW - 9_000, endedAt: NOW - 1_000 })]],
    ['stored a step without usage', [stored({ tokens: { ...TOKENS, input: 0, output: 0 }, cost: null })]],
  ] as const)('when OpenCode has %s, then the estimate counts for good', async (_, steps) => {
    const { home, later } = await restart(steps);
    expect(await spentLines(home)).toMatchObject([{ at: NOW, settles: 'one' }]);
    await later[0]?.book.settleLost('/p', async () => [stored()]);
    expect(await spentLines(home)).toHaveLength(1);
  });

  it('when OpenCode does not answer, then the next start asks again', async () => {
    const { home, later } = await restart(null);
    expect(await spentLines(home)).toEqual([]);
    await later[0]?.book.settleLost('/p', async () => [stored()]);
    expect(await spentLines(home)).toHaveLength(1);
  });

  it('when another project starts, then it is left to its own', async () => {
    const { home, later } = await restart(null);
    await later[0]?.book.settleLost('/q', async () => [stored()]);
    expect(await spentLines(home)).toEqual([]);
  });

  it('when two processes settle it at once, then it counts once', async () => {
    const { home, later } = await restart([stored()], 2);
    expect(await spentLines(home)).toHaveLength(2);
    for (const each of later) each.clock.now = NOW + 1_000;
    expect(await later[0]?.spent()).toBe(0.7);
  });
});
