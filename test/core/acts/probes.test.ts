import { describe, expect, it } from 'vitest';
import type { QueryOutput } from '../../../src/contract/contract';
import type { ProbeResult } from '../../../src/contract/probe';
import type { Snapshot } from '../../../src/contract/snapshot';
import { LogRecord } from '../../../src/core/base/record';
import type { ProbePort } from '../../../src/core/ports/ports';
import { eventSentence } from '../../../src/wording/event-words';
import { modelsText } from '../../../src/wording/status-text';
import { CHAIN, DIRECTORY, failed, openArmedCore, openTestCore, prompted, scopeOf, started } from '../virtual-core';

const ANSWERED: ProbeResult = { ok: true, tookMs: 812.4, cost: 0.0012 };
const REFUSED: ProbeResult = { ok: false, tookMs: 300, kind: 'auth', status: 401, reason: 'no such key' };

/** A core whose lead is rate limited, and what its probe is asked. */
function limited(result: ProbeResult = ANSWERED) {
  const asked: Parameters<ProbePort>[0][] = [];
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const probe: ProbePort = async (question) => {
    asked.push(question);
    await held;
    return result;
  };
  const test = openArmedCore({ probe });
  for (const event of [prompted(), started(), failed()]) test.tell(event);
  const snapshot = () => test.core.host.handlers['snapshot.get'](null) as Snapshot;
  const run = (model: string = CHAIN[0], rev = snapshot().rev) =>
    test.core.host.handlers['model.probe']({ model, rev }) as Promise<QueryOutput<'model.probe'>>;
  const stateOf = (model: string) => snapshot().models.find((row) => row.model === model)?.state;
  const told = () => snapshot().events.filter(({ code }) => code.startsWith('probe.'));
  return { ...test, asked, answer, snapshot, run, stateOf, told };
}

describe('given a model that is out', () => {
  it('when it is probed and answers, then it was asked in its project, is used again, and the log says so', async () => {
    const { core, clock, asked, answer, run, stateOf, told, log } = limited();
    const running = run();
    answer();
    expect(await running).toMatchObject({ accepted: true, result: ANSWERED, isBack: true });
    expect([asked, stateOf(CHAIN[0])]).toEqual([[{ model: CHAIN[0], directory: DIRECTORY }], 'ready']);
    expect(told().map(eventSentence)).toEqual(['Probe of one: it answered in 812 ms, for $0.0012']);
    expect(log.every((record) => LogRecord.safeParse(record).success)).toBe(true);
    const again = openTestCore(clock);
    again.core.replay(log);
    expect(again.core.state().models).toEqual(core.state().models);
  });

  it('when it is probed and fails, then it stays out, and kind and words of the failure are told', async () => {
    const { answer, run, stateOf, told } = limited(REFUSED);
    const running = run();
    answer();
    expect(await running).toMatchObject({ accepted: true, result: REFUSED, isBack: false });
    expect([stateOf(CHAIN[0]), told().map(({ kind, status, detail }) => [kind, status, detail])]).toEqual([
      'cooling',
      [['auth', 401, 'no such key']],
    ]);
  });

  it('when it is held out of use while it is asked, then it stays held although it answers', async () => {
    const { core, answer, run, stateOf, snapshot } = limited();
    const running = run();
    const act = { type: 'health.held', model: CHAIN[0], state: 'open', forMs: null } as const;
    await core.host.handlers['person.act']({ act, rev: snapshot().rev, actor: 'panel' });
    answer();
    expect(await running).toMatchObject({ accepted: true, isBack: false });
    expect(stateOf(CHAIN[0])).toBe('held');
  });

  it('when a project keeps its health apart, then it is asked there by its own name, and only there ready again', async () => {
    const { tell, asked, answer, run, snapshot } = limited();
    const apart = { ...scopeOf(), books: { '*': '0123456789ab' } };
    tell({ type: 'scope.configured', directory: '/other', config: apart as never });
    const there = { turn: 'o1', session: 'o', directory: '/other' };
    for (const event of [prompted(there), started({ ...there, attempt: 'o1.0' }), failed('o1.0')]) tell(event);
    const rows = () => snapshot().models.filter(({ name, provider }) => `${provider}/${name}` === CHAIN[0]);
    const key = rows().find((row) => row.apart)?.model ?? '';
    const running = run(key);
    answer();
    expect(await running).toMatchObject({ accepted: true, isBack: true });
    expect(asked).toEqual([{ model: CHAIN[0], directory: '/other' }]);
    expect(rows().map(({ model, state }) => [model, state])).toEqual([
      [CHAIN[0], 'cooling'],
      [key, 'ready'],
    ]);
    for (const event of [
      prompted({ ...there, turn: 'o2' }),
      started({ ...there, turn: 'o2', attempt: 'o2.0' }),
      failed('o2.0'),
    ])
      tell(event);
    // By a name that can be typed, and where.
    expect(modelsText(snapshot())).toMatch(/one \(separate: other\) +Cooling/);
  });

  it('when it is one by another account, then nobody is asked: only a conversation can be', async () => {
    const test = limited();
    const model = CHAIN[0].replace('/', '@work/');
    const there = { turn: 'o1', session: 'o' };
    const scope = scopeOf();
    const [plan] = Object.values(scope.agents);
    const config = { ...scope, agents: { '*': { ...plan, chain: [model, CHAIN[1]] } } };
    test.tell({ type: 'scope.configured', directory: DIRECTORY, config: config as never });
    for (const event of [prompted(there), started({ ...there, attempt: 'o1.0', model }), failed('o1.0')])
      test.tell(event);
    expect(await test.run(model)).toEqual({
      accepted: false,
      reason: `OpenCode can use another account only within a conversation. Send a message, or probe ${CHAIN[0]}.`,
    });
    expect(test.asked).toEqual([]);
  });

  it('when it has changed since the person looked, then it is not asked', async () => {
    const { asked, run } = limited();
    expect(await run(CHAIN[0], 0)).toEqual({
      accepted: false,
      reason: `${CHAIN[0]} has changed since you last viewed it. Review it, then decide.`,
    });
    expect(asked).toEqual([]);
  });

  it('when another probe is under way, then it is not asked; afterwards it may be', async () => {
    const { answer, run, asked } = limited();
    const running = run();
    expect(await run(CHAIN[1])).toMatchObject({ accepted: false, reason: expect.stringContaining('is running') });
    answer();
    await running;
    await run(CHAIN[1]);
    expect(asked.map(({ model }) => model)).toEqual([CHAIN[0], CHAIN[1]]);
  });
});

describe('given a core that cannot ask, or a model nobody knows', () => {
  it('when a probe is asked for, then it says so', async () => {
    const unable = openArmedCore();
    const ask = async (test: typeof unable, model: string) =>
      await test.core.host.handlers['model.probe']({ model, rev: 1_000 });
    expect(await ask(unable, CHAIN[0])).toMatchObject({ accepted: false });
    expect(await limited().run('nobody/knows')).toMatchObject({ accepted: false });
  });
});
