import { describe, expect, it } from 'vitest';
import { onEvent } from '../../../src/plugin/opencode2/message/events';
import { lookHome, tidyNotes } from '../../../src/plugin/opencode2/session/away';
import { moveSession, pointHome } from '../../../src/plugin/opencode2/session/switch';
import { LEAD, openInstance, refOf, SESSION, SPARE } from '../support/opencode2-instance';

const KEY = `away:${SESSION}`;
const MOVE = { from: LEAD, to: SPARE };

/** A session in a host with a store, and what was done to the store and the session, in order. */
function withStore() {
  const kept = new Map<string, unknown>();
  const done: string[] = [];
  const storage = {
    get: async (key: string) => kept.get(key),
    async set(key: string, value: unknown) {
      kept.set(key, value);
      done.push(`noted ${JSON.stringify(value)}`);
    },
    async remove(key: string) {
      kept.delete(key);
      done.push('forgotten');
    },
    scan: async ({ prefix }: { prefix: string }) => ({
      entries: [...kept].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => ({ key, value })),
    }),
  };
  const opened = openInstance({ context: { storage } });
  return { ...opened, kept, done };
}
const noted = (to: readonly string[]) => ({ v: 1, home: refOf(LEAD), to, at: expect.any(Number) });

describe('given a host that keeps what plugins write down', () => {
  it('when a session is moved, then it was written down before, with nothing but the models', async () => {
    const { instance, session, host, kept } = withStore();
    const before: unknown[] = [];
    instance.context.session!.switchModel = async ({ model }) => {
      before.push(kept.get(KEY));
      host.model = model;
    };
    await moveSession(instance, session, MOVE);
    expect(before).toEqual([noted([SPARE])]);
  });

  it('when it is moved twice, then both models are in it, and home is where it was', async () => {
    const { instance, session, kept } = withStore();
    await moveSession(instance, session, MOVE);
    await moveSession(instance, session, { from: SPARE, to: 'third/three' });
    expect(kept.get(KEY)).toEqual(noted([SPARE, 'third/three']));
  });

  it('when it is home again, then nothing is written down any more', async () => {
    const { instance, session, kept } = withStore();
    await moveSession(instance, session, MOVE);
    await pointHome(instance, session);
    expect([...kept]).toEqual([]);
  });

  it('when OpenCode does not let it go home, then the note stays', async () => {
    const { instance, session, kept } = withStore();
    await moveSession(instance, session, MOVE);
    instance.context.session!.switchModel = async () => Promise.reject(new Error('no'));
    await pointHome(instance, session);
    expect(kept.get(KEY)).toEqual(noted([SPARE]));
  });

  it('when its user picks another model, or deletes it, then nothing is written down any more', async () => {
    const picked = { sessionID: SESSION, model: refOf('picked/model') };
    const ends = [
      { type: 'session.model.selected', data: picked },
      { type: 'session.deleted', data: { sessionID: SESSION } },
    ] as const;
    for (const end of ends) {
      const { instance, session, kept } = withStore();
      await moveSession(instance, session, MOVE);
      await onEvent(instance, { type: 'session.model.selected', data: { sessionID: SESSION, model: refOf(SPARE) } });
      expect(kept.size).toBe(1);
      await onEvent(instance, end);
      await session.noting;
      expect([...kept]).toEqual([]);
    }
  });

  it('when another project in the same OpenCode hears of its move, then it stays written down', async () => {
    const { instance, session, kept } = withStore();
    await moveSession(instance, session, MOVE);
    const other = openInstance({ context: { storage: instance.context.storage! } }).instance;
    other.sessions.clear();
    await onEvent(other, { type: 'session.model.selected', data: { sessionID: SESSION, model: refOf(SPARE) } });
    expect([kept.size, other.sessions.size]).toEqual([1, 0]);
  });

  it('when it goes home while it is moved anew, then what is written down last is the move', async () => {
    const { instance, session, host, kept } = withStore();
    await moveSession(instance, session, MOVE);
    let letGo = (): void => undefined;
    const { switchModel } = instance.context.session!;
    instance.context.session!.switchModel = async (input) => {
      await new Promise<void>((resolve) => (letGo = resolve));
      return switchModel?.(input);
    };
    const going = pointHome(instance, session);
    instance.context.session!.switchModel = switchModel!;
    host.model = refOf(LEAD);
    await moveSession(instance, session, MOVE);
    letGo();
    await going;
    expect(kept.get(KEY)).toEqual(noted([SPARE]));
  });

  it('when the store fails or never answers, then the session is moved all the same', async () => {
    for (const set of [() => Promise.reject(new Error('full')), () => new Promise<void>(() => undefined)]) {
      const { instance, session } = openInstance({ context: { storage: { set } } });
      expect(await moveSession(instance, session, MOVE)).toBe('moved');
    }
  });
});

describe('given a note of a process before this one', () => {
  const left = (value: unknown) => {
    const opened = withStore();
    opened.kept.set(KEY, value);
    return opened;
  };
  const NOTE = { v: 1, home: { ...refOf(LEAD), variant: 'high' }, to: [SPARE, 'third/three'], at: 1 };

  it.each(NOTE.to)('when the session still has %s, then it is to go home, with the variant it had', async (model) => {
    const { instance, session, host } = left(NOTE);
    host.model = refOf(model);
    await lookHome(instance, session);
    await pointHome(instance, session);
    expect(host.model).toEqual(NOTE.home);
  });

  it.each([
    ['another model', 'picked/model'],
    ['none', undefined],
  ] as const)('when it has %s by now, then that stays, and the note goes', async (_, model) => {
    const { instance, session, host, kept } = left(NOTE);
    host.model = model && refOf(model);
    await lookHome(instance, session);
    expect([session.home, [...kept]]).toEqual([null, []]);
  });

  it('when OpenCode does not say what it has, then nothing is done to it, and the note stays', async () => {
    const { instance, session, kept } = left(NOTE);
    instance.context.session!.get = async () => Promise.reject(new Error('busy'));
    await lookHome(instance, session);
    expect([session.home, [...kept]]).toEqual([null, [[KEY, NOTE]]]);
  });

  it.each([
    ['of a later version', { ...NOTE, v: 2 }],
    ['of another shape', { ...NOTE, home: 'lead/one' }],
    ['no object', 'lead/one'],
  ])('when it is %s, then it says nothing', async (_, value) => {
    const { instance, session, host } = left(value);
    host.model = refOf(SPARE);
    await lookHome(instance, session);
    expect(session.home).toBeNull();
  });

  it('when it was looked for once, then it is not looked for again', async () => {
    const { instance, session, host, kept } = withStore();
    host.model = refOf(SPARE);
    await lookHome(instance, session);
    kept.set(KEY, NOTE);
    await lookHome(instance, session);
    expect(session.home).toBeNull();
  });

  it('when more than 200 have been left behind, then the oldest go, and what is not ours stays', async () => {
    const { instance, kept } = withStore();
    kept.set('other', 1);
    for (let at = 1; at <= 203; at++) kept.set(`away:ses_${at}`, { ...NOTE, at });
    await tidyNotes(instance);
    expect([kept.size, kept.has('other'), kept.has('away:ses_3'), kept.has('away:ses_4')]).toEqual([
      201,
      true,
      false,
      true,
    ]);
  });
});
