import { describe, expect, it } from 'vitest';
import { openTalks } from '../../../src/features/council/node/talks';
import { type AppMessage, parseAppMessage, parsePeerMessage, TAKES_COUNCIL } from '../../../src/protocol';

const ASKED = { pid: 7, run: 'r20261126-113002-a1b2', session: 'ses_1' };
const TALK = [
  { kind: 'text', at: 1, text: 'I look.' },
  { kind: 'tool', at: 2, tool: 'read', about: 'a.ts', isRefused: false },
] as const;

function joined({ takes = [TAKES_COUNCIL], limitMs = 5_000 }: Partial<{ takes: string[]; limitMs: number }> = {}) {
  const talks = openTalks(limitMs);
  const sent: AppMessage[] = [];
  const peer = talks.join({ pid: 7, takes, send: (message) => sent.push(message) });
  return { talks, sent, peer };
}

describe('given a companion that plays a run', () => {
  it('when it is asked, then both messages pass the protocol, and what it says is the answer', async () => {
    const { talks, sent, peer } = joined();
    const answer = talks.ask(ASKED);
    const [asked] = sent;
    expect(parseAppMessage(JSON.stringify(asked))).toEqual({ ok: true, message: asked });
    expect(asked).toEqual({ type: 'council.ask', id: expect.any(String), run: ASKED.run, session: 'ses_1' });
    const id = asked?.type === 'council.ask' ? asked.id : '';
    peer.hear({ type: 'council.talk', id: 'another', talk: [] });
    const said = parsePeerMessage(JSON.stringify({ type: 'council.talk', id, talk: TALK }));
    if (said.ok) peer.hear(said.message);
    expect(await answer).toEqual(TALK);
  });

  it('when it is an older one, then it is not asked: what it does not know would end its connection', async () => {
    const { talks, sent } = joined({ takes: [] });
    expect([await talks.ask(ASKED), sent]).toEqual([null, []]);
  });

  it('when it goes away, says nothing in time, or another process is meant, then nothing is known', async () => {
    const { talks, peer } = joined();
    const answer = talks.ask(ASKED);
    peer.left();
    expect([await answer, await talks.ask(ASKED)]).toEqual([null, null]);
    const slow = joined({ limitMs: 1 });
    expect([await slow.talks.ask(ASKED), await slow.talks.ask({ ...ASKED, pid: 8 })]).toEqual([null, null]);
  });

  it('when it has connected anew, then the end of the old connection costs nothing', async () => {
    const { talks, peer } = joined();
    const sent: AppMessage[] = [];
    talks.join({ pid: 7, takes: [TAKES_COUNCIL], send: (message) => sent.push(message) });
    peer.left();
    void talks.ask(ASKED);
    expect(sent).toHaveLength(1);
  });
});
