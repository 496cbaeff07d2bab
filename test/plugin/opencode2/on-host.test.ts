import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { CLOCK_JUMPS, setWallClock } from '../../support/clock-jumps';
import { patiently } from '../../support/eventually';
import { textsBelow } from '../../support/files-below';
import { nightlyIf } from '../../support/nightly';
import { type Ended, heldTime, skippedTime } from '../../support/opencode2';
import { type CaseOptions, openCase } from '../../support/opencode2/case';
import { freshCompanion, heardLog } from '../../support/opencode2/companion';
import { failingBeside, LEAD, LIMITED, OK, status } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

/** A project on a host of its own with a companion of its own. */
async function open(options: CaseOptions = {}) {
  const { sleep, asked: waits } = skippedTime();
  const place = await openCase(provider, await freshCompanion(), { sleep, ...options });
  const script = (at: number, ...steps: Parameters<ScriptedProvider['script']>[1] & readonly unknown[]) =>
    provider.script(place.ids[at] ?? '', steps as never);
  return { ...place, waits, script };
}

const LONG = { defaults: { cooldownMs: 60_000, restMs: 60_000 } };
describe('given a sub-agent whose model fails', () => {
  it('when its understudy answers, then the parent goes on with its own model, and nobody was asked twice', async () => {
    const place = await open({ config: (chain) => ({ agents: { plan: { fallbackModels: [chain[1]] } } }) });
    place.script(
      0,
      { kind: 'toolCall', name: 'subagent', arguments: { agent: 'plan', prompt: 'look' } },
      status(503),
      LEAD,
    );
    place.script(1, OK);
    const seat = place.sit();
    expect(await seat.ask('go')).toBe('succeeded');
    const [, child] = place.sessions();
    expect([seat.said(), seat.rows().some(({ type }) => type === 'model-switched'), child?.parentID]).toEqual([
      ['LEAD ANSWERS'],
      false,
      seat.id,
    ]);
    expect(place.asked()).toEqual([3, 1]);
  });
});

describe('given what OpenCode asks models for beside a turn', () => {
  it.each(['own', 'session'] as const)(
    'when a title fails under the name of its %s agent, then the turn keeps its model and ends',
    async (housekeepingAgent) => {
      const place = await open({ hasTitles: true, knobs: { housekeepingAgent }, ...LONG });
      provider.script(place.ids[0] ?? '', failingBeside);
      place.script(1, OK);
      const seat = place.sit();
      expect([await seat.ask('go'), seat.said()]).toEqual(['succeeded', ['LEAD ANSWERS']]);
      await place.settled();
      expect([seat.rows().map(({ type }) => type), seat.state.model]).toEqual([['user', 'assistant'], null]);
    },
  );

  it('when the title and the turn fail at once, then the turn moves on without a pause', async () => {
    const place = await open({ hasTitles: true, ...LONG });
    place.script(0, status(503));
    place.script(1, OK);
    const seat = place.sit();
    expect([await seat.ask('go'), seat.said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
    const turns = provider.requests(place.ids[0]).filter(({ body }) => 'tools' in (body as object));
    expect(turns).toHaveLength(1);
  });

  it('when nobody can tell the title that fails at once from the turn, then the turn moves on, at the latest after OpenCode’s own retries', async () => {
    const place = await open({ hasTitles: true, knobs: { housekeepingAgent: 'session' }, ...LONG });
    place.script(0, status(503));
    place.script(1, OK);
    const seat = place.sit();
    await seat.ask('go');
    await place.until(() => seat.said().at(-1) === 'UNDERSTUDY ANSWERS');
  });

  it('when a compaction fails, then it moves nothing, and the next prompt goes past the model that is out', async () => {
    const place = await open(LONG);
    provider.script(place.ids[0] ?? '', failingBeside);
    place.script(1, OK);
    const seat = place.sit();
    await seat.ask('one');
    await seat.compact();
    expect(seat.state.model).toBeNull();
    expect([await seat.ask('two'), seat.said().at(-1)]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS']);
  });
});

for (const [jump, byMs] of CLOCK_JUMPS)
  describe(`given a wall clock that somebody sets ${jump}`, nightlyIf(!jump.startsWith('a day')), () => {
    afterEach(() => {
      vi.unstubAllGlobals();
    });

    it('when that is while a retry waits, then the turn goes on as if nothing were', async () => {
      const { sleep } = skippedTime();
      const jumpingOnce: typeof sleep = async (ms, signal) => {
        if (!isSet) setWallClock(byMs);
        isSet = true;
        await sleep(ms, signal);
      };
      let isSet = false;
      const place = await open({ sleep: jumpingOnce, ...LONG });
      place.script(0, status(429, { 'retry-after': '2' }));
      place.script(1, OK);
      const seat = place.sit();
      expect([await seat.ask('go'), seat.said(), place.asked(), isSet]).toEqual([
        'succeeded',
        ['UNDERSTUDY ANSWERS'],
        [2, 1],
        true,
      ]);
    });

    it('when its lead is out for a minute, then the next message goes past it', async () => {
      const place = await open(LONG);
      place.script(0, LIMITED, LEAD);
      place.script(1, OK);
      const seat = place.sit();
      await seat.ask('one');
      setWallClock(byMs);
      expect([await seat.ask('two'), seat.said(), place.asked()]).toEqual([
        'succeeded',
        ['UNDERSTUDY ANSWERS', 'UNDERSTUDY ANSWERS'],
        [1, 2],
      ]);
    });

    it('when its lead is out for less than a second, then it is back as soon as ever', async () => {
      const place = await open();
      place.script(0, status(429), LEAD);
      place.script(1, OK);
      const seat = place.sit();
      await seat.ask('one');
      setWallClock(byMs);
      await patiently(async () => {
        await seat.ask('again');
        expect(seat.said().at(-1)).toBe('LEAD ANSWERS');
      });
    });
  });

describe('given a person who picks a model themselves', () => {
  it('when they do so while a retry waits, then that model answers, and stays', async () => {
    const held = heldTime();
    const place = await open({ models: 3, sleep: held.sleep });
    place.script(0, status(429, { 'retry-after': '2' }));
    place.script(1, OK);
    place.script(2, { kind: 'text', text: 'PICKED ANSWERS' });
    const seat = place.sit();
    const ended = seat.ask('go');
    await held.isAsked;
    const [, , picked] = place.refs;
    if (picked) seat.select(picked);
    held.letGo();
    expect([await ended, seat.said()]).toEqual(['succeeded', ['PICKED ANSWERS']]);
    await place.settled();
    expect([seat.state.model, place.asked()]).toEqual([picked, [1, 0, 1]]);
  });

  it('when they do so after a switch, then it is not taken back', async () => {
    const place = await open({ models: 3, ...LONG });
    place.script(0, LIMITED);
    place.script(1, OK);
    place.script(2, { kind: 'text', text: 'PICKED ANSWERS' });
    const seat = place.sit();
    await seat.ask('one');
    const [, , picked] = place.refs;
    if (picked) seat.select(picked);
    expect([await seat.ask('two'), seat.said().at(-1), seat.state.model]).toEqual([
      'succeeded',
      'PICKED ANSWERS',
      picked,
    ]);
  });
});

describe('given a turn that has left its lead', () => {
  it('when it is over, then the session has the model again that it had before', async () => {
    const place = await open(LONG);
    place.script(0, LIMITED);
    place.script(1, OK);
    const [lead] = place.refs;
    const seat = place.sit(lead ? { model: lead } : {});
    await seat.ask('go');
    await place.until(() => seat.state.model?.id === lead?.id);
  });

  it('when a provider asks for two seconds, then its model is asked again after them', async () => {
    const place = await open();
    place.script(0, status(429, { 'retry-after': '2' }), LEAD);
    place.script(1, OK);
    expect(await place.sit().ask('go')).toBe('succeeded');
    expect([place.asked(), place.waits.map((ms) => Math.round(ms / 1_000))]).toEqual([[2, 0], [2]]);
  });

  it('when it never answers a request that OpenCode sends itself, then OpenCode’s own limit counts as its failure', async () => {
    const place = await open({ limits: { headerMs: 200, chunkMs: 5_000 }, knobs: { takesRequest: false } });
    place.script(0, { kind: 'hang' });
    place.script(1, OK);
    const seat = place.sit();
    // Twice: that is how it is found out that this OpenCode sends its requests itself.
    expect([await seat.ask('go'), seat.said(), place.asked()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS'], [2, 1]]);
  });

  it('when an error comes in the middle of its stream, which no hook hears of, then the turn is taken up once', async () => {
    const place = await open(LONG);
    place.script(0, { kind: 'sseError', message: 'The server is overloaded.', text: 'half a' });
    place.script(1, OK);
    const seat = place.sit();
    await seat.ask('go');
    await place.until(() => seat.said().at(-1) === 'UNDERSTUDY ANSWERS');
    await place.settled();
    expect(place.asked()).toEqual([1, 1]);
  });
});

describe('given a chain with models that OpenCode cannot ask', () => {
  it('when one is not listed, then it is passed over', async () => {
    const place = await open({
      ...LONG,
      config: (chain) => ({ agents: { '*': { fallbackModels: ['ghost/none', chain[1]] } } }),
    });
    place.script(0, LIMITED);
    place.script(1, OK);
    const seat = place.sit();
    expect([await seat.ask('go'), seat.said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
  });

  it('when one is listed and has no route, then the turn is taken up with the next', async () => {
    const place = await open({ ...LONG, models: 3, offered: (at) => (at === 1 ? { isBroken: true } : {}) });
    place.script(0, LIMITED);
    place.script(2, OK);
    const seat = place.sit();
    await seat.ask('go');
    await place.until(() => seat.said().at(-1) === 'UNDERSTUDY ANSWERS');
    expect(place.asked()).toEqual([1, 0, 1]);
  });
});

describe('given a policy', () => {
  it('when it asks a model three times more, then that model is asked four times before it is left', async () => {
    const place = await open({ defaults: { ...LONG.defaults, policy: 'steady' } });
    place.script(0, status(429));
    place.script(1, OK);
    expect([await place.sit().ask('go'), place.asked()]).toEqual(['succeeded', [4, 1]]);
  });

  it('when it waits 30 s before it leaves a model, then OpenCode is asked to wait that long', async () => {
    const place = await open({ defaults: { ...LONG.defaults, policy: 'patient' } });
    place.script(0, status(503));
    place.script(1, OK);
    expect(await place.sit().ask('go')).toBe('succeeded');
    expect([place.waits.some((ms) => ms >= 29_000), place.asked()[1]]).toEqual([true, 1]);
  });

  it.each([
    ...[401, 403, 404, 429, 500, 503, 529].map((code) => status(code)),
    ...([{ kind: 'emptyBody' }, { kind: 'cut', text: '' }, { kind: 'html' }] as const),
  ])('when 11 of 12 models fail with %j, then the last one answers, and each was requested once', async (step) => {
    const place = await open({ ...LONG, models: 12 });
    for (let at = 0; at < 11; at += 1) place.script(at, step);
    place.script(11, OK);
    const seat = place.sit();
    await seat.ask('go');
    await place.until(() => seat.said().at(-1) === 'UNDERSTUDY ANSWERS');
    expect(place.asked()).toEqual(Array.from({ length: 12 }, () => 1));
  });
});

describe('given an answer that ends for a reason that no list names', () => {
  it('when OpenCode reads it, then it stops, and nobody is requested again', async () => {
    const place = await open(LONG);
    place.script(0, { kind: 'finishReason', text: 'WHOLE', reason: 'because' });
    const seat = place.sit();
    expect([await seat.ask('go'), seat.said(), place.asked()]).toEqual(['succeeded', ['WHOLE'], [1, 0]]);
  });
});

describe('given a chain whose models all fail', () => {
  it('when it has 12 models, then each is requested once', async () => {
    const place = await open({ ...LONG, models: 12 });
    for (let at = 0; at < 12; at += 1) place.script(at, LIMITED);
    await place.sit().ask('go');
    await place.until(() => place.asked().at(-1) === 1);
    await place.sit().ask('again');
    expect(place.asked()).toEqual(Array.from({ length: 12 }, () => 1));
  });

  it.each([
    [LIMITED, /^Understudy: all models of this chain are unavailable \(.*is back first, about \d\d:\d\d/],
    [status(500), /^Understudy: all models of this chain are unavailable for this message \(.*takes the next one/],
  ])('when it has 4 and they answer %j, then the error gives the cause and the first return', async (step, text) => {
    const place = await open({ ...LONG, models: 4 });
    for (let at = 0; at < 4; at += 1) place.script(at, step);
    const end = await place.sit().ask('go');
    expect([place.asked(), end]).toEqual([[1, 1, 1, 1], expect.objectContaining({ message: expect.any(String) })]);
    expect((end as { message: string }).message.replaceAll('\u2060', '')).toMatch(text);
  });
});

describe('given a command of ours', () => {
  it('when it is answered, then nobody is asked, and no model is ever shown the answer', async () => {
    const place = await open(LONG);
    place.script(0, LEAD);
    const seat = place.sit();
    await seat.command('fallback-status');
    expect([seat.state.inbox.length, place.asked()]).toEqual([1, [0, 0]]);
    const [answer] = seat.state.inbox;
    expect(await seat.ask('hello')).toBe('succeeded');
    const [request] = provider.requests(place.ids[0]);
    expect(answer?.text).toContain('lead-model');
    expect(JSON.stringify(request?.body)).not.toContain(answer?.text.slice(0, 20));
  });
});

describe('given many sessions at once', () => {
  it('when their model fails for all of them, then each is answered, and each session is home again', async () => {
    const place = await open(LONG);
    place.script(0, status(503));
    place.script(1, OK);
    const seats = Array.from({ length: 20 }, () => place.sit());
    const ends = await Promise.all(seats.map((seat) => seat.ask('go')));
    expect(new Set(ends)).toEqual(new Set(['succeeded']));
    expect(seats.map((seat) => seat.said())).toEqual(seats.map(() => ['UNDERSTUDY ANSWERS']));
    const [lead] = place.refs;
    await place.until(() => seats.every(({ state }) => state.model === null || state.model.id === lead?.id));
    expect(place.asked()[1]).toBe(20);
  });
});

describe('given several locations in one process', () => {
  it('when one turn fails in each, then each has its own understudy', async () => {
    const companion = await freshCompanion();
    const places = await Promise.all([0, 1].map(() => openCase(provider, companion, { sleep: skippedTime().sleep })));
    for (const { ids } of places) {
      provider.script(ids[0] ?? '', [LIMITED]);
      provider.script(ids[1] ?? '', [OK]);
    }
    const ends: Ended[] = await Promise.all(places.map((place) => place.sit().ask('go')));
    expect([ends, places.map((place) => place.asked())]).toEqual([
      ['succeeded', 'succeeded'],
      [
        [1, 1],
        [1, 1],
      ],
    ]);
  });
});

describe('given a location that ends', () => {
  it('when it is closed, then nothing of the companion listens there any more', async () => {
    const place = await open();
    expect(place.listeners()).toBeGreaterThan(0);
    await place.close();
    await patiently(() => expect(place.listeners()).toBe(0));
  });
});

describe('given nothing to do', () => {
  it('when there is no chain, then OpenCode’s own retries are all there is', async () => {
    const place = await open({ config: { agents: {} } });
    await rm(join(place.directory, '.opencode', 'model-fallback.json'));
    place.script(0, status(503));
    expect(await place.sit().ask('go')).toMatchObject({ type: 'provider.internal' });
    expect(place.asked()).toEqual([11, 0]);
  });

  it('when OpenCode 1 calls it with less than OpenCode 2 gives, then nothing happens', async () => {
    const companion = await freshCompanion();
    await expect(Promise.resolve(companion.setup({ options: {} }))).resolves.not.toThrow();
  });
});

describe('given a person’s words and keys', () => {
  it('when a turn has been moved, then none of them is kept or logged', async () => {
    const lines = heardLog();
    const companion = await freshCompanion();
    const place = await openCase(provider, companion, { sleep: skippedTime().sleep });
    provider.script(place.ids[0] ?? '', [LIMITED]);
    provider.script(place.ids[1] ?? '', [OK]);
    await place.sit().ask('SECRET-WORDS');
    await place.close();
    const kept = await textsBelow(companion.home);
    for (const text of [...kept, ...lines, JSON.stringify([...place.storage.entries()])])
      expect(text).not.toMatch(/SECRET-WORDS|UNDERSTUDY ANSWERS|not-a-real-key/);
  });
});
