import { describe, expect, it } from 'vitest';
import type { PersonAct } from '../../../src/contract/acts';
import { Snapshot } from '../../../src/contract/snapshot';
import { LogRecord } from '../../../src/core/base/record';
import { ABILITIES, initialState, standingOf, step } from '../../../src/engine';
import { exportHealth, PRESETS } from '../../../src/engine/tools';
import type { CompanionEvent, RelayedAct } from '../../../src/protocol';
import {
  CHAIN,
  configured,
  DIRECTORY,
  failed,
  openArmedCore,
  openTestCore,
  prompted,
  START,
  started,
  type TestCore,
} from '../virtual-core';

const MINUTE = 60_000;
const LEAD = CHAIN[0];
const look = ({ core }: TestCore): Snapshot => Snapshot.parse(core.host.handlers['snapshot.get'](null));
const modelIn = (test: TestCore, model: string = LEAD) => look(test).models.find((row) => row.model === model);
const newest = (test: TestCore) => look(test).events[0];

/** A person does something, having seen everything, or only what there was at `rev`. */
function act(test: TestCore, what: PersonAct, { rev = look(test).rev, actor = 'panel' } = {}) {
  return test.core.host.handlers['person.act']({ act: what, rev, actor });
}
/** Where the core sends the next message of the agent. */
function asks(test: TestCore, turn: string): string | null {
  test.tell(prompted({ turn }));
  return (
    test.core
      .state()
      .turns.flat()
      .find(([id]) => id === turn)?.[1].model ?? null
  );
}
/** What a second OpenCode shows once it has taken in the app's view. */
function mirrored({ core, clock }: TestCore) {
  const { health } = core.syncFor('i1');
  return step(initialState, { type: 'health.synced', health }, clock.now(), 0.5).state;
}
/** The same core after a restart. */
function restarted(test: TestCore): TestCore {
  const again = openTestCore(test.clock);
  again.core.replay(test.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
  return again;
}
const pin = (forMs: number | null, model: string | null = CHAIN[2]): PersonAct => ({
  ...{ type: 'agent.pinned', directory: DIRECTORY, agent: 'build', model, forMs },
});

describe('given a person who takes a model out of all chains', () => {
  it('when it is isolated, then the next one speaks, a row says so, and other hosts are told', () => {
    const test = openArmedCore();
    expect(act(test, { type: 'health.isolated', model: LEAD })).toMatchObject({ accepted: true });
    expect([modelIn(test), newest(test)?.code, test.core.isBehind('i1')]).toMatchObject([
      { state: 'held', code: 'held.isolated', isolatedBy: ['panel'], hold: null },
      'manual.isolated',
      true,
    ]);
    expect([asks(test, 't1'), standingOf(mirrored(test), LEAD, test.clock.now()).code]).toEqual([
      CHAIN[1],
      'held.isolated',
    ]);
  });

  it('when two have isolated it, then it is used again when both let go', () => {
    const test = openArmedCore();
    for (const actor of ['panel', 'cli']) act(test, { type: 'health.isolated', model: LEAD }, { actor });
    act(test, { type: 'health.released', model: LEAD }, { actor: 'cli' });
    const between = [modelIn(test)?.state, modelIn(test)?.isolatedBy];
    act(test, { type: 'health.released', model: LEAD });
    expect([between, modelIn(test)?.state, asks(test, 't1')]).toEqual([['held', ['panel']], 'unseen', LEAD]);
  });

  it('when one isolates it twice, or releases what nobody holds, then that is refused and nothing is written', () => {
    const test = openArmedCore();
    act(test, { type: 'health.isolated', model: LEAD });
    const written = test.log.length;
    const refused = { accepted: false, reason: 'The model already has this state.' };
    expect([
      act(test, { type: 'health.isolated', model: LEAD }),
      act(test, { type: 'health.released', model: CHAIN[1] }),
      test.log.length,
    ]).toEqual([refused, refused, written]);
  });
});

describe('given a person who holds a model', () => {
  it('when it is held open for a minute, then it is out until then and comes back by itself', () => {
    const test = openArmedCore();
    act(test, { type: 'health.held', model: LEAD, state: 'open', forMs: MINUTE });
    expect([modelIn(test), newest(test)]).toMatchObject([
      { state: 'held', until: START + MINUTE, hold: { state: 'open', until: START + MINUTE, by: 'panel' } },
      { code: 'manual.open', model: LEAD, until: START + MINUTE },
    ]);
    test.clock.advance(MINUTE);
    expect([modelIn(test)?.state, modelIn(test)?.hold]).toEqual(['unseen', null]);
  });

  it('when it is held closed although it has failed too often, then it is asked; let go, it is out again', () => {
    const test = openArmedCore();
    for (const turn of ['t1', 't2', 't3']) {
      test.tell(prompted({ turn }));
      test.tell(started({ attempt: turn, turn }));
      test.tell(failed(turn, { phase: 'body', status: 500 }));
    }
    test.clock.advance(2 * MINUTE);
    const before = modelIn(test)?.state;
    act(test, { type: 'health.held', model: LEAD, state: 'closed', forMs: null });
    const held = [asks(test, 't4'), modelIn(test)?.hold?.until];
    act(test, { type: 'health.held', model: LEAD, state: null, forMs: null });
    const rows = look(test)
      .events.slice(0, 2)
      .map(({ code }) => code);
    expect([before, held, rows, asks(test, 't5')]).toEqual([
      'open',
      [LEAD, null],
      ['model.open', 'manual.unheld'],
      CHAIN[1],
    ]);
  });
});

describe('given a person who pins an agent', () => {
  it('when it is pinned for a minute, then its messages go there until then', () => {
    const test = openArmedCore();
    act(test, pin(MINUTE));
    expect([look(test).pins, newest(test)]).toMatchObject([
      [{ directory: DIRECTORY, agent: 'build', model: CHAIN[2], until: START + MINUTE, since: START, by: 'panel' }],
      { code: 'pin.set', agent: 'build', model: CHAIN[2], until: START + MINUTE },
    ]);
    const during = [asks(test, 't1'), newest(test)?.code];
    test.clock.advance(MINUTE);
    expect([during, look(test).pins, asks(test, 't2')]).toEqual([[CHAIN[2], 'redirect.pinned'], [], LEAD]);
  });

  it('when the pin is taken away, then it is at once, in other hosts too', () => {
    const test = openArmedCore();
    act(test, pin(null));
    const there = mirrored(test).pins.flat().length;
    act(test, pin(null, null));
    expect([there, mirrored(test).pins.flat(), newest(test)?.code, asks(test, 't1')]).toEqual([
      1,
      [],
      'pin.ended',
      LEAD,
    ]);
  });

  it('when somebody else has pinned it since one looked, then that is refused', () => {
    const test = openArmedCore();
    const { rev } = look(test);
    act(test, pin(null));
    expect(act(test, pin(null, CHAIN[1]), { rev })).toEqual({
      accepted: false,
      reason: 'The pin of build has changed since you last viewed it. Review it, then decide.',
    });
  });

  it.each<[string, PersonAct, string]>([
    ['to a model nobody has', pin(null, 'no/model'), 'No model no/model. Known: last/three, lead/one, spare/two.'],
    ['in a project nobody opened', { ...pin(null), directory: '/nowhere' } as PersonAct, 'build has no chain there.'],
    ['off nothing', pin(null, null), 'build is not pinned.'],
  ])('when it is %s, then that is refused', (_, what, reason) => {
    expect(act(openArmedCore(), what)).toEqual({ accepted: false, reason });
  });
});

describe('given a person who pauses switching', () => {
  it('when it is paused, then a failure goes to OpenCode as it is; resumed, the next one switches', () => {
    const test = openArmedCore();
    act(test, { type: 'switching.paused', forMs: MINUTE });
    const paused = [look(test).pause, newest(test)];
    test.tell(prompted());
    test.tell(started());
    test.tell(failed());
    const during = newest(test)?.code;
    act(test, { type: 'switching.resumed' });
    const after = [look(test).pause, newest(test)?.code];
    test.tell(started({ attempt: 'a2', model: CHAIN[1] }));
    test.tell(failed('a2'));
    expect([paused, during, after, newest(test)?.code]).toMatchObject([
      [
        { until: START + MINUTE, since: START, by: 'panel' },
        { code: 'switching.paused', until: START + MINUTE },
      ],
      'pass.paused',
      [null, 'switching.resumed'],
      'switch.rate_limit',
    ]);
  });

  it('when its time is over, then it is over, and resuming is refused', () => {
    const test = openArmedCore();
    act(test, { type: 'switching.paused', forMs: MINUTE });
    test.clock.advance(MINUTE);
    expect(look(test).pause).toBeNull();
    expect(act(openArmedCore(), { type: 'switching.resumed' })).toEqual({
      accepted: false,
      reason: 'Switching is not paused.',
    });
  });
});

/** A council whose speaker has been refused: it asks. */
function asking(): Readonly<{ test: TestCore; question: string; relayed: RelayedAct[] }> {
  const test = openArmedCore();
  const { config, ...rest } = configured() as Extract<CompanionEvent, { type: 'scope.configured' }>;
  const agents = { build: { chain: [...CHAIN], policy: PRESETS.council } } as unknown as typeof config.agents;
  test.tell({ ...rest, config: { ...config, abilities: [...ABILITIES], agents } });
  const relayed: RelayedAct[] = [];
  test.core.onAct((event) => relayed.push(event));
  test.tell(prompted());
  test.tell(started());
  test.tell(failed('a1', { phase: 'body', status: 429, code: 'insufficient_quota' }));
  return { test, question: look(test).questions[0]?.id ?? '', relayed };
}
const answer = (question: string, yes: boolean): PersonAct => ({ type: 'question.answered', question, yes });

describe('given a question', () => {
  it('when it is open, then the picture has it with its end', () => {
    expect(look(asking().test).questions).toMatchObject([
      { session: 's1', agent: 'build', model: LEAD, to: CHAIN[1], kind: 'quota', skippedAt: START + MINUTE },
    ]);
  });

  it('when a person says yes, then the next model takes over, rows say so, and the companion is told', () => {
    const { test, question, relayed } = asking();
    expect(act(test, answer(question, true))).toMatchObject({ accepted: true });
    const { events, questions } = look(test);
    expect([
      events
        .slice(0, 2)
        .map(({ code }) => code)
        .sort(),
      questions,
      relayed,
    ]).toEqual([
      ['question.accepted', 'switch.quota'],
      [],
      [{ type: 'question.answered', question, yes: true, actor: 'panel' }],
    ]);
  });

  it('when a person says no, then the speaker is left out, and /retry brings it back', () => {
    const { test, question, relayed } = asking();
    act(test, answer(question, false));
    const out = [
      look(test).sessions[0]?.agents[0]?.isLeftOut,
      look(test)
        .events.slice(0, 3)
        .map(({ code }) => code),
    ];
    expect(act(test, { type: 'speaker.retried', session: 's1', agent: 'build' })).toMatchObject({ accepted: true });
    const back = [
      look(test).sessions[0]?.agents[0]?.isLeftOut,
      look(test)
        .events.slice(0, 2)
        .map(({ code }) => code),
    ];
    expect([out, back, relayed.map(({ type }) => type)]).toEqual([
      [true, ['session.paused', 'speaker.degraded', 'question.declined']],
      [false, ['session.resumed', 'speaker.restored']],
      ['question.answered', 'speaker.retried'],
    ]);
  });

  it('when it is over, or nobody is left out, then that is refused and nobody is told', () => {
    const { test, relayed } = asking();
    expect([
      act(test, answer('another', true)),
      act(test, { type: 'speaker.retried', session: 's1', agent: null }),
      relayed,
    ]).toEqual([
      { accepted: false, reason: 'This question is no longer open.' },
      { accepted: false, reason: 'This session has no paused agent of that name.' },
      [],
    ]);
  });
});

describe('given a person who types /retry inside OpenCode', () => {
  it('when the companion tells it, then the model is ready, a row says so, and a restart knows it', () => {
    const test = openArmedCore();
    for (const event of [prompted(), started(), failed()]) test.tell(event);
    expect(modelIn(test)?.state).toBe('cooling');
    test.tell({ type: 'health.reset', target: { model: LEAD }, actor: 'opencode' });
    const shown = (of: TestCore) => [modelIn(of)?.state, newest(of)?.code, newest(of)?.model];
    expect(shown(test)).toEqual(['ready', 'reset.model', LEAD]);
    expect(modelIn(restarted(test))?.state).toBe('ready');
  });
});

describe('given acts on something that has changed since the person looked', () => {
  it.each<PersonAct>([
    { type: 'health.isolated', model: LEAD },
    { type: 'health.held', model: LEAD, state: 'closed', forMs: null },
  ])('when it is %o, then it is refused and nothing is written', (what) => {
    const test = openArmedCore();
    const { rev } = look(test);
    for (const event of [prompted(), started(), failed()]) test.tell(event);
    const written = test.log.length;
    expect([act(test, what, { rev }), test.log.length]).toEqual([
      { accepted: false, reason: `${LEAD} has changed since you last viewed it. Review it, then decide.` },
      written,
    ]);
  });
});

describe('given acts of all kinds and a restart', () => {
  it('when the log is played again, then pins, pause, holds and their rows are there, with what is left of their time', () => {
    const test = openArmedCore();
    act(test, pin(10 * MINUTE));
    act(test, { type: 'switching.paused', forMs: null });
    act(test, { type: 'health.isolated', model: CHAIN[1] }, { actor: 'cli' });
    act(test, { type: 'health.held', model: LEAD, state: 'open', forMs: 5 * MINUTE });
    test.clock.advance(MINUTE);
    const [before, after] = [look(test), look(restarted(test))];
    expect([after.pins, after.pause, after.models]).toEqual([before.pins, before.pause, before.models]);
    expect(after.events.map(({ code, at }) => [code, at]).filter(([code]) => code !== 'instance.lost')).toEqual(
      before.events.map(({ code, at }) => [code, at]),
    );
    expect(exportHealth(restarted(test).core.state(), test.clock.now())).toEqual(
      exportHealth(test.core.state(), test.clock.now()),
    );
  });

  it('when a question had been answered, then it stays answered', () => {
    const { test, question } = asking();
    act(test, answer(question, false));
    const again = restarted(test);
    expect([look(again).questions, again.core.state().speakers.flat()[0]?.[1].degraded?.kind]).toEqual([[], 'quota']);
  });
});
