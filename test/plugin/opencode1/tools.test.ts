import { describe, expect, it } from 'vitest';
import type { AssistantInfo, ToolPart } from '../../../src/plugin/opencode1/memory/types';
import { countTool, noteWriter } from '../../../src/plugin/opencode1/memory/usage';
import { CompanionEvent } from '../../../src/protocol';
import { openDouble, SESSION, TURN } from '../support/opencode-double';

const INFO: AssistantInfo = {
  ...{ id: 'msg_2', sessionID: SESSION, role: 'assistant', parentID: TURN },
  ...{ providerID: 'spare', modelID: 'two', agent: 'build', time: {} },
};
const SECRET = 'hunter2';

const part = (state: ToolPart['state'], over: Partial<ToolPart> = {}): ToolPart => ({
  ...{ id: 'prt_1', messageID: 'msg_2', type: 'tool', tool: 'read', ...over },
  state,
});
const failed = (error: string): ToolPart['state'] => ({ status: 'error', error });

/** What is told of parts of a message that is being written. */
function told(...parts: readonly ToolPart[]) {
  const { instance, brain } = openDouble();
  noteWriter(instance, INFO);
  for (const one of parts) countTool(instance, one);
  return brain.since(0).flatMap(({ event }) => (event.type === 'tool.failed' ? [event] : []));
}

describe('given a tool of a message that is being written', () => {
  it('when it fails, then the app accepts why, of the model that called it, and none of its words', () => {
    const [event] = told(part(failed(`File not found: /home/${SECRET}/notes.md`)));
    const about = { session: SESSION, turn: TURN, agent: 'build', model: 'spare/two' };
    expect(event).toEqual({ type: 'tool.failed', ...about, reason: 'not_found', isRepeated: false });
    expect(CompanionEvent.parse(event)).toEqual(event);
  });

  it('when OpenCode tells of each of its states, and of the last three times, then it counts once', () => {
    const states = [{ status: 'pending' }, { status: 'running' }, ...[1, 2, 3].map(() => failed('it broke'))];
    expect(told(...states.map((state) => part(state))).map(({ reason }) => reason)).toEqual(['execution']);
  });

  it('when nothing could be made of the call, then its arguments were bad, or there is no such tool', () => {
    const invalid = (id: string, error: string) =>
      part({ status: 'completed', input: { tool: 'read', error }, output: 'Invalid.' }, { id, tool: 'invalid' });
    const parts = [invalid('1', 'JSON parsing failed'), invalid('2', "Model tried to call unavailable tool 'fly'.")];
    expect(told(...parts).map(({ reason }) => reason)).toEqual(['validation', 'not_found']);
  });

  it('when it is the call by which a turn continues, then nothing is counted, and nothing repeats it', () => {
    const ours = (id: string, tool: string, state: ToolPart['state']) =>
      part({ ...state, input: { tool: 'understudy_go_on' } }, { id, tool });
    const error = "Model tried to call unavailable tool 'understudy_go_on'.";
    const parts = [
      part(failed(error), { id: '1' }),
      ours('2', 'invalid', { status: 'completed', output: 'Invalid.' }),
      ours('3', 'understudy_go_on', failed(error)),
      part(failed(error), { id: '4' }),
    ];
    expect(told(...parts).map(({ isRepeated }) => isRepeated)).toEqual([false, true]);
  });

  it('when a command ran too long, then it timed out; one that only prints such words has worked', () => {
    const words =
      'x\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 100 ms.\n</shell_metadata>';
    const ended = (id: string, exit: number | null) =>
      part({ status: 'completed', output: words, metadata: { exit } }, { id, tool: 'bash' });
    expect(told(ended('1', null), ended('2', 0)).map(({ reason }) => reason)).toEqual(['timeout']);
  });

  it('when the user stops it, then nobody has failed', () => {
    const stopped = { status: 'error', error: 'x', metadata: { interrupted: true } };
    expect(told(part(stopped), part(failed('Tool execution aborted'), { id: 'prt_2' }))).toEqual([]);
  });

  it('when it fails alike twice, then the second repeats, unless one has worked between them', () => {
    const third = part(failed('it broke'), { id: 'prt_4' });
    const parts = [part(failed('it broke')), part(failed('it broke'), { id: 'prt_2' })];
    const worked = part({ status: 'completed', output: 'fine' }, { id: 'prt_3' });
    expect(told(...parts, worked, third).map(({ isRepeated }) => isRepeated)).toEqual([false, true, false]);
  });
});

describe('given a message that is whole, as those of a copied session are', () => {
  it('when OpenCode tells of its tools, then nothing is counted', () => {
    const { instance, brain } = openDouble();
    noteWriter(instance, { ...INFO, finish: 'stop', time: { completed: 1 } });
    countTool(instance, part(failed('it broke')));
    expect(brain.since(0).filter(({ event }) => event.type === 'tool.failed')).toEqual([]);
  });
});
