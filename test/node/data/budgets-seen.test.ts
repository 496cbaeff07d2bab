import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countedAccounts, countedEvent } from '../../../src/core/headroom/counted';
import { enteredIn } from '../../../src/core/headroom/entered';
import { seeBudgets } from '../../../src/node/data/budgets-seen';
import { openSpending } from '../../../src/node/data/spending';
import { COMPANION, configured, openTestCore } from '../../core/virtual-core';

const HOUR = 3_600_000;
const LIMITS = { limits: { kimi: [{ requests: 3, hours: 5 }] } };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-seen-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'model-fallback.json');
const enter = (headroom: unknown) => writeFile(file(), JSON.stringify({ headroom }));

/** An app whose user has entered limits, and a process beside it that uses its ledger. */
async function openApp() {
  const test = openTestCore();
  const { core, clock, log } = test;
  const spending = openSpending(folder, () => undefined, clock.wall);
  const use = async (times: number) => {
    for (let time = 0; time < times; time++)
      spending.add({
        ...{ at: clock.wall(), for: 'turn', provider: 'kimi', agent: 'build', directory: '/p', session: 's' },
        ...{ tokens: 10, cost: null },
      });
    await spending.flush();
  };
  const begin = () =>
    seeBudgets(
      core.host,
      { home: folder, env: { OPENCODE_CONFIG_DIR: folder }, clock },
      {
        budgets: core.toldBudgets,
        limits: core.toldCounted,
      },
    );
  const rows = async () =>
    (await core.host.handlers['snapshot.get'](null)).headroom.flatMap(({ account, windows }) =>
      windows.map(({ used, limit, source, resetAt }) => [
        ...[account, used === null ? null : Math.round(used * 3), limit, source],
        resetAt === null ? null : resetAt - clock.wall(),
      ]),
    );
  /** What the app itself has written down of limits. */
  const own = () => log.filter(({ event, from }) => event.type === 'headroom.counted' && from === null).length;
  return { ...test, spending, use, begin, rows, own };
}

describe('given an app whose user has entered a limit', () => {
  it('when no OpenCode is open, then it counts what the ledger says itself, once, and shows it as an estimate', async () => {
    const app = await openApp();
    await enter(LIMITS);
    await app.use(2);
    const seen = app.begin();
    await expect.poll(app.rows).toEqual([['kimi', 2, 3, 'counted', 5 * HOUR]]);
    for (let time = 0; time < 5; time++) app.clock.advance(1_000);
    await seen.close();
    expect(app.own()).toBe(1);
  });

  it('when a companion has told it, then the app has counted the same, and tells nothing more', async () => {
    const app = await openApp();
    await enter(LIMITS);
    await app.use(2);
    app.core.connected(COMPANION);
    app.tell(configured());
    await app.spending.refresh();
    const limits = enteredIn({ headroom: LIMITS });
    const counted = app.spending.countLimits(limits, app.clock.wall());
    app.tell(countedEvent(countedAccounts(counted, app.clock.wall())));
    const before = await app.rows();
    const seen = app.begin();
    app.clock.advance(1_000);
    await seen.close();
    expect([before, await app.rows(), app.own()]).toEqual([
      [['kimi', 2, 3, 'counted', 5 * HOUR]],
      [['kimi', 2, 3, 'counted', 5 * HOUR - 1_000]],
      0,
    ]);
  });

  it('when an OpenCode has files of its own, then what it tells stays as long as it is there', async () => {
    const app = await openApp();
    await enter({});
    app.core.connected(COMPANION);
    app.tell(configured());
    const [limit] = enteredIn({ headroom: LIMITS });
    if (!limit) throw new Error('no limit');
    const counted = {
      ...limit,
      account: 'kimi',
      used: 1,
      lengthMs: 5 * HOUR,
      beganAt: null,
      endsAt: null,
      isNoted: true,
    };
    app.tell(countedEvent(countedAccounts([counted], app.clock.wall())));
    const seen = app.begin();
    for (let time = 0; time < 3; time++) app.clock.advance(1_000);
    await seen.close();
    expect(await app.rows()).toHaveLength(1);
    app.core.lost(COMPANION.instance);
    const later = app.begin();
    await expect.poll(app.rows).toEqual([]);
    await later.close();
  });

  it('when its window ends while nobody does anything, then it is shown as empty, with no event for that', async () => {
    const app = await openApp();
    await enter(LIMITS);
    await app.use(3);
    const seen = app.begin();
    await expect.poll(app.rows).toEqual([['kimi', 3, 3, 'counted', 5 * HOUR]]);
    app.clock.advance(5 * HOUR + 2_000);
    await seen.close();
    expect([await app.rows(), app.own()]).toEqual([[['kimi', 0, 3, 'counted', null]], 1]);
  });

  it('when it is entered no more, then it is shown no more', async () => {
    const app = await openApp();
    await enter(LIMITS);
    const seen = app.begin();
    await expect.poll(app.rows).toEqual([['kimi', 0, 3, 'counted', null]]);
    await enter({ act: 'move', moveAt: 90 });
    app.core.toldHeaders({ provider: 'kimi', names: ['x-quota'] });
    await expect
      .poll(async () => {
        app.clock.advance(1_000);
        return await app.rows();
      })
      .toEqual([]);
    await seen.close();
  });

  it('when an app is started again, then what was counted is known before anything is read', async () => {
    const app = await openApp();
    await enter(LIMITS);
    await app.use(1);
    const seen = app.begin();
    await expect.poll(app.rows).toHaveLength(1);
    await seen.close();
    const later = openTestCore(app.clock.nextLife());
    later.core.replay(app.log);
    const { headroom } = await later.core.host.handlers['snapshot.get'](null);
    expect(headroom).toMatchObject([{ account: 'kimi', windows: [{ source: 'counted', limit: 3, remaining: 2 }] }]);
  });
});
