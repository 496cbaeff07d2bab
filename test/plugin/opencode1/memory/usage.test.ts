import { describe, expect, it } from 'vitest';
import type { AssistantInfo, StepFinishPart } from '../../../../src/plugin/opencode1/memory/types';
import { countStep, noteWriter } from '../../../../src/plugin/opencode1/memory/usage';
import { CompanionEvent } from '../../../../src/protocol';
import { DIRECTORY, openDouble, SESSION, TURN } from '../../support/opencode-double';

const writing = (over: Partial<AssistantInfo> = {}): AssistantInfo => ({
  id: 'msg_2',
  sessionID: SESSION,
  role: 'assistant',
  parentID: TURN,
  providerID: 'spare',
  modelID: 'two',
  agent: 'build',
  time: {},
  ...over,
});

const step = (over: Partial<StepFinishPart> = {}): StepFinishPart => ({
  id: 'prt_1',
  messageID: 'msg_2',
  type: 'step-finish',
  cost: 0.00996,
  tokens: { input: 800, output: 400, reasoning: 100, cache: { read: 200, write: 0 } },
  ...over,
});

const TOLD = {
  type: 'usage.recorded',
  session: SESSION,
  turn: TURN,
  directory: DIRECTORY,
  agent: 'build',
  model: 'spare/two',
  purpose: 'turn',
  tokens: { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 },
  cost: 0.00996,
};

function open() {
  const { instance, brain } = openDouble();
  const told = () => brain.since(0).flatMap(({ event }) => (event.type === 'usage.recorded' ? [event] : []));
  return { instance, told };
}

describe('given a message that is being written', () => {
  it('when its step is finished, then what it used is told of the model that writes it, as the app accepts it', () => {
    const { instance, told } = open();
    noteWriter(instance, writing());
    countStep(instance, step());
    expect(told()).toEqual([TOLD]);
    expect(CompanionEvent.parse(told()[0])).toEqual(TOLD);
  });

  it('when OpenCode tells of the step three times, then it counts once', () => {
    const { instance, told } = open();
    noteWriter(instance, writing());
    for (let times = 0; times < 3; times++) {
      countStep(instance, step());
      noteWriter(instance, writing({ finish: 'stop' }));
    }
    expect(told()).toHaveLength(1);
  });

  it('when OpenCode asks again within the same message, then each step counts', () => {
    const { instance, told } = open();
    noteWriter(instance, writing());
    countStep(instance, step());
    countStep(instance, step({ id: 'prt_2' }));
    expect(told()).toHaveLength(2);
  });

  it('when a step was moved away, then nothing is told of it', () => {
    const { instance, told } = open();
    noteWriter(instance, writing({ providerID: 'lead', modelID: 'one' }));
    countStep(instance, step({ cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } }));
    expect(told()).toEqual([]);
  });

  it('when OpenCode knows no price, then there is none', () => {
    const { instance, told } = open();
    noteWriter(instance, writing());
    countStep(instance, step({ cost: 0 }));
    expect(told()).toEqual([{ ...TOLD, cost: null }]);
  });

  it('when numbers are missing or no numbers, then they are 0', () => {
    const { instance, told } = open();
    noteWriter(instance, writing());
    countStep(instance, step({ tokens: { input: Number.NaN, output: 7, reasoning: -3 } }));
    expect(told()[0]?.tokens).toEqual({ input: 0, output: 7, reasoning: 0, cacheRead: 0, cacheWrite: 0 });
  });
});

describe('given a finished message', () => {
  it('when its step is told again, as in a fork of the session, then it does not count', () => {
    const { instance, told } = open();
    noteWriter(instance, writing({ finish: 'stop', time: { completed: 5 } }));
    countStep(instance, step());
    expect(told()).toEqual([]);
  });

  it('when it is whole, then nothing more is remembered of it', () => {
    const { instance } = open();
    noteWriter(instance, writing());
    noteWriter(instance, writing({ finish: 'stop', time: { completed: 5 } }));
    expect(instance.writing.size).toBe(0);
  });
});

describe('given what OpenCode asks for itself', () => {
  it('when a compaction is finished, then it is told as internal', () => {
    const { instance, told } = open();
    noteWriter(instance, writing({ agent: 'compaction' }));
    countStep(instance, step());
    expect(told()).toEqual([{ ...TOLD, agent: 'compaction', purpose: 'internal' }]);
  });

  it('when a stand-in answers beside the session, then it is told of that session', () => {
    const { instance, told } = open();
    instance.asides.set('ses_aside', { system: '', isAsked: true, evidence: null });
    instance.parents.set('ses_aside', SESSION);
    noteWriter(instance, writing({ sessionID: 'ses_aside', agent: 'title' }));
    countStep(instance, step());
    expect(told()).toEqual([{ ...TOLD, agent: 'title', purpose: 'internal' }]);
  });
});
