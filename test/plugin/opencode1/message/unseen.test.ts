import { describe, expect, it } from 'vitest';
import { standingOf } from '../../../../src/engine';
import { nextRequest, noteHistory, noteNumbered, setReplay } from '../../../../src/plugin/opencode1/memory/turn-memory';
import type { AssistantInfo, Part, SessionError } from '../../../../src/plugin/opencode1/memory/types';
import { noteWriter } from '../../../../src/plugin/opencode1/memory/usage';
import {
  expectRequest,
  noteFailed,
  noteIfShown,
  replayAtIdle,
  tellEmpty,
  tellRetried,
  tellUnseen,
} from '../../../../src/plugin/opencode1/message/unseen';
import { type Double, type DoubleOptions, openDouble, SESSION, TURN } from '../../support/opencode-double';

const LEAD = 'lead/one';
/** The answer of its model. */
const ANSWER: AssistantInfo = {
  ...{ id: 'msg_2', sessionID: SESSION, role: 'assistant', parentID: TURN },
  ...{ providerID: 'lead', modelID: 'one' },
};
/** A request of the turn itself. */
const OF_TURN = { isInternal: false, isHousekeeping: false };
const REFUSED: SessionError = {
  name: 'APIError',
  data: { message: 'Incorrect API key provided', statusCode: 401, responseBody: '{"error":{"message":"no"}}' },
};

/** A turn whose request has been numbered, and never came by. */
function unseenTurn(options: DoubleOptions = {}): Double {
  const double = openDouble(options);
  double.instance.exitsAtRest = false;
  double.submit();
  noteNumbered(double.turn(), { ...OF_TURN, user: double.user(), home: () => ({ model: LEAD, variant: null }) });
  return double;
}

/** The turn ends in an error, as OpenCode tells it, with these parts in its answer. */
async function end(double: Double, error: SessionError, parts: Part[] = []): Promise<boolean[]> {
  const { instance } = double;
  const info: AssistantInfo = { ...ANSWER, error };
  double.control.history = [
    { info: double.user(), parts: [] },
    { info, parts },
  ];
  tellUnseen(instance, SESSION, error);
  const first = await replayAtIdle(instance, SESSION);
  noteFailed(double.turn(), info);
  return [first, await replayAtIdle(instance, SESSION)];
}

const stateOf = ({ brain }: Double): string => standingOf(brain.state(), LEAD, brain.now()).state;
/** Calls that let OpenCode answer; a mere re-point wants no reply. */
const answered = ({ prompts }: Double): unknown[] =>
  prompts.filter(({ body }) => body.noReply !== true).map(({ body }) => body.messageID);

describe('given a turn whose requests nobody saw', () => {
  it('when its model refuses, then the failed answer goes and the same message is answered by the next model', async () => {
    const double = unseenTurn();
    expect([await end(double, REFUSED), double.model(), stateOf(double)]).toEqual([
      [true, true],
      'spare/two',
      'blocked',
    ]);
    expect([answered(double), double.deleted]).toEqual([[TURN], ['msg_2']]);
  });

  it.each([
    ['a limit of OpenCode’s own ends it as a stop does', 'Provider response headers timed out after 300000ms', true],
    ['its user stops it', 'The operation was aborted.', false],
  ])('when %s, then it is told from the other', async (_, message, isTaken) => {
    const double = unseenTurn();
    const error = { name: 'MessageAbortedError', data: { message } };
    expect([await end(double, error), double.model()]).toEqual([[isTaken, isTaken], isTaken ? 'spare/two' : LEAD]);
  });

  it.each<[string, (double: Double) => unknown]>([
    ['OpenCode exits at its end', ({ instance }) => Object.assign(instance, { exitsAtRest: true })],
    ['a parent waits for it', ({ instance }) => instance.parents.set(SESSION, 'ses_0')],
    ['OpenCode made the message itself', (double) => Object.assign(double.turn(), { isPrompted: false })],
    ['this OpenCode cannot be switched', ({ control }) => Object.assign(control, { actuator: 'watch' })],
  ])('when %s, then the failure counts and nothing is answered again', async (_, arrange) => {
    const double = unseenTurn();
    arrange(double);
    expect([await end(double, REFUSED), stateOf(double), answered(double), double.deleted]).toEqual([
      [false, false],
      'blocked',
      [],
      [],
    ]);
  });

  it.each<[string, Part]>([
    ['a tool was called', { type: 'tool', tool: 'write' }],
    ['something was said', { type: 'text', text: 'I have begun' }],
  ])('when %s in the answer that failed, then it stays, and the error with it', async (_, part) => {
    const double = unseenTurn();
    expect([await end(double, REFUSED, [{ type: 'step-start' }, part]), answered(double), double.deleted]).toEqual([
      [true, false],
      [],
      [],
    ]);
  });

  it.each([
    ['says nothing', false, 'stop', true],
    ['has shown something', true, 'stop', false],
    ['calls a tool', false, 'tool-calls', false],
  ])(
    'when its answer ends and %s, then the next model answers only an empty one',
    async (_, hasBegun, finish, isMoved) => {
      const double = unseenTurn();
      const info: AssistantInfo = { ...ANSWER, finish };
      double.control.history = [
        { info: double.user(), parts: [] },
        { info, parts: [] },
      ];
      noteHistory(double.turn(), hasBegun);
      tellEmpty(double.instance, info);
      expect([await replayAtIdle(double.instance, SESSION), stateOf(double) === 'resting']).toEqual([isMoved, isMoved]);
      expect(answered(double)).toEqual(isMoved ? [TURN] : []);
    },
  );

  it('when the user has sent another message meanwhile, then the old one is not answered again', async () => {
    const double = unseenTurn();
    tellUnseen(double.instance, SESSION, REFUSED);
    setReplay(double.turn(), { from: LEAD, to: 'spare/two', failed: 'msg_2' });
    double.control.history = [{ info: { ...double.user(), id: 'msg_3' }, parts: [] }];
    expect([await replayAtIdle(double.instance, SESSION), answered(double)]).toEqual([false, []]);
  });

  it.each(['MessageAbortedError', 'ContextOverflowError'])(
    'when it ends in %s, then its model is not blamed',
    async (name) => {
      const double = unseenTurn();
      expect([await end(double, { name, data: { message: '429' } }), stateOf(double)]).toEqual([
        [false, false],
        'unseen',
      ]);
    },
  );

  it('when its package finds no key, then its provider is blocked, and the next model answers', async () => {
    const double = unseenTurn();
    const error = { name: 'ProviderAuthError', data: { message: 'API key is missing' } };
    expect([await end(double, error), double.model(), stateOf(double)]).toEqual([[true, true], 'spare/two', 'blocked']);
  });

  it('when the whole chain is out, then the error stays', async () => {
    const double = unseenTurn({ chain: [LEAD] });
    expect([await end(double, REFUSED), answered(double)]).toEqual([[false, false], []]);
  });

  it('when OpenCode waits an hour for a limit, then the model is known to be out for an hour', () => {
    const double = unseenTurn();
    const next = Date.now() + 3_600_000;
    tellRetried(double.instance, SESSION, { type: 'retry', message: 'Rate limit reached for requests', next });
    const { state, until } = standingOf(double.brain.state(), LEAD, double.brain.now());
    expect([state, Math.round(((until ?? 0) - double.brain.now()) / 60_000)]).toEqual(['cooling', 60]);
  });
});

describe('given a turn whose requests do not come by, and OpenCode asks its model again by itself', () => {
  const RETRY = { type: 'retry', message: 'Cannot connect to API', next: Date.now() + 2_000 };
  const STOPPED: SessionError = { name: 'MessageAbortedError', data: { message: 'Aborted' } };

  it('when nothing is shown, then the turn ends once, and the next model answers its message', async () => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    tellRetried(double.instance, SESSION, RETRY);
    tellRetried(double.instance, SESSION, RETRY);
    expect(double.stopped).toEqual([SESSION]);
    expect([await end(double, STOPPED), double.model(), answered(double)]).toEqual([[true, true], 'spare/two', [TURN]]);
  });

  it('when OpenCode writes no error then, then the next model answers all the same', async () => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    tellRetried(double.instance, SESSION, RETRY);
    const info: AssistantInfo = { ...ANSWER, time: { completed: 1 } };
    double.control.history = [{ info, parts: [] }];
    noteFailed(double.turn(), info);
    expect([await replayAtIdle(double.instance, SESSION), answered(double)]).toEqual([true, [TURN]]);
  });

  it('when only its title was asked for over fetch, then that does not count', () => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    nextRequest(double.turn(), { isInternal: true, isHousekeeping: true });
    tellRetried(double.instance, SESSION, RETRY);
    expect(double.stopped).toEqual([SESSION]);
  });

  it.each<[string, (double: Double) => void]>([
    [
      'a part of an answer is shown',
      (double) => {
        noteWriter(double.instance, { ...ANSWER, time: { created: 1 } });
        noteIfShown(double.instance, { type: 'text', messageID: ANSWER.id });
      },
    ],
    ['a parent waits for it', ({ instance }) => instance.parents.set(SESSION, 'ses_0')],
    ['OpenCode exits at its end', ({ instance }) => Object.assign(instance, { exitsAtRest: true })],
  ])('when %s, then it is not ended, and the failure counts', (_, arrange) => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    arrange(double);
    tellRetried(double.instance, SESSION, { ...RETRY, message: 'Rate limit reached for requests' });
    expect([double.stopped, stateOf(double)]).toEqual([[], 'cooling']);
  });

  it.each([
    ['an hour', 3_600_000, 1],
    ['two seconds', 2_000, 0],
  ])(
    'when OpenCode waits for %s and the turn cannot be moved, then a notice names the time only of a long wait',
    (_, waitMs, count) => {
      const double = unseenTurn();
      const notices: string[] = [];
      Object.assign(double.instance, {
        exitsAtRest: true,
        voice: { ...double.instance.voice, warn: (text: string) => notices.push(text) },
      });
      tellRetried(double.instance, SESSION, { ...RETRY, next: Date.now() + waitMs });
      expect(notices.filter((text) => /OpenCode waits for one until \d\d:\d\d/.test(text))).toHaveLength(count);
    },
  );

  it('when OpenCode does not end it, then its own retry goes on', async () => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    double.control.refusal = { name: 'NotFound' };
    tellRetried(double.instance, SESSION, RETRY);
    await expect.poll(() => double.turn().replay).toBeNull();
    expect(double.stopped).toEqual([SESSION]);
  });

  it('when the retry is answered meanwhile, then the answer stays', async () => {
    const double = unseenTurn();
    noteHistory(double.turn(), false);
    tellRetried(double.instance, SESSION, RETRY);
    noteFailed(double.turn(), { ...ANSWER, finish: 'stop' });
    expect([await replayAtIdle(double.instance, SESSION), answered(double)]).toEqual([false, []]);
  });
});

describe('given a turn whose request does not come by', () => {
  const LIMIT_MS = 30;
  const expecting = (): Double => {
    const double = unseenTurn({ limits: { firstTokenTimeoutMs: LIMIT_MS } });
    noteHistory(double.turn(), false);
    double.instance.working.add(SESSION);
    expectRequest(double.instance, double.turn());
    return double;
  };

  it('when nothing is shown within the limit, then it ends as a timeout', async () => {
    const double = expecting();
    await expect.poll(() => double.stopped).toEqual([SESSION]);
    expect(stateOf(double)).toBe('resting');
  });

  it.each<[string, (double: Double) => void]>([
    ['the request comes by', (double) => nextRequest(double.turn(), OF_TURN)],
    ['an answer is shown', (double) => noteHistory(double.turn(), true)],
    ['its session rests', ({ instance }) => instance.working.delete(SESSION)],
  ])('when %s, then nothing is counted', async (_, arrange) => {
    const [double, other] = [expecting(), expecting()];
    arrange(double);
    await expect.poll(() => other.stopped).toEqual([SESSION]);
    expect([double.stopped, stateOf(double)]).toEqual([[], 'unseen']);
  });
});

describe('given a turn one of whose requests came by', () => {
  it('when it ends in an error, then nothing more is told: it was seen where it failed', async () => {
    const double = unseenTurn();
    nextRequest(double.turn(), OF_TURN);
    expect([await end(double, REFUSED), stateOf(double)]).toEqual([[false, false], 'unseen']);
  });
});
