import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONTINUE_MESSAGE, DEFAULT_HEALTH, type ScopeConfig, standingOf } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/tools';
import { nodeClock } from '../../../src/node/base/clock';
import { goOn } from '../../../src/plugin/answer/terminator';
import type { Fetch } from '../../../src/plugin/opencode1/memory/fetch-wrap';
import { noteAnswering, takeDrops } from '../../../src/plugin/opencode1/memory/turn-memory';
import { CARRIED_ABILITIES } from '../../../src/plugin/opencode1/request/carry';
import { guardedFetch } from '../../../src/plugin/opencode1/request/guard';
import { giveNotices } from '../../../src/plugin/runtime/notices';
import { CLOCK_JUMPS } from '../../support/clock-jumps';
import { bodyOf, CHAT_PATH, type Double, journalOf, openDouble, textIn } from '../support/opencode-double';
import { retriedBy } from '../support/retry-patterns';

const CHAIN = ['lead/one', 'spare/two'] as const;
const EMPTY_TURN = goOn('chat', { isBegun: false, openBlock: null }, '');
const visible = (text: string): string => text.replaceAll('\u2060', '');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const delta = (value: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
const STOP = delta({}, 'stop');

/** What a provider does with one request. */
type Reply = () => Response;
const refusing =
  (status: number, headers: Record<string, string> = {}, error: object = { message: 'Sorry' }): Reply =>
  () =>
    new Response(JSON.stringify({ error }), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A stream that sends these events and then ends, or is cut. */
const streaming =
  (events: readonly string[], end: 'end' | 'cut' = 'end'): Reply =>
  () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = events[at++];
        if (next !== undefined) controller.enqueue(new TextEncoder().encode(next));
        else if (end === 'end') controller.close();
        else controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
const saying = (text: string): Reply => streaming([delta({ content: text }), STOP]);
const LIMITED = refusing(429);
const LEAD = saying('LEAD ANSWERS');
const SPARE = saying('UNDERSTUDY ANSWERS');

/** The configuration of a directory whose agents follow a policy that ships. */
const following = (policy: keyof typeof PRESETS, over: Partial<ScopeConfig> = {}): Partial<ScopeConfig> => ({
  agents: { '*': { chain: CHAIN, policy: PRESETS[policy] } },
  abilities: CARRIED_ABILITIES,
  ...over,
});

/** A turn in virtual time, whose providers do these things in order; the last one repeats. */
function stage(
  scope: Partial<ScopeConfig>,
  script: Readonly<Record<string, readonly Reply[]>>,
  now = () => performance.now(),
) {
  const double = openDouble({ scope, now });
  const asked: { model: string; atMs: number }[] = [];
  const beginMs = performance.now();
  const original: Fetch = async (_, init) => {
    const { model } = JSON.parse(String(init?.body)) as { model: string };
    const count = asked.filter((request) => request.model === model).length;
    asked.push({ model, atMs: Math.round(performance.now() - beginMs) });
    const replies = script[model] ?? [];
    const reply = replies[Math.min(count, replies.length - 1)];
    if (!reply) throw new Error(`nothing is scripted for ${model}`);
    return reply();
  };
  /** OpenCode's next request of the turn. */
  const ask = (over: Parameters<Double['request']>[0] = {}, signal?: AbortSignal): Promise<Response> => {
    const request = double.request(over);
    const init = { method: 'POST', body: bodyOf(request.model), ...(signal ? { signal } : {}) };
    return guardedFetch(request, original, { input: `https://host${CHAT_PATH}`, init });
  };
  double.submit();
  return { double, asked, ask };
}

/** Lets `ms` pass and says whether the promise has settled by then. */
async function isOverAfter(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let isOver = false;
  const note = (): void => {
    isOver = true;
  };
  promise.then(note, note);
  await vi.advanceTimersByTimeAsync(ms);
  return isOver;
}

const decisionsOf = (double: Double): string[] =>
  double.brain
    .since(0)
    .flatMap(({ event: told }) => ('decided' in told && told.decided ? [told.decided.code] : []))
    .filter((code) => code !== 'keep.lead');

/** Nothing keeps a model out beside what its provider says. */
const QUICK = { ...DEFAULT_HEALTH, retryOriginalAfterMs: 1_000, restMs: 1_000 };

describe.each(CLOCK_JUMPS)('given a wall clock that somebody sets %s', (_, byMs) => {
  const jump = (): void => void vi.setSystemTime(Date.now() + byMs);

  it('when that is in the middle of a hold of 30 s, then the turn moves after 30 s, and not before', async () => {
    const { double, asked, ask } = stage(following('patient'), { one: [LIMITED], two: [SPARE] }, nodeClock().now);
    const pending = ask();
    expect(await isOverAfter(pending, 10_000)).toBe(false);
    jump();
    expect([await isOverAfter(pending, 19_999), await isOverAfter(pending, 1)]).toEqual([false, true]);
    expect([await (await pending).text(), double.model()]).toEqual([EMPTY_TURN, 'spare/two']);
    await (await ask()).text();
    expect(asked).toEqual([
      { model: 'one', atMs: 0 },
      { model: 'two', atMs: 30_000 },
    ]);
  });

  it.each([
    ['in so many seconds', () => ({ 'retry-after': '300' })],
    ['at a moment', () => ({ 'retry-after': new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 300_000).toUTCString() })],
  ])('when its lead has said it is back %s, then it is asked again after 5 minutes', async (__, headers) => {
    vi.setSystemTime(Math.ceil(Date.now() / 1_000) * 1_000);
    const { now } = nodeClock();
    const { double, ask, asked } = stage(
      following('swift', { health: QUICK }),
      { one: [() => refusing(429, headers())(), LEAD], two: [SPARE] },
      now,
    );
    await (await ask()).text();
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
    jump();
    const stateAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return standingOf(double.brain.state(), 'lead/one', now()).state;
    };
    expect([await stateAfter(299_000), await stateAfter(1_000)]).toEqual(['cooling', 'ready']);
    double.nextMessage('msg_2');
    double.submit();
    expect(textIn(await (await ask()).text())).toBe('LEAD ANSWERS');
    expect(asked.map(({ model }) => model)).toEqual(['one', 'two', 'one']);
  });
});

describe('given a policy that lets a model rest before it is left', () => {
  it('when 30 s are over, then the turn moves, and not before', async () => {
    const { double, asked, ask } = stage(following('patient'), { one: [LIMITED], two: [SPARE] });
    const pending = ask();
    expect([await isOverAfter(pending, 29_999), double.prompts.length]).toEqual([false, 0]);
    expect(await isOverAfter(pending, 1)).toBe(true);
    expect([await (await pending).text(), double.model(), decisionsOf(double)]).toEqual([
      EMPTY_TURN,
      'spare/two',
      ['hold.rate_limit'],
    ]);
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
    expect(asked).toEqual([
      { model: 'one', atMs: 0 },
      { model: 'two', atMs: 30_000 },
    ]);
  });

  it('when the user stops the turn at 10 s, then nothing is pointed anywhere and nobody is asked', async () => {
    const { double, asked, ask } = stage(following('patient'), { one: [LIMITED] });
    const user = new AbortController();
    const pending = ask({}, user.signal).catch((cause: Error) => cause.name);
    await vi.advanceTimersByTimeAsync(10_000);
    user.abort();
    expect(await pending).toBe('AbortError');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, double.prompts, double.turn().drops]).toEqual([1, [], []]);
  });

  it('when OpenCode refuses the re-point after the rest, then it gets the failure as it came', async () => {
    const { double, ask } = stage(following('patient'), { one: [LIMITED] });
    double.control.refusal = { name: 'BadRequest' };
    const pending = ask();
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await pending).status).toBe(429);
  });
});

describe('given a policy that asks the same model again', () => {
  it('when it answers at last, then OpenCode has seen one request, and each delay was longer', async () => {
    const { double, asked, ask } = stage(following('steady'), {
      one: [refusing(503), refusing(503), refusing(503), LEAD],
    });
    const pending = ask();
    await vi.advanceTimersByTimeAsync(7_000);
    expect(textIn(await (await pending).text())).toBe('LEAD ANSWERS');
    expect([asked.map(({ atMs }) => atMs), double.prompts]).toEqual([[0, 1_000, 3_000, 7_000], []]);
  });

  it('when it fails a fourth time, then the understudy is next', async () => {
    const { double, asked, ask } = stage(following('steady'), { one: [refusing(503)] });
    const pending = ask();
    await vi.advanceTimersByTimeAsync(7_000);
    expect([await (await pending).text(), asked.length, double.model()]).toEqual([EMPTY_TURN, 4, 'spare/two']);
  });

  it('when a limit of OpenCode’s ended the request, then its next step asks, for this one can ask nobody any more', async () => {
    const { double, asked, ask } = stage(following('steady'), {
      one: [streaming([': waiting\n\n']), LEAD],
    });
    const limit = new AbortController();
    limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    const pending = ask({}, limit.signal);
    expect(await isOverAfter(pending, 999)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([await (await pending).text(), double.model(), double.turn().drops]).toEqual([
      EMPTY_TURN,
      'lead/one',
      [{ model: 'lead/one', isKept: false }],
    ]);
    expect(textIn(await (await ask()).text())).toBe('LEAD ANSWERS');
    expect(asked.length).toBe(2);
  });
});

describe('given an answer that breaks off under a policy that asks again', () => {
  const text = (length: number): string => delta({ content: 'x'.repeat(length) });

  it.each([
    [500, false],
    [501, true],
  ])(
    'when %d characters had come, then the same model is asked in the next step, and they are kept: %s',
    async (length, isKept) => {
      const { double, asked, ask } = stage(following('steady'), { one: [streaming([text(length)], 'cut'), LEAD] });
      const reading = (await ask()).text();
      expect(await isOverAfter(reading, 999)).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await reading).toBe(text(length) + EMPTY_TURN);
      expect([double.model(), double.prompts, double.turn().drops, [...double.turn().left]]).toEqual([
        'lead/one',
        [],
        [{ model: 'lead/one', isKept }],
        [],
      ]);
      expect(textIn(await (await ask()).text())).toBe('LEAD ANSWERS');
      expect(asked.map(({ model }) => model)).toEqual(['one', 'one']);
    },
  );

  it('when it breaks off again, then the understudy is next', async () => {
    const { double, ask } = stage(following('steady'), { one: [streaming([text(5)], 'cut')] });
    const first = (await ask()).text();
    await vi.advanceTimersByTimeAsync(1_000);
    await first;
    await (await ask()).text();
    expect([double.model(), decisionsOf(double)]).toEqual([
      'spare/two',
      ['hold.stream_interrupted', 'switch.stream_interrupted'],
    ]);
  });

  it.each(['the signal', 'the reader'])(
    'when the user stops the turn meanwhile, told by %s, then nothing goes on',
    async (by) => {
      const { double, asked, ask } = stage(following('steady'), { one: [streaming([text(5)], 'cut')] });
      const user = new AbortController();
      const reader = ((await ask({}, user.signal)).body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const next = reader.read().catch((cause: Error) => cause.name);
      await vi.advanceTimersByTimeAsync(500);
      if (by === 'the signal') user.abort();
      else await reader.cancel();
      expect(await next).toEqual(by === 'the signal' ? 'AbortError' : { done: true, value: undefined });
      await vi.advanceTimersByTimeAsync(60_000);
      expect([asked.length, double.prompts, double.turn().drops]).toEqual([1, [], []]);
      expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.failed']);
    },
  );
});

/** Whose answers were told to be continued. */
const continuedOf = ({ brain }: Double): string[] =>
  brain.since(0).flatMap(({ event }) => (event.type === 'answer.continued' ? [event.model] : []));

describe('given a model that stops too early under a policy that lets it go on', () => {
  const HALF = delta({ content: 'half an answer' });

  it('when its text is short, then that is kept and the next request tells it to continue', async () => {
    const { double, ask } = stage(following('patient'), { one: [streaming([HALF]), LEAD] });
    expect(await (await ask()).text()).toBe(HALF + EMPTY_TURN);
    expect([double.model(), double.turn().continueWith, double.turn().drops]).toEqual([
      'lead/one',
      CONTINUE_MESSAGE,
      [{ model: 'lead/one', isKept: true }],
    ]);
    expect(textIn(await (await ask()).text())).toBe('LEAD ANSWERS');
    expect(decisionsOf(double)).toEqual(['continue.early_termination']);
    expect(continuedOf(double)).toEqual(['lead/one']);
  });

  it('when it answered nothing, then nothing is kept and it is told to continue', async () => {
    const { double, ask } = stage(following('patient'), { one: [streaming([STOP])] });
    expect(await (await ask()).text()).toBe(EMPTY_TURN);
    expect([double.turn().continueWith, double.turn().drops]).toEqual([
      CONTINUE_MESSAGE,
      [{ model: 'lead/one', isKept: false }],
    ]);
  });

  it('when it stops early a fourth time, then the understudy is next and begins anew', async () => {
    const { double, ask } = stage(following('patient'), { one: [streaming([HALF])] });
    for (let step = 0; step < 3; step++) await (await ask()).text();
    takeDrops(double.turn());
    await (await ask()).text();
    const dropped = { model: 'lead/one', isKept: false };
    // The piece of now, and the three that were kept for the lead to go on.
    expect([double.model(), double.turn().drops, double.turn().continueWith]).toEqual([
      'spare/two',
      Array(4).fill(dropped),
      null,
    ]);
    // The understudy, which begins anew, goes on from nothing.
    expect(continuedOf(double)).toEqual(['lead/one', 'lead/one', 'lead/one']);
  });

  it('when it goes on to an answer and fails later, then what it said before stays', async () => {
    const call = delta({ tool_calls: [{ index: 0, function: { name: 'read', arguments: '{}' } }] }, 'tool_calls');
    const { double, ask } = stage(following('patient'), { one: [streaming([HALF]), streaming([call]), refusing(401)] });
    for (let step = 0; step < 2; step++) await (await ask()).text();
    takeDrops(double.turn());
    await (await ask()).text();
    expect([double.model(), double.turn().drops]).toEqual(['spare/two', [{ model: 'lead/one', isKept: false }]]);
  });

  it('when more than 500 characters have come, then they are the answer and the turn ends', async () => {
    const long = delta({ content: 'x'.repeat(501) });
    const { double, ask } = stage(following('patient'), { one: [streaming([long])] });
    const answer = await (await ask()).text();
    expect([answer.startsWith(long), /"finish_reason":"stop"[\s\S]*\[DONE\]\n\n$/.test(answer)]).toEqual([true, true]);
    expect([double.turn().continueWith, double.turn().drops, double.prompts]).toEqual([null, [], []]);
  });
});

describe('given a chain that is out when a request is about to leave', () => {
  const TITLE = { isInternal: true, agent: 'title' };

  /** Another session has found them limited for this long. */
  async function out(seconds: Readonly<Record<'one' | 'two', string>>) {
    const health = { ...DEFAULT_HEALTH, cooldownMs: 1_000, retryOriginalAfterMs: 1_000 };
    const staged = stage(following('swift', { health }), {
      one: [refusing(429, { 'retry-after': seconds.one }), LEAD],
      two: [refusing(429, { 'retry-after': seconds.two }), SPARE],
    });
    await (await staged.ask(TITLE)).text();
    await (await staged.ask({ ...TITLE, model: 'spare/two' })).text();
    return staged;
  }

  it('when its own model is back in 20 s, then the request waits for it', async () => {
    const { asked, ask, double } = await out({ one: '20', two: '90' });
    const pending = ask();
    expect(await isOverAfter(pending, 19_999)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([textIn(await (await pending).text()), asked.at(-1), double.prompts]).toEqual([
      'LEAD ANSWERS',
      { model: 'one', atMs: 20_000 },
      [],
    ]);
  });

  it('when another one is back sooner, then the turn waits and moves to it', async () => {
    const { ask, double } = await out({ one: '90', two: '20' });
    const pending = ask();
    expect([await isOverAfter(pending, 19_999), double.prompts.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([await (await pending).text(), double.model()]).toEqual([EMPTY_TURN, 'spare/two']);
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
  });

  it('when nobody is back within 30 s, then the turn ends at once', async () => {
    const { ask } = await out({ one: '90', two: '60' });
    expect((await ask()).status).toBe(400);
  });
});

describe('given a chain whose end is left to OpenCode', () => {
  it('when it asks again by itself, then the engine knows, adds nothing, and a model that recovers has succeeded', async () => {
    const { asked, ask, double } = stage(following('swift', { onExhausted: 'native' }), {
      one: [refusing(401)],
      two: [refusing(503), refusing(429, { 'retry-after': '2' }), SPARE],
    });
    await (await ask()).text();
    expect((await ask()).status).toBe(503);
    const again = ask();
    // A hint this short would be waited for, were it not for OpenCode's own delay.
    expect(await isOverAfter(again, 0)).toBe(true);
    expect((await again).status).toBe(429);
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
    expect([
      asked.map(({ model }) => model),
      journalOf(double.brain).filter((type) => type !== 'attempt.started'),
    ]).toEqual([
      ['one', 'two', 'two', 'two'],
      [
        ...['attempt.failed', 'switch.carried', 'attempt.failed', 'host.retrying'],
        ...['attempt.failed', 'host.retrying', 'attempt.succeeded'],
      ],
    ]);
    expect(standingOf(double.brain.state(), 'spare/two', performance.now()).state).toBe('degraded');
  });
});

describe('given a conversation that is too long', () => {
  const TOO_LONG = refusing(400, {}, { message: 'maximum context length is 8192', code: 'context_length_exceeded' });
  const large = { 'lead/one': { context: 8_000 }, 'spare/two': { context: 200_000 } };

  it('when it still is after OpenCode has compacted it, then the turn ends with one calm sentence', async () => {
    const { ask, double } = stage(following('swift'), { one: [TOO_LONG] });
    expect((await ask()).status).toBe(400);
    double.nextMessage('msg_2');
    const end = await ask();
    const body = await end.text();
    expect([end.status, retriedBy(body), /context_length|maximum context/.test(body)]).toEqual([400, null, false]);
    expect(visible(body)).toContain('this conversation is too long for one, even after OpenCode compacted it');
    expect(decisionsOf(double)).toEqual(['pass.context_length', 'pass.context_length']);
  });

  it('when a model of the chain is known to hold more, then that one is next', async () => {
    const { ask, double } = stage(following('swift', { models: large }), { one: [TOO_LONG], two: [SPARE] });
    await ask();
    double.nextMessage('msg_2');
    expect(await (await ask()).text()).toBe(EMPTY_TURN);
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
    expect(decisionsOf(double)).toEqual(['pass.context_length', 'switch.larger']);
  });

  it('when the user writes again after that, then OpenCode may compact once more', async () => {
    const { ask, double } = stage(following('swift'), { one: [TOO_LONG] });
    await ask();
    double.nextMessage('msg_2');
    double.submit();
    expect(await (await ask()).text()).toContain('context_length_exceeded');
  });
});

describe('given a policy that asks the user', () => {
  const LEFT_OUT =
    'Understudy: build is paused in this session: /retry build resumes it. This session is paused because all its agents are paused. Nothing is lost. Check your network, providers and API keys; /fallback-status shows the models, /retry all resumes the agents. Your session is safe.';
  const KEYLESS = refusing(401);
  const answer = (double: Double, yes: boolean) => double.brain.act({ type: 'question.answered', yes, actor: 'panel' });
  const errorIn = async (response: Response): Promise<string> =>
    visible((JSON.parse(await response.text()) as { error: { message: string } }).error.message);

  it('when the person says yes, then the turn moves at once, and not before', async () => {
    const { double, asked, ask } = stage(following('council'), { one: [KEYLESS], two: [SPARE] });
    const pending = ask();
    expect([await isOverAfter(pending, 45_000), double.prompts.length]).toEqual([false, 0]);
    answer(double, true);
    expect(await (await pending).text()).toBe(EMPTY_TURN);
    expect([double.model(), textIn(await (await ask()).text())]).toEqual(['spare/two', 'UNDERSTUDY ANSWERS']);
    expect(asked.map(({ model }) => model)).toEqual(['one', 'two']);
  });

  it('when OpenCode is writing an answer, then the question stands in it until it is answered', async () => {
    const { double, ask } = stage(following('council'), { one: [KEYLESS], two: [SPARE] });
    noteAnswering(double.turn(), 'msg_1a');
    const pending = ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(double.placed).toMatchObject([
      {
        ...{ id: expect.stringMatching(/^prt_[0-9a-f]{12}[a-z]{14}$/), messageID: 'msg_1a', type: 'text' },
        text: 'Understudy: build asks you whether two may continue: one is refusing the API key. Answer with /yes or /no.',
      },
    ]);
    expect(double.deleted).toEqual([]);
    answer(double, true);
    await pending;
    expect(double.deleted).toEqual([(double.placed[0] as { id: string }).id]);
  });

  it('when the person says yes and nobody else could speak, then the same model is asked once more', async () => {
    const scope = following('council', { agents: { '*': { chain: CHAIN, policy: PRESETS.council } } });
    const { double, asked, ask } = stage(scope, { one: [KEYLESS, LEAD] });
    double.brain.tell({ type: 'health.isolated', model: 'spare/two', actor: 'panel' });
    const pending = ask();
    await vi.advanceTimersByTimeAsync(5_000);
    answer(double, true);
    expect(textIn(await (await pending).text())).toBe('LEAD ANSWERS');
    expect(asked).toEqual([
      { model: 'one', atMs: 0 },
      { model: 'one', atMs: 5_000 },
    ]);
  });

  it('when its chain is one model, then nobody is asked, and the turn ends with the same sentence after its retries', async () => {
    const agents = { '*': { chain: ['lead/one'], policy: PRESETS.council } };
    const { asked, ask, double } = stage(following('council', { agents }), { one: [LIMITED] });
    const pending = ask();
    expect(await isOverAfter(pending, 6_999)).toBe(false);
    expect(await isOverAfter(pending, 1)).toBe(true);
    expect([await errorIn(await pending), asked.length, double.brain.state().questions]).toEqual([LEFT_OUT, 4, []]);
  });

  it.each([
    ['stops early', streaming([delta({ content: 'Half' })]), true],
    ['holds nothing', streaming([STOP]), false],
    ['breaks off', streaming([delta({ content: 'Half' })], 'cut'), true],
  ])('when an answer %s twice, then the person is asked, and a yes moves the turn', async (_, half, isShown) => {
    const { double, asked, ask } = stage(following('council'), { one: [half], two: [SPARE] });
    const step = (): Promise<string> => ask().then((response) => response.text());
    const first = step();
    expect(await isOverAfter(first, 1_000)).toBe(isShown);
    // What OpenCode has been shown of an answer ends its request: the next one is its next step.
    const second = isShown ? step() : first;
    const { questions } = await isOverAfter(second, 20_000).then(() => double.brain.state());
    expect([asked.length, questions.length]).toEqual([2, 1]);
    answer(double, true);
    await second;
    expect([textIn(await step()), asked.map(({ model }) => model)]).toEqual([
      'UNDERSTUDY ANSWERS',
      ['one', 'one', 'two'],
    ]);
  });

  it('when the retries of its session are spent, then the person is asked at once, and nobody takes over unasked', async () => {
    const scope = following('council', { retryBudget: { perSession: 0, warnAt: 0 } });
    const { double, asked, ask } = stage(scope, { one: [LIMITED], two: [SPARE] });
    const pending = ask();
    expect([await isOverAfter(pending, 30_000), asked.length, double.prompts]).toEqual([false, 1, []]);
    answer(double, true);
    await pending;
    expect(double.model()).toBe('spare/two');
  });

  it('when its retries run out over a long session, then the user is told at the 20th and at the 30th', async () => {
    const { double, ask } = stage(following('council'), { one: [LIMITED] });
    const told: string[] = [];
    const schedule = () => () => undefined;
    giveNotices(double.brain, { directory: '/project', tell: ({ message }) => told.push(message) }, schedule);
    for (let message = 2; message <= 11; message++) {
      const pending = ask();
      await vi.advanceTimersByTimeAsync(7_000);
      answer(double, false);
      await pending;
      // The share of retries is counted over ten minutes.
      await vi.advanceTimersByTimeAsync(660_000);
      double.brain.tell({ type: 'speaker.retried', session: 'ses_1', agent: null, actor: 'panel' });
      double.brain.tell({ type: 'health.reset', target: { all: true }, actor: 'panel' });
      double.nextMessage(`msg_${message}`);
      double.submit();
    }
    expect(told.filter((text) => / retries of its session/.test(text))).toEqual([
      'build has used 20 of 30 retries of its session: check your network and providers',
      expect.stringMatching(/^build has used 30 of 30 retries of its session: failing models are no longer retried/),
    ]);
  });

  it('when the person says no, then the turn ends with one sentence, which OpenCode does not repeat', async () => {
    const { double, ask } = stage(following('council'), { one: [KEYLESS], two: [SPARE] });
    const pending = ask();
    await vi.advanceTimersByTimeAsync(1_000);
    answer(double, false);
    const response = await pending;
    expect([response.status, retriedBy(await response.clone().text())]).toEqual([400, null]);
    expect(await errorIn(response)).toBe(LEFT_OUT);
  });

  /** A message that comes when another session has just found the lead without a key. */
  function toAnOutLead() {
    const made = stage(following('council'), { one: [LEAD], two: [SPARE] });
    const { brain } = made.double;
    const request = { session: 'ses_other', turn: 'msg_other', directory: '/project', agent: 'plan' } as const;
    const sent = { attempt: 'other', model: CHAIN[0], purpose: 'internal', ...request } as const;
    brain.tell({ type: 'attempt.started', ...sent });
    brain.tell({ type: 'attempt.failed', attempt: 'other', evidence: { phase: 'body', status: 401 }, durationMs: 1 });
    made.double.submit();
    return made;
  }

  it('when a message comes for a lead that is out, then it waits for a yes before anybody is asked', async () => {
    const { double, asked, ask } = toAnOutLead();
    noteAnswering(double.turn(), 'msg_1a');
    const pending = ask();
    expect([await isOverAfter(pending, 45_000), asked.length, double.model()]).toEqual([false, 0, CHAIN[0]]);
    expect(double.placed).toMatchObject([{ text: expect.stringMatching(/^Understudy: build asks you whether two/) }]);
    answer(double, true);
    expect(await (await pending).text()).toBe(EMPTY_TURN);
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
    expect([asked.map(({ model }) => model), double.deleted.length]).toEqual([['two'], 1]);
    expect(decisionsOf(double)).toEqual(['keep.ask', 'ask.auth']);
  });

  it('when the answer to such a message is no, or does not come in 60 s, then it ends and nobody was asked', async () => {
    for (const isRefused of [true, false]) {
      const { double, asked, ask } = toAnOutLead();
      const pending = ask();
      expect(await isOverAfter(pending, 59_999)).toBe(false);
      if (isRefused) answer(double, false);
      expect(await isOverAfter(pending, 1)).toBe(true);
      expect([await errorIn(await pending), asked]).toEqual([LEFT_OUT, []]);
    }
  });

  it('when the user stops such a message meanwhile, then nobody is asked, whatever is answered later', async () => {
    const { double, asked, ask } = toAnOutLead();
    const user = new AbortController();
    const pending = ask({}, user.signal).catch((cause: Error) => cause.name);
    await vi.advanceTimersByTimeAsync(10_000);
    user.abort();
    expect(await pending).toBe('AbortError');
    answer(double, true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, double.prompts]).toEqual([[], []]);
  });

  it('when nobody answers and no app runs, then it ends so after 60 s', async () => {
    const { ask, asked } = stage(following('council'), { one: [KEYLESS], two: [SPARE] });
    const pending = ask();
    expect(await isOverAfter(pending, 59_999)).toBe(false);
    expect(await isOverAfter(pending, 1)).toBe(true);
    expect(await errorIn(await pending)).toContain('paused in this session');
    expect(asked.length).toBe(1);
  });

  it('when the user stops the turn meanwhile, then nothing moves, whatever is answered later', async () => {
    const { double, asked, ask } = stage(following('council'), { one: [KEYLESS], two: [SPARE] });
    const user = new AbortController();
    const pending = ask({}, user.signal).catch((cause: Error) => cause.name);
    await vi.advanceTimersByTimeAsync(10_000);
    user.abort();
    expect(await pending).toBe('AbortError');
    answer(double, true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, double.prompts]).toEqual([1, []]);
  });

  it('when the answer breaks off in the middle, then the question waits in the stream, and a yes moves the turn', async () => {
    const agents = {
      '*': { chain: CHAIN, policy: { ...PRESETS.council, stream_interrupted: [{ step: 'ask' as const }] } },
    };
    const { double, ask } = stage(following('council', { agents }), {
      one: [streaming([delta({ content: 'Half' })], 'cut')],
      two: [SPARE],
    });
    const body = (await ask()).text();
    expect(await isOverAfter(body, 20_000)).toBe(false);
    answer(double, true);
    expect(textIn(await body)).toBe('Half');
    expect(textIn(await (await ask()).text())).toBe('UNDERSTUDY ANSWERS');
  });
});
