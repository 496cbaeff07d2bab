import { describe, expect, it } from 'vitest';
import {
  createFallback,
  createPool,
  emptyAnswer,
  type FallbackEvent,
  refusedResponse,
  type StopSignal,
} from '../../../src/engine/fallback/create-fallback';
import { FAIL, playing, Stage } from './stage';
import { VirtualClock } from './virtual-clock';

const MINUTE = 60_000;

/** A fallback whose models answer with streams, and what was asked. */
function streaming(play: (model: string, signal: StopSignal) => AsyncIterable<string>, changes = {}) {
  const clock = new VirtualClock();
  const asked: { model: string; signal: StopSignal }[] = [];
  let open = 0;
  const fallback = createFallback({
    primaryModel: 'a/1',
    fallbackModels: ['b/1'],
    clock,
    call: async (model, _question: string, { signal }) => {
      asked.push({ model, signal });
      return play(model, signal);
    },
    onEvent: ({ type }) => {
      if (type === 'attempt.began') open++;
      if (type === 'attempt.ended') open--;
    },
    ...changes,
  });
  return { clock, asked, fallback, underWay: () => open };
}

async function* pieces(...texts: readonly (string | Error | 'hang')[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text === 'hang') await new Promise(() => undefined);
    else if (text instanceof Error) throw text;
    else yield text;
  }
}

async function readAll(stream: AsyncIterable<string>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const piece of stream) text += piece;
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

const modelsOf = (asked: readonly { model: string }[]): string[] => asked.map(({ model }) => model);

describe('given answers that are none', () => {
  it('when a response was refused with 429 for 30 s, then the next model answers, and the lead is left alone for 30 s', async () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    const fallback = createFallback({
      primaryModel: 'a/1',
      fallbackModels: ['b/1'],
      clock,
      failureIn: refusedResponse,
      call: async (model, _question: string) => {
        asked.push(model);
        return model === 'a/1'
          ? new Response('{}', { status: 429, headers: { 'retry-after': '30' } })
          : new Response('fine');
      },
    });
    const { value, model } = await fallback.consult('question');
    expect([await value.text(), model, asked]).toEqual(['fine', 'b/1', ['a/1', 'b/1']]);
    expect(fallback.health()[0]).toMatchObject({ state: 'cooling', last: { kind: 'rate_limit', status: 429 } });
  });

  it('when an answer is empty, then the next model answers', async () => {
    const stage = new Stage(playing({ 'a/1': '  ' }), { failureIn: emptyAnswer });
    expect(await stage.answer()).toMatchObject({ value: 'b/1 says hello', switches: 1 });
    expect(stage.fallback.health()[0]?.last).toMatchObject({ kind: 'empty_response' });
  });

  it('when all are refused, then what a call returned is the cause of the end', async () => {
    const refusal = { error: FAIL.overloaded() };
    const stage = new Stage(playing({}), { failureIn: () => refusal });
    expect(await stage.refusal()).toMatchObject({ name: 'FallbackExhaustedError', cause: refusal.error });
  });
});

describe('given calls that answer with streams', () => {
  it('when all is well, then every piece comes, and the attempt ends with the last', async () => {
    const { fallback, asked, underWay } = streaming(() => pieces('Hel', 'lo'));
    const { pieces: stream, model } = await fallback.stream('question');
    expect([underWay(), model]).toEqual([1, 'a/1']);
    expect(await readAll(stream)).toEqual({ text: 'Hello', error: null });
    expect([underWay(), modelsOf(asked)]).toEqual([0, ['a/1']]);
    expect(fallback.health()[0]).toMatchObject({ calls: 1, failed: 0 });
  });

  it.each([
    ['it throws before its first piece', () => pieces(FAIL.overloaded())],
    ['it has no piece', () => pieces()],
  ])('when %s, then the next model answers', async (_, play) => {
    const { fallback, asked } = streaming((model) => (model === 'a/1' ? play() : pieces('Hello')));
    const { pieces: stream, switches } = await fallback.stream('question');
    expect([await readAll(stream), switches, modelsOf(asked)]).toEqual([
      { text: 'Hello', error: null },
      1,
      ['a/1', 'b/1'],
    ]);
  });

  it('when the first piece does not come within 2 s, then that call is aborted and the next model answers', async () => {
    const { clock, fallback, asked } = streaming((model) => pieces(model === 'a/1' ? 'hang' : 'Hello'), {
      firstTokenTimeoutMs: 2_000,
    });
    const waiting = fallback.stream('question');
    await clock.advance(1_999);
    expect(modelsOf(asked)).toEqual(['a/1']);
    await clock.advance(1);
    const { pieces: stream } = await waiting;
    expect([await readAll(stream), asked[0]?.signal.aborted]).toEqual([{ text: 'Hello', error: null }, true]);
  });

  it('when it breaks off after its first piece, then the reader gets the error, and the model has failed', async () => {
    const cut = FAIL.server();
    const { fallback, asked, underWay } = streaming(() => pieces('Hel', cut));
    const { pieces: stream } = await fallback.stream('question');
    expect([await readAll(stream), modelsOf(asked)]).toEqual([{ text: 'Hel', error: cut }, ['a/1']]);
    expect(fallback.health()[0]).toMatchObject({ calls: 1, failed: 1, last: { kind: 'server_error' } });
    expect(underWay()).toBe(0);
  });

  it('when it stalls for 5 s, then the reader gets a TimeoutError, and the call is aborted', async () => {
    const { clock, fallback, asked } = streaming(() => pieces('Hel', 'hang'), { stallTimeoutMs: 5_000 });
    const { pieces: stream } = await fallback.stream('question');
    const reading = readAll(stream);
    await clock.advance(5_000);
    expect(await reading).toMatchObject({ text: 'Hel', error: { name: 'TimeoutError' } });
    expect([asked[0]?.signal.aborted, fallback.health()[0]?.failed]).toEqual([true, 1]);
  });

  it('when its reader has had enough, then the call is aborted and nobody is blamed', async () => {
    const { fallback, asked, underWay } = streaming(() => pieces('Hel', 'lo', 'hang'));
    const { pieces: stream } = await fallback.stream('question');
    for await (const piece of stream) if (piece === 'Hel') break;
    expect([asked[0]?.signal.aborted, fallback.health()[0]?.failed, underWay()]).toEqual([true, 0, 0]);
  });

  it('when the caller stops it in the middle, then the reader gets the reason, and nobody is blamed', async () => {
    const { fallback, asked } = streaming(() => pieces('Hel', 'hang'));
    const stop = new AbortController();
    const { pieces: stream } = await fallback.stream('question', { signal: stop.signal });
    const reading = readAll(stream);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort('enough');
    expect(await reading).toEqual({ text: 'Hel', error: 'enough' });
    expect([asked[0]?.signal.aborted, fallback.health()[0]?.failed]).toEqual([true, 0]);
  });
});

describe('given failures that are named by the caller', () => {
  const tea = () => Object.assign(new Error('It is tea time'), { status: 500, code: 'tea_break' });

  it('when its own rule calls one a limit of 10 minutes, then the model cools down for 10 minutes', async () => {
    const stage = new Stage(playing({ 'a/1': tea }), {
      classify: (error) => (String(error).includes('tea') ? { kind: 'rate_limit', retryAfterMs: 10 * MINUTE } : null),
    });
    await stage.answer();
    expect(stage.fallback.health()[0]).toMatchObject({
      ...{ state: 'cooling', backInMs: 10 * MINUTE, last: { kind: 'rate_limit' } },
    });
  });

  it('when a map of its provider calls one a quota, then it is one there and nowhere else', async () => {
    const map = {
      version: 1,
      provider: 'a',
      aliases: [],
      vendor: 'a',
      statuses: {},
      phrases: [],
      resetHeaders: [],
    } as const;
    const stage = new Stage(playing({ 'a/1': tea, 'b/1': tea }), {
      providerMaps: [{ ...map, codes: { tea_break: { kind: 'quota' } } }],
    });
    await stage.answer();
    expect(stage.fallback.health().map(({ last }) => last?.kind ?? null)).toEqual(['quota', 'server_error', null]);
  });
});

describe('given two fallbacks in one pool', () => {
  it('when one of them meets a limit, then the other asks the next model at once', async () => {
    const pool = createPool();
    const first = new Stage(playing({ 'a/1': FAIL.limited }), { pool });
    const second = new Stage(playing({}), { pool, clock: first.clock });
    await first.answer();
    const { model } = await second.fallback.consult('question');
    expect([first.asked, model, second.asked]).toEqual([['a/1', 'b/1'], 'b/1', ['b/1']]);
    expect(second.states()).toBe(first.states());
  });
});

describe('given health that was saved', () => {
  it('when it is taken in by another life, then what was left of a cooldown is left there', async () => {
    const first = new Stage(playing({ 'a/1': () => FAIL.limited(600) }));
    await first.answer();
    await first.clock.advance(4 * MINUTE);
    const saved: unknown = JSON.parse(JSON.stringify(first.fallback.save()));

    const second = new Stage(playing({}), { saved });
    expect(second.fallback.health()[0]).toMatchObject({ state: 'cooling', backInMs: 6 * MINUTE });
    expect(await second.answer()).toMatchObject({ model: 'b/1' });
  });

  it.each([
    ['damaged', { format: 'understudy.engine', v: 1, state: { models: 'many' } }],
    ['of a newer version', { format: 'understudy.engine', v: 99, state: {} }],
    ['no state at all', 'hello'],
  ])('when it is %s, then nothing of it counts', (_, saved) => {
    expect(new Stage(playing({}), { saved }).states()).toBe('unseen unseen unseen');
  });

  it.each([
    [1_900, 1],
    [2_001, 0],
  ])('when it names %i models more, then the failures that count are %i', async (count, failed) => {
    const first = new Stage(playing({ 'a/1': FAIL.server }));
    await first.answer();
    const { state, ...about } = first.fallback.save();
    const [entry] = state.models.flat();
    if (!entry) throw new Error('a model that has failed is known');
    const more = Array.from({ length: count }, (_, at) => [`m/${at}`, entry[1]] as const);
    const models = state.models.map((bucket, at) => (at === 0 ? [...bucket, ...more] : bucket));
    const second = new Stage(playing({}), { saved: { ...about, state: { ...state, models } } });
    expect(second.fallback.health()[0]?.failed).toBe(failed);
  });
});

describe('given a person who decides', () => {
  it('when a model is isolated, then it is not asked until it is released', async () => {
    const stage = new Stage(playing({}));
    stage.fallback.isolate('a/1');
    expect(await stage.answer()).toMatchObject({ model: 'b/1', switches: 0 });
    stage.fallback.release('a/1');
    expect(await stage.answer()).toMatchObject({ model: 'a/1' });
  });

  it('when it is held out for 10 minutes, then it is asked after them; held in, it is asked whatever it does', async () => {
    const stage = new Stage(playing({}));
    stage.fallback.hold('a/1', 'out', 10 * MINUTE);
    expect((await stage.answer()).model).toBe('b/1');
    await stage.clock.advance(10 * MINUTE);
    expect((await stage.answer()).model).toBe('a/1');

    stage.play = playing({ 'a/1': FAIL.limited });
    stage.fallback.hold('a/1', 'in');
    for (let time = 0; time < 5; time++) await stage.answer();
    expect(stage.asked.filter((model) => model === 'a/1')).toHaveLength(6);
  });

  it('when one is pinned, then it is asked alone, and its error is the end; unpinned, the chain counts again', async () => {
    const stage = new Stage(playing({ 'c/1': FAIL.server }));
    stage.fallback.pin('c/1');
    expect(await stage.refusal()).toBeInstanceOf(Error);
    expect(new Set(stage.asked)).toEqual(new Set(['c/1']));
    stage.fallback.pin(null);
    expect((await stage.answer()).model).toBe('a/1');
  });

  it.each(['isolate', 'release', 'pin', 'reset'] as const)(
    'when %s names a model of no chain, then it throws a RangeError',
    (act) => {
      expect(() => new Stage(playing({})).fallback[act]('z/1')).toThrow(/accepts a\/1, b\/1, c\/1, got "z\/1"/);
    },
  );

  it('when it is disposed of, then what is under way is stopped, and whoever asks afterwards is refused', async () => {
    const stage = new Stage(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const waiting = stage.fallback.consult('question');
    stage.fallback.dispose();
    await expect(waiting).rejects.toThrow('disposed');
    await expect(stage.fallback.consult('question')).rejects.toThrow('disposed');
    stage.fallback.dispose();
    expect(stage.asked).toEqual(['a/1']);
  });
});

describe('given limits', () => {
  it('when vendors or prices are limited, then only those within are asked', async () => {
    const models = {
      'a/1': { vendor: 'a', priceIn: 1, priceOut: 1 },
      'b/1': { vendor: 'b', priceIn: 9, priceOut: 9 },
      'c/1': { vendor: 'a', priceIn: 2, priceOut: 2 },
    };
    const play = playing({ 'a/1': FAIL.overloaded });
    for (const limit of [{ vendorLock: true }, { maxPriceRatio: 3 }]) {
      const stage = new Stage(play, { models, ...limit });
      expect(await stage.answer()).toMatchObject({ model: 'c/1' });
      expect(stage.asked).not.toContain('b/1');
    }
  });

  it('when a consult may retry once, then the same model is asked twice, 500 ms apart, and then the next', async () => {
    const policy = 'steady';
    const stage = new Stage(playing({ 'a/1': FAIL.gateway }), {
      ...{ policy, retryBudget: { perSession: 1 }, backoff: { baseMs: 500, jitter: 0 } },
    });
    await stage.answer();
    expect([stage.asked, stage.clock.now()]).toEqual([['a/1', 'a/1', 'b/1'], 500]);
  });
});

describe('given a listener', () => {
  it('when a consult switches, then it hears of both attempts, the model and the decision, in order; what it throws is lost', async () => {
    const heard: string[] = [];
    const onEvent = (event: FallbackEvent): void => {
      heard.push(
        event.type === 'decided' ? event.decision.code : `${event.type} ${'model' in event ? event.model : ''}`.trim(),
      );
      throw new Error('a bug of the listener');
    };
    const stage = new Stage(playing({ 'a/1': FAIL.limited }), { onEvent });
    await stage.answer();
    expect(
      heard.filter((line) => !line.startsWith('turn.') && !line.startsWith('speaker.') && !line.startsWith('session.')),
    ).toEqual([
      'keep.lead',
      'attempt.began a/1',
      'attempt.ended a/1',
      'model.changed a/1',
      'switch.rate_limit',
      'attempt.began b/1',
      'attempt.ended b/1',
    ]);
  });
});
