import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import { listAnew } from '../../../src/plugin/opencode2/session/catalogue';
import { moveSession, moveTurn, noteSelected, pointHome } from '../../../src/plugin/opencode2/session/switch';
import { inVariants } from '../support/opencode-double';
import { asking, LEAD, openInstance, refOf, SPARE } from '../support/opencode2-instance';

const MOVE = { from: LEAD, to: SPARE };
const WITH_VARIANT = { ...refOf(LEAD), variant: 'high' };

describe('given a session to be moved', () => {
  it('when it is moved and comes to rest, then it has the model and the variant again that it had', async () => {
    const { instance, session, host } = openInstance();
    host.model = WITH_VARIANT;
    expect(await moveSession(instance, session, MOVE)).toBe('moved');
    await pointHome(instance, session);
    await pointHome(instance, session);
    expect(host.set).toEqual([refOf(SPARE), WITH_VARIANT]);
  });

  it.each([
    ['asks one that OpenCode has', { [SPARE]: 'max' }, ['max', 'high'], 'max'],
    ['asks one that OpenCode does not have', { [SPARE]: 'max' }, ['high'], undefined],
    ['asks none, and the next model has the user’s', {}, ['high'], 'high'],
    ['asks none, and the next model has none of that name', {}, [], undefined],
  ])(
    'when the chain %s, then the next model answers in it, and the user’s own comes back',
    async (_, variants, has, to) => {
      const { instance, session, host } = openInstance({ scope: inVariants(variants) });
      instance.listed = { models: [LEAD, SPARE], catalogue: { [SPARE]: { variants: has } } };
      host.model = WITH_VARIANT;
      await moveSession(instance, session, MOVE);
      await pointHome(instance, session);
      expect(host.set).toEqual([{ ...refOf(SPARE), ...(to === undefined ? {} : { variant: to }) }, WITH_VARIANT]);
    },
  );

  it('when the chain asks a variant of its own model by another account, then it answers in that one, and the user’s own comes back', async () => {
    const { instance, session, host } = openInstance({ scope: inVariants({ 'lead@work/one': 'low' }) });
    instance.listed = { models: [LEAD], catalogue: { [LEAD]: { variants: ['low', 'high'] } } };
    const connection = { type: 'env', name: 'KEY' } as const;
    instance.accounts = new Map([['lead', [{ label: 'work', integration: 'lead', connection }]]]);
    host.model = WITH_VARIANT;
    expect(await moveSession(instance, session, { from: LEAD, to: 'lead@work/one' })).toBe('moved');
    await pointHome(instance, session);
    expect(host.set).toEqual([{ ...refOf(LEAD), variant: 'low' }, WITH_VARIANT]);
  });

  it('when OpenCode names no variants of a model, then none is known of it, and a chain that asks one is told so', async () => {
    const { instance } = openInstance({
      context: { model: { list: async () => [refOf(LEAD), { ...refOf(SPARE), variants: [{ id: 'high' }] }] } },
    });
    await listAnew(instance);
    const variants = [LEAD, SPARE].map((model) => instance.listed.catalogue[model]?.variants);
    expect(variants).toEqual([[], ['high']]);
  });

  it('when it is moved twice, then it goes back to the first', async () => {
    const { instance, session, host } = openInstance();
    await moveSession(instance, session, MOVE);
    await moveSession(instance, session, { from: SPARE, to: 'third/three' });
    await pointHome(instance, session);
    expect(host.model).toEqual(refOf(LEAD));
  });

  it('when it has no model of its own, then it goes back to the one it asked', async () => {
    const { instance, session, host } = openInstance();
    host.model = undefined;
    await moveSession(instance, session, MOVE);
    await pointHome(instance, session);
    expect(host.model).toEqual(refOf(LEAD));
  });

  it('when the user has picked another model meanwhile, then it stays there', async () => {
    const { instance, session, host } = openInstance();
    host.model = refOf('picked/model');
    expect([await moveSession(instance, session, MOVE), host.set]).toEqual(['user', []]);
  });

  it('when a model is not listed, then it is not set, and OpenCode is asked once more what it has', async () => {
    let asked = 0;
    const list = async () => [[], [refOf(LEAD)]][asked++] ?? [refOf(LEAD), refOf(SPARE)];
    const { instance, session, host } = openInstance({ context: { model: { list } } });
    instance.listed = { models: [LEAD], catalogue: {} };
    asked = 1;
    expect([await moveSession(instance, session, MOVE), host.set]).toEqual(['unlisted', []]);
    expect(await moveSession(instance, session, MOVE)).toBe('moved');
  });

  it.each([
    ['refuses it', async () => Promise.reject(new Error('no'))],
    ['does nothing', async () => undefined],
  ])('when OpenCode %s, then the turn is told, and nothing is touched from then on', async (_, switchModel) => {
    const { instance, session, events, learnt } = openInstance({ session: { switchModel } });
    expect(await moveTurn(instance, session, MOVE)).toBe('failed');
    expect(events).toContainEqual(expect.objectContaining({ type: 'switch.carried', ok: false, from: LEAD }));
    expect([instance.actuator.level(), learnt]).toEqual(['watch', [['moves']]]);
  });
});

describe('given a session that was moved', () => {
  it('when the next call asks the new model, then switches are proven to hold', async () => {
    const { instance, session, learnt } = openInstance();
    await moveSession(instance, session, MOVE);
    await beginCall(instance, asking('primary', SPARE));
    expect([instance.actuator.isProven(), learnt]).toEqual([true, [[]]]);
  });

  it('when the next call asks the old model, then nothing is touched again and the session is as it was', async () => {
    const { instance, session, host, learnt } = openInstance();
    await moveSession(instance, session, MOVE);
    await beginCall(instance, asking());
    expect([instance.actuator.level(), host.model, learnt]).toEqual(['watch', refOf(LEAD), [['moves']]]);
    expect(session.calls.get('primary')?.isWatched).toBe(true);
  });

  it('when the user picks a third one before the next call, then that is nobody’s fault', async () => {
    const { instance, session, host } = openInstance();
    await moveSession(instance, session, MOVE);
    host.model = refOf('picked/model');
    await beginCall(instance, asking('primary', 'picked/model'));
    expect(instance.actuator.level()).toBe('switch');
  });

  it('when a title is asked of the old model, then that says nothing', async () => {
    const { instance, session } = openInstance();
    await moveSession(instance, session, MOVE);
    await beginCall(instance, asking('title'));
    expect([instance.actuator.level(), session.expected]).toEqual(['switch', SPARE]);
  });

  it('when OpenCode tells of our own switches, then home stays home; of another one, then it is the user’s', async () => {
    const { instance, session, host } = openInstance();
    await moveSession(instance, session, MOVE);
    await noteSelected(instance, session, refOf(SPARE));
    expect(session.home).toEqual(refOf(LEAD));
    await noteSelected(instance, session, refOf(SPARE));
    await pointHome(instance, session);
    expect([session.home, host.model]).toEqual([null, refOf(SPARE)]);
  });
});
