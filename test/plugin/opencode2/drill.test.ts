import { afterEach, describe, expect, it, vi } from 'vitest';
import { heedSeat, seat, seatOf, unseat } from '../../../src/plugin/opencode2/session/seats';
import { runDrill } from '../../../src/plugin/opencode2/user/drill';
import { LEAD, openInstance, refOf, SPARE } from '../support/opencode2-instance';

const URL = 'https://lead.example/v1/chat/completions';

/** An OpenCode that asks the models of each prompt at once, and says when its execution ends once it is let. */
function open() {
  const calls: string[] = [];
  const waiting: (() => void)[] = [];
  /** Asks a model in the session. @returns the status of what answers; null where its provider would. */
  const ask = (sessionID: string, model: string): number | null =>
    seatOf(sessionID)?.instance.answerFor?.(model, URL).status ?? null;
  const double = openInstance({
    context: { model: { default: async () => refOf(LEAD) } },
    session: {
      create: async ({ id }) => {
        calls.push('create');
        return { id };
      },
      switchAgent: async () => undefined,
      switchModel: async () => undefined,
      prompt: async ({ sessionID }) => void calls.push(`lead ${ask(sessionID, LEAD)}`),
      interrupt: async () => undefined,
      wait: ({ sessionID }) =>
        new Promise((resolve) => {
          waiting.push(() => {
            calls.push(`spare ${ask(sessionID, SPARE)}`);
            heedSeat({ type: 'session.execution.succeeded', data: { sessionID } });
            resolve(undefined);
          });
        }),
    },
  });
  return { ...double, calls, waiting };
}

const PASSED = { ok: true, agent: 'build', from: LEAD, to: SPARE, tookMs: expect.any(Number) };
const ONE = ['create', 'lead 429', 'spare 200'];

describe('given drills of one project of OpenCode 2, which share a session', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('when several are asked for at once, then they are made one after another, and no lead is really asked', async () => {
    const { instance, calls, waiting } = open();
    const drills = [1, 2, 3].map(() => runDrill(instance, 'build'));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => waiting.length).toBe(count);
      expect(calls.length).toBe(ONE.length * count - 1);
      waiting[count - 1]?.();
    }
    expect([await Promise.all(drills), calls]).toEqual([
      [PASSED, PASSED, PASSED],
      [...ONE, ...ONE, ...ONE],
    ]);
  });

  it('when the one under way takes long, then the next one says so and makes nothing, and a later one is made', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { instance, calls, waiting } = open();
    const first = runDrill(instance, 'build');
    await vi.advanceTimersByTimeAsync(1_000);
    const second = runDrill(instance, 'build');
    await vi.advanceTimersByTimeAsync(21_000);
    expect([await second, calls]).toEqual([
      { ok: false, reason: 'another drill is running in this project' },
      ['create', 'lead 429'],
    ]);
    waiting[0]?.();
    expect(await first).toEqual(PASSED);
    const third = runDrill(instance, 'build');
    await vi.advanceTimersByTimeAsync(1_000);
    waiting[1]?.();
    expect([await third, calls]).toEqual([PASSED, [...ONE, ...ONE]]);
  });
});

describe('given a session that somebody else has taken meanwhile', () => {
  it('when whoever had it before leaves, then it stays taken', () => {
    const { instance, brain } = openInstance();
    const take = () => seat('ses_understudy_drill_1', { instance, brain, guard: () => undefined, system: '' });
    const [before, after] = [take(), take()];
    unseat('ses_understudy_drill_1', before);
    expect(seatOf('ses_understudy_drill_1')).toBe(after);
    unseat('ses_understudy_drill_1', after);
    expect(seatOf('ses_understudy_drill_1')).toBeUndefined();
  });
});
