import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { PRESETS } from '../../../src/engine/tools';
import { onResponse } from '../../../src/plugin/opencode2/request/answer';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import { hold } from '../../../src/plugin/opencode2/request/held';
import { onRetry } from '../../../src/plugin/opencode2/request/retry';
import { answered } from '../../../src/plugin/opencode2/session/asking';
import { listAnew } from '../../../src/plugin/opencode2/session/catalogue';
import { virtualClock } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { type Knobs, skippedTime } from '../../support/opencode2';
import { openCase } from '../../support/opencode2/case';
import { freshCompanion, heardLog } from '../../support/opencode2/companion';
import { OK, status } from '../../support/opencode2/promises';
import { asking, LEAD, openInstance, refOf, responded, SPARE } from '../support/opencode2-instance';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

const COUNCIL = { cooldownMs: 60_000, restMs: 60_000, policy: 'council' };
const QUESTION = /build asks you whether understudy1-model-\w+ may continue: .*\/yes or \/no/;

/** A turn on a host of some kind whose lead has lost its key, as soon as the user is asked. */
async function asked(knobs: Partial<Knobs> = {}) {
  const lines = heardLog();
  const place = await openCase(provider, await freshCompanion(), {
    sleep: skippedTime().sleep,
    defaults: COUNCIL,
    knobs,
  });
  provider.script(place.ids[0] ?? '', [status(401)]);
  provider.script(place.ids[1] ?? '', [OK, OK]);
  const seat = place.sit();
  const ended = seat.ask('go');
  await patiently(() => expect(lines).toContainEqual(expect.stringMatching(QUESTION)));
  return { place, seat, ended, lines };
}

describe('given a policy that asks, and an OpenCode 2 that is not as its documents say', () => {
  it.each<readonly [string, Partial<Knobs>]>([
    ['another request is not taken', { takesRequest: false }],
    ['another response is not taken', { response: 'ignored' }],
    ['a response cannot be set', { response: 'frozen' }],
    ['there are no events', { hasEvents: false }],
    ['every hook is called twice', { hookCalls: 2 }],
    ['the retry hook never hears of it', { hidesFromRetry: () => true }],
  ])('when %s, then nobody steps in before a yes, and the next model afterwards', async (_, knobs) => {
    const { place, seat, ended } = await asked(knobs);
    expect([place.asked()[1], seat.state.model]).toEqual([0, null]);
    await seat.command('yes');
    await patiently(() => expect(seat.said()).toEqual(['UNDERSTUDY ANSWERS']));
    await ended;
    // A host whose responses cannot be replaced is found out by asking twice.
    expect(place.asked()[1]).toBeLessThanOrEqual(knobs.response === 'ignored' ? 2 : 1);
    expect(place.asked()[0]).toBeLessThanOrEqual(3);
  });

  it('when a switch is refused, then a yes moves nothing, and OpenCode goes on by itself', async () => {
    const { place, seat, ended } = await asked({ switchModel: 'rejects' });
    await seat.command('yes');
    await ended;
    expect(place.asked()[1]).toBe(0);
  });
});

describe('given a question that is put after OpenCode has given up', () => {
  const ENDED = { hidesFromRetry: () => true, response: 'frozen' } as const;

  it('when the answer is no, then nobody takes the turn up, and the sentence says so', async () => {
    const { place, seat, ended } = await asked(ENDED);
    await ended;
    await seat.command('no');
    await patiently(() =>
      expect(seat.state.inbox.map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/^Understudy: build is paused in this session/),
      ),
    );
    expect(place.asked()).toEqual([1, 0]);
  });

  it('when another message comes instead, then the question is gone with its turn, and one yes is enough for the new one', async () => {
    const { place, seat, ended, lines } = await asked(ENDED);
    await ended;
    const second = seat.ask('and now');
    await patiently(() => expect(lines.filter((line) => QUESTION.test(line))).toHaveLength(2));
    await seat.command('yes');
    await second;
    await patiently(() => expect(seat.said()).toEqual(['UNDERSTUDY ANSWERS']));
    expect(place.asked()[1]).toBe(1);
  });
});

describe('given a policy that asks', () => {
  it('when nobody answers within a minute, then the turn ends with the sentence, and nobody is asked', async () => {
    const clock = virtualClock();
    const { instance, host } = openInstance({ scope: COUNCIL_SCOPE, clock });
    const refusal = () => responded(new Response('{}', { status: 401 }));
    await beginCall(instance, asking());
    const first = refusal();
    await onResponse(instance, first);
    expect([first.response.status, await first.response.text()]).toEqual([503, expect.stringContaining('asks you')]);
    expect(await onRetry(instance, FAILED)).toEqual({ retry: true, delay: 0 });

    await beginCall(instance, asking());
    const call = instance.sessions.get(FAILED.sessionID)?.calls.get('primary');
    const request = { ...asking(), request: responded(new Response('')).request };
    if (call) hold(call, request);
    const second = { ...refusal(), response: await fetch(request.request) };
    const waiting = onResponse(instance, second);
    clock.advance(59_999);
    expect(instance.companion.brain.state().questions).toHaveLength(1);
    clock.advance(1);
    await waiting;
    expect([second.response.status, await second.response.text()]).toEqual([
      400,
      expect.stringContaining('Understudy: build is paused in this session'),
    ]);
    expect(await onRetry(instance, FAILED)).toEqual({ retry: false });
    expect([host.set, host.said]).toEqual([[], []]);
  });
});

describe('given a yes to a model that OpenCode does not list', () => {
  it('when the next one is asked about, then no request goes to the lead meanwhile, and its yes moves the turn', async () => {
    const third = 'third/three';
    const scope = {
      abilities: ['ask'],
      agents: { '*': { chain: [LEAD, SPARE, third], policy: PRESETS.council } },
    } as const;
    const list = async () => [LEAD, third].map(refOf);
    const { instance, host, brain } = openInstance({ scope, context: { model: { list } } });
    await listAnew(instance);
    const yes = () => brain.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    await beginCall(instance, asking());
    await onResponse(instance, responded(new Response('{}', { status: 401 })));
    yes();
    const call = instance.sessions.get(FAILED.sessionID)?.calls.get('primary');
    if (call) await answered(instance, call);
    const said = vi.fn();
    const carried = onRetry(instance, FAILED);
    void carried.then(said);
    await patiently(() => expect(brain.state().questions).toMatchObject([{ model: SPARE, to: third }]));
    expect([said.mock.calls, host.set]).toEqual([[], []]);
    yes();
    expect([await carried, host.model]).toEqual([{ retry: true, delay: 0 }, refOf(third)]);
  });
});

const COUNCIL_SCOPE = {
  abilities: ['ask'],
  agents: { '*': { chain: [LEAD, SPARE], policy: PRESETS.council } },
} as const;

const FAILED = {
  ...asking(),
  error: { type: 'provider.internal', message: 'no', status: 503 },
  attempt: 2,
  decision: { retry: true, delay: 2_000 },
} as const;
