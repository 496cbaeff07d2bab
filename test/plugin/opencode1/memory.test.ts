import { describe, expect, it } from 'vitest';
import { newInstance, shareMemory } from '../../../src/plugin/opencode1/memory/instance';
import { refOf } from '../../../src/plugin/opencode1/memory/model-ref';
import { applyRepoint, mendStaleWrite, repoint } from '../../../src/plugin/opencode1/message/repoint';
import { openDouble } from '../support/opencode-double';

describe('given an OpenCode that opens a directory twice, and has one of the two carry out what the other asks', () => {
  it('when a turn of the first is moved, then the hooks of the second do it, and the first knows', async () => {
    const { memory, leave } = shareMemory('/twice');
    const other = shareMemory('/twice');
    const { instance: of } = openDouble();
    const first = newInstance(of.companion, of.client, '/twice', of.voice, memory);
    const second = newInstance(of.companion, of.client, '/twice', of.voice, other.memory);
    const user = { ...structuredClone(openDouble().user()), id: 'msg_twice' };
    first.client.session.prompt = async ({ body }) => {
      const message = { ...structuredClone(user), model: body.model as typeof user.model };
      const isOurs = applyRepoint(second, user.sessionID, { message, parts: [] });
      await mendStaleWrite(second, message);
      return isOurs ? { data: {} } : { error: {} };
    };
    expect(await repoint(first, user, 'spare/two')).toBe(true);
    const [turn] = [...first.turns.values()];
    expect([turn?.user && refOf(turn.user.model), turn?.expected]).toEqual(['spare/two', 'spare/two']);
    expect([leave(), other.leave()]).toEqual([false, true]);
    expect(shareMemory('/twice').memory).not.toBe(memory);
  });

  it('when two directories are open, then neither knows of the other', () => {
    const [one, two] = [shareMemory('/one'), shareMemory('/two')];
    one.memory.leftovers.set('msg', 'ses');
    expect(two.memory.leftovers.size).toBe(0);
    expect([one.leave(), two.leave()]).toEqual([true, true]);
  });
});
