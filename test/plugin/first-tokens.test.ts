import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../src/engine';
import { get } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/base/brain';
import { watchFirstTokens } from '../../src/plugin/runtime/first-tokens';
import { trackUserPrompts } from '../../src/plugin/runtime/user-prompts';
import { CHAIN, DIRECTORY, scopeOf, virtualClock } from '../core/virtual-core';

function open() {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  const firstTokens = watchFirstTokens(brain, clock.schedule);
  const prompts = trackUserPrompts(brain);
  const [turn, session, agent] = ['t1', 's1', 'build'];
  brain.tell({
    ...{ type: 'prompt.submitted', turn, session, directory: DIRECTORY, agent, model: CHAIN[0] },
    ...{ hostLead: CHAIN[0], isExplicit: false },
  });
  const start = (attempt: string, purpose: 'turn' | 'internal' = 'turn'): void =>
    void brain.tell({
      ...{ type: 'attempt.started', attempt, turn, session, directory: DIRECTORY, agent, model: CHAIN[0] },
      purpose,
    });
  const events: EngineEvent[] = [];
  brain.onStep((_, event) => void events.push(event));
  const reported = () => events.filter(({ type }) => /silent|answering|waiting/.test(type));
  return { brain, clock, firstTokens, prompts, start, reported };
}

const succeeded = (attempt: string): EngineEvent => ({
  ...{ type: 'attempt.succeeded', attempt, durationMs: 9_000, firstTokenMs: 8_000, outputChars: 5 },
});

describe('given a request of a turn', () => {
  it('when its first token comes within 5 s, then nothing is reported', () => {
    const { clock, firstTokens, start, reported } = open();
    start('a1');
    clock.advance(4_999);
    firstTokens.came('a1');
    clock.advance(60_000);
    expect(reported()).toEqual([]);
  });

  it('when no token comes for 5 s, then that is reported, and its first token later', () => {
    const { brain, clock, firstTokens, start, reported } = open();
    start('a1');
    clock.advance(5_000);
    expect(reported()).toEqual([{ type: 'attempt.silent', attempt: 'a1' }]);
    expect(get(brain.state().attempts, 'a1')).toMatchObject({ isSilent: true });
    clock.advance(3_000);
    firstTokens.came('a1');
    firstTokens.came('a1');
    expect(reported().slice(1)).toEqual([{ type: 'attempt.answering', attempt: 'a1' }]);
    expect(get(brain.state().attempts, 'a1')).toMatchObject({ isSilent: false });
  });

  it('when it ends before, or is one of OpenCode itself, then nothing is reported', () => {
    const { brain, clock, start, reported } = open();
    start('a1');
    start('title', 'internal');
    brain.tell(succeeded('a1'));
    clock.advance(60_000);
    expect(reported()).toEqual([]);
  });
});

describe('given prompts of OpenCode to its user', () => {
  it('when two are open and are closed in turn, then the session waits for each of them, and then for nothing', () => {
    const { brain, clock, prompts, reported } = open();
    prompts.opened('s1', { id: 'p1', what: 'permission' });
    clock.advance(2_000);
    prompts.opened('s1', { id: 'q1', what: 'answer' });
    expect(get(brain.state().sessions, 's1')).toMatchObject({ waitsFor: { what: 'permission' } });
    prompts.closed('s1', 'p1');
    expect(get(brain.state().sessions, 's1')).toMatchObject({ waitsFor: { what: 'answer' } });
    prompts.closed('s1', 'q1');
    prompts.closed('s1', 'q1');
    expect(reported()).toEqual(
      (['permission', 'answer', null] as const).map((what) => ({ type: 'session.waiting', session: 's1', for: what })),
    );
  });

  it('when the turn ends, or its next request leaves, then nothing waits any more', () => {
    const { brain, prompts, start } = open();
    prompts.opened('s1', { id: 'p1', what: 'permission' });
    start('a1');
    expect(get(brain.state().sessions, 's1')).toMatchObject({ waitsFor: undefined });
    prompts.opened('s1', { id: 'p2', what: 'permission' });
    brain.tell(succeeded('a1'));
    expect(get(brain.state().sessions, 's1')).toMatchObject({ waitsFor: { what: 'permission' } });
    brain.tell({ type: 'session.idle', session: 's1' });
    prompts.rested('s1');
    prompts.closed('s1', 'p2');
    expect(get(brain.state().sessions, 's1')).toMatchObject({ isIdle: true });
  });

  it('when a session is not one of the engine, then nothing is reported', () => {
    const { prompts, reported } = open();
    prompts.opened('council', { id: 'p1', what: 'permission' });
    prompts.closed('council', 'p1');
    expect(reported()).toEqual([]);
  });
});
