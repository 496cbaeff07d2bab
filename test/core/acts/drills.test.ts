import { describe, expect, it } from 'vitest';
import type { DrillResult } from '../../../src/contract/drill';
import type { DrillAsked } from '../../../src/core/acts/drills';
import { LogRecord } from '../../../src/core/base/record';
import { eventSentence } from '../../../src/wording/event-words';
import { CHAIN, COMPANION, DIRECTORY, openArmedCore, openTestCore, virtualClock } from '../virtual-core';

const PASSED: DrillResult = { ok: true, agent: 'build', from: CHAIN[0], to: CHAIN[1], tookMs: 31.4 };
const INPUT = { directory: DIRECTORY, agent: 'build' };

/** A core with a companion, and what that is asked for. */
function opened() {
  const test = openArmedCore();
  const asked: DrillAsked[] = [];
  test.core.drills.onAsk((drill) => asked.push(drill));
  const run = async (input = INPUT): Promise<DrillResult> => await test.core.host.handlers['drill.run'](input);
  const rows = async () =>
    (await test.core.host.handlers['snapshot.get'](null)).events.filter(({ code }) => code.startsWith('drill.'));
  return { ...test, asked, run, rows };
}

describe('given a companion with a chain in force', () => {
  it('when a drill is asked for, then it alone is asked, its word is the answer, and one row says it was a drill', async () => {
    const { core, asked, run, rows } = opened();
    const running = run();
    expect(asked).toEqual([{ instance: 'i1', id: '1', ...INPUT }]);
    core.drills.ended('i2', '1', { ok: false, reason: 'not mine to say' });
    core.drills.ended('i1', '2', { ok: false, reason: 'of another drill' });
    const before = core.state();
    core.drills.ended('i1', '1', PASSED);
    expect([await running, (await rows()).map(eventSentence), core.state() === before]).toEqual([
      PASSED,
      ['Drill: build switched one → two in 31 ms. No provider was called'],
      true,
    ]);
  });

  it.each<[string, (of: ReturnType<typeof opened>) => void, string]>([
    ['goes away', ({ core }) => core.lost('i1'), 'OpenCode disconnected during the drill'],
    ['says nothing for 90 s', ({ clock }) => clock.advance(90_000), 'OpenCode did not respond'],
  ])('when it %s, then that is the answer, and nothing waits any longer', async (_, happen, reason) => {
    const test = opened();
    const timers = test.clock.waiting();
    const running = test.run();
    happen(test);
    expect([await running, (await test.rows()).map(eventSentence), test.clock.waiting() - timers]).toEqual([
      { ok: false, reason },
      [`Drill: ${reason}`],
      0,
    ]);
  });

  it('when the log is replayed, then the row is there again', async () => {
    const { core, clock, log, run, rows } = opened();
    const running = run();
    core.drills.ended('i1', '1', PASSED);
    await running;
    const later = openTestCore(virtualClock(clock.now()));
    later.core.replay(log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
    const { events } = await later.core.host.handlers['snapshot.get'](null);
    const [row] = await rows();
    expect(events.find(({ code }) => code === 'drill.passed')).toMatchObject({ at: row?.at, durationMs: 31 });
  });
});

describe('given nobody who could make a drill', () => {
  it.each<[string, (of: ReturnType<typeof opened>) => void, string]>([
    ['the project is not open', () => undefined, '/other'],
    ['its companion has gone', ({ core }) => core.lost('i1'), DIRECTORY],
  ])(
    'when %s, then the answer says what to start, nobody is asked, and no row is made',
    async (_, happen, directory) => {
      const test = opened();
      happen(test);
      const result = await test.run({ ...INPUT, directory });
      expect([result, test.asked, await test.rows()]).toEqual([
        { ok: false, reason: expect.stringContaining(`runs in ${directory}. Start OpenCode there`) },
        [],
        [],
      ]);
    },
  );

  it('when another companion comes back to the project, then that one is asked', async () => {
    const test = opened();
    test.core.lost('i1');
    test.core.connected(COMPANION);
    void test.run();
    expect(test.asked).toHaveLength(1);
  });
});
