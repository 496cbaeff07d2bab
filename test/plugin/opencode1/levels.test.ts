import { describe, expect, it } from 'vitest';
import type { HistoryMessage, SessionError } from '../../../src/plugin/opencode1/memory/types';
import { type Knobs, LEAD, playOpenCode, SPARE, THIRD } from '../support/played-opencode';

/** Another plugin that writes the old model back, always or while a turn runs: the switch in flight is lost. */
const WRITES_BACK: Partial<Knobs> = {
  other: (message, before) => before && Object.assign(message, { model: before.model }),
};
const ONLY_AT_REST: Partial<Knobs> = {
  other: (message, before, isBusy) => before && isBusy && Object.assign(message, { model: before.model }),
};
const errorOf = (answer?: Partial<HistoryMessage>): SessionError | undefined =>
  answer?.info?.role === 'assistant' ? answer.info.error : undefined;
type Played = Awaited<ReturnType<typeof playOpenCode>>;

/** The session works until its last model has answered or failed. */
const rests = (played: Played, id: string) => expect.poll(() => played.sessions.get(id)?.busy).toBe(0);
const answers = (played: Played, id: string, last: string) => expect.poll(() => played.history(id).at(-1)).toBe(last);

describe('given an OpenCode of which nothing is known when its first turn fails', () => {
  it('when it carries turns on, then the turn is moved in flight, and no provider was asked for the proof', async () => {
    const played = await playOpenCode({}, { [LEAD]: [401] });
    const { id } = await played.say('One');
    await rests(played, id);
    expect([played.history(id).at(-1), played.asked, played.selfCheck.actuator()]).toEqual([
      `${SPARE}: HELLO`,
      [LEAD, SPARE],
      'soft',
    ]);
  });

  it('when no proof can be made, then the switch itself is one: taken, it is remembered', async () => {
    const played = await playOpenCode({}, { [LEAD]: [401] });
    Object.assign(played.instance.listed, { provable: [] });
    await played.say('One');
    await expect.poll(() => played.selfCheck.isKnown()).toBe(true);
    expect([
      played.asked,
      played.selfCheck.actuator(),
      played.told.filter((said) => !said.startsWith('toast')),
    ]).toEqual([[LEAD, SPARE], 'soft', []]);
  });

  it.each<[string, Partial<Knobs>]>([
    ['the model is read once', { rereads: false }],
    ['turns end after an empty step', { goesOn: false }],
    ['another plugin writes the old model back', WRITES_BACK],
  ])(
    'when no proof can be made and %s, then the turn comes to an end, and the next is asked again',
    async (_, knobs) => {
      const played = await playOpenCode(knobs, { [LEAD]: [401] });
      Object.assign(played.instance.listed, { provable: [] });
      const { id } = await played.say('One');
      await rests(played, id);
      await expect.poll(() => played.selfCheck.actuator()).toBe('again');
      expect(played.asked.length).toBeLessThanOrEqual(2);
      expect(played.told).toContainEqual(
        expect.stringMatching(/^OpenCode 1\.19\.0 cannot change the model of a running turn/),
      );
    },
  );
});

describe('given an OpenCode that does not let a running turn change its model', () => {
  const open = async (scripts: Parameters<typeof playOpenCode>[1], knobs: Partial<Knobs> = {}) => {
    const played = await playOpenCode({ ...ONLY_AT_REST, ...knobs }, scripts);
    expect(await played.selfCheck.settled(60_000, true)).toBe('again');
    return played;
  };

  it.each([true, false])(
    'when its lead fails (rests twice: %s), then the turn ends and the next model answers the same message',
    async (restsTwice) => {
      const played = await open({ [LEAD]: [401] }, { restsTwice });
      const { id, answer } = await played.say('One');
      await answers(played, id, `${SPARE}: HELLO`);
      expect([errorOf(answer)?.name, played.asked]).toEqual(['APIError', [LEAD, SPARE]]);
      // The message stays one message, the failed answer is gone, and the session keeps its own model.
      await expect.poll(() => played.history(id)).toEqual([`user: One (${LEAD})`, `${SPARE}: HELLO`]);
    },
  );

  it('when two of three fail, then the third answers the same message', async () => {
    const played = await open({ [LEAD]: [401], [SPARE]: [401] });
    const { id } = await played.say('One');
    await answers(played, id, `${THIRD}: HELLO`);
    await expect.poll(() => played.history(id)).toEqual([`user: One (${LEAD})`, `${THIRD}: HELLO`]);
    expect(played.asked).toEqual([LEAD, SPARE, THIRD]);
  });

  it('when all fail, then the turn ends and nobody is asked in a loop', async () => {
    const played = await open({ [LEAD]: [401], [SPARE]: [401], [THIRD]: [401] });
    const { id } = await played.say('One');
    await expect.poll(() => played.asked.length).toBe(3);
    await rests(played, id);
    expect(played.history(id).at(-1)).toContain('APIError');
    expect(played.asked).toEqual([LEAD, SPARE, THIRD]);
  });

  it.each<[string, (played: Played, id: string) => unknown]>([
    ['a parent waits for it', ({ instance }, id) => instance.parents.set(id, 'ses_0')],
    ['OpenCode exits at its end', ({ instance }) => Object.assign(instance, { exitsAtRest: true })],
    [
      'a tool has run in it',
      ({ host, sessions }, id) => {
        host.other = (message) => {
          const worked = { id: 'msg_0', sessionID: id, role: 'assistant', parentID: message.id } as const;
          const info = { ...worked, providerID: 'lead', modelID: 'one', finish: 'tool-calls' };
          sessions.get(id)?.messages.push({ info, parts: [{ type: 'tool', tool: 'write' }] });
        };
      },
    ],
  ])(
    'when %s, then its failure passes as it is, and the next message goes to a model that is well',
    async (_, arrange) => {
      const played = await open({ [LEAD]: [401] });
      const { data } = await played.client.session.create({ body: { title: 'Mine' } });
      const id = data?.id ?? '';
      arrange(played, id);
      const { answer } = await played.say('One', id);
      expect([errorOf(answer)?.data?.message, played.asked]).toEqual([expect.stringContaining('status 401'), [LEAD]]);
      played.host.other = () => undefined;
      await played.say('Two', id);
      expect(played.asked).toEqual([LEAD, SPARE]);
    },
  );
});

describe('given an OpenCode in which nothing can be moved', () => {
  it('when its lead fails, then the failure passes as it is and the next message goes to a model that is well', async () => {
    const played = await playOpenCode(WRITES_BACK, { [LEAD]: [401] });
    expect(await played.selfCheck.settled(60_000, true)).toBe('watch');
    const { id, answer } = await played.say('One');
    await rests(played, id);
    expect([errorOf(answer)?.data?.message, played.asked]).toEqual([expect.stringContaining('status 401'), [LEAD]]);
    await played.say('Two', id);
    expect(played.asked).toEqual([LEAD, SPARE]);
  });

  it('when a person has taken out all of its models, then its lead is not asked all the same, and the error says so', async () => {
    const played = await playOpenCode(WRITES_BACK, {});
    expect(await played.selfCheck.settled(60_000, true)).toBe('watch');
    for (const model of [LEAD, SPARE, THIRD])
      played.instance.companion.brain.tell({ type: 'health.isolated', model, actor: 'panel' });
    const { answer } = await played.say('One');
    expect([errorOf(answer)?.data?.message, played.asked]).toEqual([
      expect.stringContaining('is isolated by you, so no request is sent'),
      [],
    ]);
  });
});
