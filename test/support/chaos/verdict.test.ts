import { describe, expect, it } from 'vitest';
import { type Asked, broken, type Ended } from './verdict';

const LIMITED: Asked = { at: 100_000, model: 'm', turn: '0.0', process: 0, step: { kind: 'status', status: 429 } };
const BLOCKED: Asked = { ...LIMITED, step: { kind: 'status', status: 401 } };
const GOOD: Asked = { at: 101_000, model: 'm', turn: '1.0', process: 1, step: { kind: 'text', text: 'Yes.' } };
const ENDED: Ended = { turn: '0.0', session: 0, how: 'answered', error: null, stoppedAt: null };
const NOTHING = { resets: [], edits: [] };

describe('given what a run of chaos has seen', () => {
  it('when another process calls a limited model after 1,000 ms, then a promise is broken', () => {
    expect(broken([LIMITED, GOOD], [ENDED], NOTHING)).toEqual([
      'turn 1.0 asked m 1000 ms after its 429 in another process',
    ]);
  });

  it('when it is called after its 4,000 ms or after a manual reset, then no promise is broken', () => {
    expect(broken([LIMITED, { ...GOOD, at: 104_000 }], [ENDED], NOTHING)).toEqual([]);
    expect(broken([LIMITED, GOOD], [ENDED], { resets: [100_500], edits: [] })).toEqual([]);
  });

  it('when a blocked model is called an hour later, then only a reset or an edit allows it', () => {
    const later = { ...GOOD, at: 3_700_000 };
    expect(broken([BLOCKED, later], [ENDED], NOTHING)).toHaveLength(1);
    expect(broken([BLOCKED, later], [ENDED], { resets: [], edits: [200_000] })).toEqual([]);
    expect(broken([LIMITED, GOOD], [ENDED], { resets: [], edits: [100_500] })).toHaveLength(1);
  });

  it('when a stopped turn had begun and asks 700 ms after the stop, then that is a broken promise', () => {
    const late = { ...GOOD, turn: '0.0', at: 101_000 };
    const stopped = { ...ENDED, how: 'stopped', stoppedAt: 100_300 } as const;
    const fault: Asked = { ...LIMITED, step: { kind: 'hang' } };
    expect(broken([fault, late], [stopped], NOTHING)).toEqual(['turn 0.0 asked m 700 ms after its stop']);
    expect(broken([late], [stopped], NOTHING)).toEqual([]);
  });

  it('when a turn hangs, is empty, fails without a message or sends 26 requests, then each is reported', () => {
    const many = Array.from({ length: 26 }, (_, n) => ({ ...GOOD, at: n, turn: '2.2' }));
    const ends = (['stuck', 'silent', 'failed'] as const).map((how) => ({ ...ENDED, how }));
    expect(broken(many, ends, NOTHING)).toEqual([
      'turn 0.0 is stuck',
      'turn 0.0 is silent',
      'turn 0.0 failed without a word',
      'turn 2.2 made 26 requests',
    ]);
  });
});
