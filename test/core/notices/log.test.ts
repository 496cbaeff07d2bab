import { describe, expect, it } from 'vitest';
import { LogRecord } from '../../../src/core/base/record';
import { COMPANION } from '../virtual-core';
import { LIMITED, openToldCore, REJECTED } from './told-core';

const SHOP = '/home/u/shop';
const LEAD = 'anthropic/claude-sonnet';
const SPARE = 'openai/gpt-5';
const MINUTE = 60_000;

type Told = ReturnType<typeof openToldCore>;

async function openShop(): Promise<Told> {
  const test = openToldCore();
  test.connect();
  test.arm(SHOP, { build: [LEAD, SPARE], plan: [LEAD, SPARE] });
  await test.pass(1_000);
  return test;
}

/** The next start of the app, with the log as a file would give it back. */
async function restarted(before: Told): Promise<Told> {
  before.core.dispose();
  const next = openToldCore({ clock: before.clock });
  next.core.replay(before.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
  await next.pass(1_000);
  return next;
}

const fall = (test: Told, agent = 'plan') =>
  test.turn(SHOP, agent, [
    [LEAD, LIMITED],
    [SPARE, 'answers'],
  ]);

describe('given an app that is started again', () => {
  it('when something was told, then it is listed as it was, read or not, and nothing is told anew', async () => {
    const test = await openShop();
    fall(test);
    await test.pass(5_000);
    await test.core.host.handlers['notices.read']({ upTo: 1 });
    test.turn(SHOP, 'build', [
      [LEAD, REJECTED],
      [SPARE, REJECTED],
    ]);
    await test.pass(5_000);
    const before = await test.list();
    const next = await restarted(test);
    expect(await next.list()).toEqual(before);
    expect(before.unread).toBeGreaterThan(0);
    expect(next.lines()).toEqual([]);
  });

  it('when an episode goes on, then it is not told again, and its end is', async () => {
    const test = await openShop();
    test.turn(SHOP, 'build', [
      [LEAD, LIMITED],
      [SPARE, LIMITED],
    ]);
    await test.pass(5_000);
    const next = await restarted(test);
    next.core.connected({ ...COMPANION, instance: 'i2', epoch: 'e2' });
    const tell = (event: Parameters<Told['tell']>[0]) => next.tell(event, 'i2');
    const about = { turn: 'n1', session: 's', directory: SHOP, agent: 'build' };
    tell({ type: 'prompt.submitted', ...about, model: LEAD, hostLead: LEAD, isExplicit: false });
    await next.pass(15 * MINUTE);
    tell({ type: 'prompt.submitted', ...about, turn: 'n2', model: LEAD, hostLead: LEAD, isExplicit: false });
    tell({ type: 'attempt.started', attempt: 'n3', ...about, turn: 'n2', model: LEAD, purpose: 'turn' });
    tell({ type: 'attempt.succeeded', attempt: 'n3', durationMs: 1, firstTokenMs: 1, outputChars: 1 });
    await next.pass(5_000);
    const { rows } = await next.list();
    expect(rows.filter(({ notice }) => notice === 'N3')).toMatchObject([{ isOver: true }]);
    expect(rows.filter(({ notice }) => notice === 'N4')).toHaveLength(1);
    // Who was not there to hear of the beginning needs no word of the end.
    expect(next.lines().filter((line) => /^(N3|N4|-)/.test(line))).toEqual([]);
  });

  it('when an agent was away without anybody having been told, then that is how things are, and no news', async () => {
    const test = await openShop();
    fall(test);
    const next = await restarted(test);
    next.core.connected({ ...COMPANION, instance: 'i2', epoch: 'e2' });
    next.tell(
      {
        type: 'prompt.submitted',
        turn: 'n1',
        session: 's',
        directory: SHOP,
        agent: 'plan',
        model: LEAD,
        hostLead: LEAD,
        isExplicit: false,
      },
      'i2',
    );
    await next.pass(MINUTE);
    expect([next.lines(), await next.inbox()]).toEqual([[], []]);
  });
});

describe('given everything recorded is deleted', () => {
  it('when it is, then no notice is left, and numbers go on', async () => {
    const erase = async () => ({ ok: true, files: [] }) as never;
    const test = openToldCore({ ports: { data: { erase } as never } });
    test.connect();
    test.arm(SHOP, { build: [LEAD, SPARE], plan: [LEAD, SPARE] });
    fall(test);
    await test.pass(5_000);
    await test.core.host.handlers['data.erase'](null as never);
    expect(await test.list()).toEqual({ rows: [], total: 0, unread: 0 });
    test.core.updateReady('2.0.0');
    await test.pass(1_000);
    expect((await test.list()).rows).toMatchObject([{ id: 2, notice: 'N13' }]);
  });
});

describe('given more notices than are kept', () => {
  it('when 250 came, then the last 200 are listed, newest first, in pages', async () => {
    const test = openToldCore();
    for (let at = 0; at < 250; at++) test.core.updateReady(`1.0.${at}`);
    await test.pass(1_000);
    const { rows, total, unread } = await test.core.host.handlers['notices.list']({ offset: 10, limit: 2 });
    expect([rows.map(({ version }) => version), total, unread]).toEqual([['1.0.239', '1.0.238'], 200, 200]);
  });
});

describe('given what is no news', () => {
  it('when a drill has run, then nothing is told', async () => {
    const test = await openShop();
    let asked = '';
    test.core.drills.onAsk(({ id }) => {
      asked = id;
    });
    const drill = test.core.host.handlers['drill.run']({ directory: SHOP, agent: 'build' } as never);
    test.core.drills.ended('i1', asked, { ok: true, agent: 'build', from: LEAD, to: SPARE, tookMs: 12 } as never);
    await drill;
    await test.pass(MINUTE);
    expect([test.lines(), await test.inbox()]).toEqual([[], []]);
  });

  it('when all of it is the demo, then it is listed and nothing is shown', async () => {
    const test = openToldCore({ app: { isDemo: true } });
    test.connect();
    test.arm(SHOP, { plan: [LEAD, SPARE] });
    fall(test);
    await test.pass(MINUTE);
    expect([test.lines(), await test.inbox()]).toEqual([[], ['N1 plan now uses gpt-5']]);
  });
});
