import { describe, expect, it } from 'vitest';
import { councilHost } from '../../../src/features/council/plugin/opencode1/council';
import { openDouble, SESSION, TURN } from '../support/opencode-double';

type Host = ReturnType<typeof councilHost>;
const PLACE = {} as Parameters<typeof councilHost>[1];
const COMMAND = { kind: 'prompt', session: SESSION, text: 'Review it', model: 'lead/one' } as Parameters<
  Host['recover']
>[0];

/** A host whose OpenCode has one answer of a participant. */
function hostWith(finish: string, parts: readonly unknown[]): Host {
  const { instance, control } = openDouble();
  const asked = { info: { id: TURN, sessionID: SESSION, role: 'user' }, parts: [{ type: 'text', text: 'Review it' }] };
  const answer = { id: 'msg_2', sessionID: SESSION, role: 'assistant', parentID: TURN, finish, time: { completed: 2 } };
  control.history = [asked, { info: answer, parts }] as unknown as typeof control.history;
  return councilHost(instance, PLACE);
}

describe('given a participant whose turn a switch has continued', () => {
  it('when its transcript is read, then only the calls of its model are in it', async () => {
    const call = (tool: string, input: unknown) => ({ type: 'tool', tool, state: { status: 'completed', input } });
    const host = hostWith('tool-calls', [
      call('invalid', { tool: 'understudy_go_on', error: 'Unavailable.' }),
      call('read', { filePath: 'a.ts' }),
    ]);
    const uttered = await host.uttered?.(SESSION);
    expect(uttered?.map((each) => (each.kind === 'tool' ? each.tool : each.text))).toEqual(['read']);
  });

  it.each([
    ['tool-calls', null],
    ['unknown', null],
    ['stop', 'It is fine'],
  ])('when a later process looks for an answer that finished with "%s", then it finds %j', async (finish, text) => {
    const found = await hostWith(finish, [{ type: 'text', text: 'It is fine' }]).recover(COMMAND);
    expect(found?.ok ? found.text : null).toBe(text);
  });
});
