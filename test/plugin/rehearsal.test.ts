import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/engine/tools';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import { rehearsal } from '../../src/plugin/runtime/rehearsal';
import { CHAIN, DIRECTORY, scopeOf, virtualClock } from '../core/virtual-core';
import { worked } from '../engine/headroom/worked';
import { DIRECTORY as PROJECT } from '../engine/world';

const KEYLESS = { phase: 'body', status: 401 } as const;
const [LEAD, SPARE] = CHAIN;

/** A turn of `build` whose lead has lost its key, under a policy that asks. */
function asked() {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
  const agents = { '*': { chain: CHAIN, policy: PRESETS.council } };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf(), agents, abilities: ['ask'] } });
  const base = { turn: 't1', session: 's1', directory: DIRECTORY, agent: 'build', model: LEAD };
  brain.tell({ type: 'prompt.submitted', ...base, hostLead: LEAD, isExplicit: false });
  brain.tell({ type: 'attempt.started', ...base, attempt: 'a1', purpose: 'turn' });
  brain.tell({ type: 'attempt.failed', attempt: 'a1', evidence: KEYLESS, durationMs: 5 });
  const lose = (model: string) => {
    brain.tell({ type: 'attempt.started', ...base, model, attempt: `of ${model}`, purpose: 'internal' });
    brain.tell({ type: 'attempt.failed', attempt: `of ${model}`, evidence: KEYLESS, durationMs: 5 });
  };
  const standsIn = (model: string = LEAD) =>
    rehearsal(brain, { id: 'x', session: 's1', directory: DIRECTORY, agent: 'build', model, chars: 40 })(
      model,
      KEYLESS,
    );
  return {
    brain,
    lose,
    standsIn,
    answer: (yes: boolean) => brain.tell({ type: 'question.answered', yes, actor: 'ann' }),
  };
}

describe('given a summary whose model is out, under a policy that asks', () => {
  it('when nobody has said yes yet, then nobody stands in', () => {
    expect(asked().standsIn()).toBeNull();
  });

  it('when somebody has said yes, then the model they agreed to stands in, and nothing is remembered of it', () => {
    const { brain, standsIn, answer } = asked();
    answer(true);
    const before = brain.state();
    expect([standsIn(), brain.state()]).toEqual([SPARE, before]);
  });

  it('when that one is out as well, then nobody stands in: of the next nothing was said', () => {
    const { standsIn, answer, lose } = asked();
    answer(true);
    lose(SPARE);
    expect([standsIn(), standsIn(SPARE)]).toEqual([null, null]);
  });

  it('when somebody has said no, then nobody stands in', () => {
    const { standsIn, answer } = asked();
    answer(false);
    expect(standsIn()).toBeNull();
  });
});

describe('given a title whose model’s plan is spent, where a person is asked before another plan is used up', () => {
  it('when it is about to be asked for, then it waits for no answer: it takes next to nothing of a plan', () => {
    const past = worked({ chain: ['a/1', 'b/1'], changes: { headroom: { act: 'move', moveAt: 0.97, drain: 'ask' } } });
    const brain = { state: () => past.state, now: () => past.now } as unknown as Brain;
    const own = { id: 'x', session: 's', directory: PROJECT, agent: 'build', model: 'a/1', chars: 40 };
    expect([rehearsal(brain, own)('a/1', null), past.state.questions]).toEqual(['b/1', []]);
  });
});
