import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentRow, agentReason, MODEL_STATES, type Snapshot, verdict } from '../../src/contract';
import { statusMarkdown, statusText } from '../../src/contract/status-text';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { agentRow, BACK_AT, modelRow, snapshotOf, understudyRow } from '../support/panel-host';

const [SONNET, GPT] = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'] as const;
type State = AgentRow['chain'][number]['state'];
const chainOf = (...states: readonly State[]): AgentRow['chain'] =>
  states.map((state, index) => ({ model: index === 0 ? SONNET : GPT, state, code: null }));

const question: Snapshot['questions'][number] = {
  ...{ id: 'q1', session: 'ses_1', agent: 'build', model: SONNET, to: GPT },
  ...{ kind: 'rate_limit', skippedAt: 60_000 },
};
const failing = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  sessions: snapshot.sessions.map((row) => ({ ...row, requests: { asked: 4, failed: 3, isOutage: true } })),
});
const leftOut = agentRow({ agent: 'oracle', status: 'exhausted', isLeftOut: true });
const spent = agentRow({ status: 'exhausted', chain: chainOf('cooling', 'open') });
const away = understudyRow({ agent: 'plan' });
const blocked = agentRow({ chain: chainOf('blocked', 'ready') });

/** A turn that OpenCode has been given the failure of. */
const stuck = agentRow({
  ...{ agent: 'review', chain: chainOf('cooling'), isAlone: true },
  waits: {
    ...{ by: 'host', model: SONNET, kind: 'rate_limit', status: 429 },
    ...{ since: BACK_AT - 600_000, until: BACK_AT },
  },
});
const alone = agentRow({ agent: 'docs', chain: chainOf('ready'), isAlone: true });

describe('given several things to say at once', () => {
  /** From the worst to the calm one: each row is without those before it. */
  const rows = [leftOut, spent, away, blocked];
  it.each<[string, Snapshot, string, string]>([
    [
      'a question waits',
      failing(snapshotOf(rows, { questions: [question] })),
      'build waits for your answer.',
      'May gpt-5 answer for build?',
    ],
    [
      'a turn stands still',
      failing(snapshotOf([...rows, stuck])),
      'review is waiting until about 14:32.',
      'claude-sonnet-4-5 is rate limited (429); it has no fallback model, and OpenCode asks it again about 14:32.',
    ],
    [
      'all models of an agent are out',
      failing(snapshotOf(rows)),
      'build has no model left.',
      'All 2 models of its chain are out. Your session is safe; send the message again when one is back.',
    ],
    [
      'an agent is left out',
      failing(snapshotOf([leftOut, away, blocked])),
      'oracle is left out of its session.',
      'Whoever is left out answers nothing there until you bring it back.',
    ],
    [
      'an agent is on an understudy',
      failing(snapshotOf([away, blocked])),
      'plan is on an understudy. Nothing has stopped.',
      'plan returns to claude-sonnet-4-5 about 14:32. 3 of the last 4 requests in shop failed.',
    ],
    [
      'a lead waits for a person',
      failing(snapshotOf([agentRow({ agent: 'plan' }), blocked])),
      'claude-sonnet-4-5 needs you.',
      'Until you mend what it says and reset it, build goes on with its next model.',
    ],
    [
      'requests fail',
      failing(snapshotOf([agentRow()])),
      'Requests in shop are failing.',
      '3 of the last 4 requests in shop failed.',
    ],
    [
      'an agent has no fallback model',
      snapshotOf([agentRow(), alone]),
      'docs has no fallback model.',
      'Nothing is wrong now. If its model fails, work stops.',
    ],
    ['all is well', snapshotOf([agentRow()]), 'All agents are on their primary.', 'Nothing to do.'],
  ])('when %s, then that is said, and nothing calmer', (_, snapshot, title, lede) => {
    expect(verdict(snapshot)).toEqual({ title, lede });
  });
});

describe('given an agent that does not speak', () => {
  it('when its turn found no model and one is back, then it is told to be asked again, and not that all are out', () => {
    const row = agentRow({ status: 'exhausted', chain: chainOf('cooling', 'ready') });
    expect([verdict(snapshotOf([row])), agentReason(row)]).toEqual([
      {
        title: 'build has stopped.',
        lede: 'Its turn found no model, but gpt-5 takes requests now. Your session is safe; send the message again.',
      },
      'Its turn found no model; gpt-5 takes requests now',
    ]);
  });

  it('when its only model is out and it has not met it again, then it has none left already', () => {
    const row = agentRow({ chain: chainOf('open') });
    expect(verdict(snapshotOf([row]))).toEqual({
      title: 'build has no model left.',
      lede: 'Its only model is out. Your session is safe; send the message again when it is back.',
    });
  });

  it('when two are left out, then they are counted, and the row says so whatever its models are', () => {
    expect([verdict(snapshotOf([leftOut, { ...leftOut, key: 'k2' }])).title, agentReason(leftOut)]).toEqual([
      'Two agents are left out of their sessions.',
      'Left out of this session',
    ]);
  });
});

describe('given a turn that stands still', () => {
  it('when it is told in a terminal, then its row says what the headline says, and not that all is on the primary', () => {
    expect(
      statusText(snapshotOf([stuck]))
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'review is waiting until about 14:32.',
      `${agentReason(stuck)}.`,
      '',
      `  review  claude-sonnet-4-5  ${agentReason(stuck)}`,
    ]);
  });

  it('when it ends on another day, then no clock time is said, which would be one of today', () => {
    const waits = { by: 'host', model: SONNET, kind: 'quota', status: 429, since: 0, until: 3 * 86_400_000 } as const;
    expect(verdict(snapshotOf([agentRow({ waits })])).title).toBe('build is waiting.');
  });
});

describe('given the question of another directory', () => {
  it('when a directory is looked at, then only its own questions head it', () => {
    const snapshot = snapshotOf([agentRow()], { questions: [{ ...question, session: 'ses_9' }], models: [modelRow()] });
    const titleIn = (shown: Snapshot) => statusMarkdown(shown, '/home/ada/shop').split('\n')[0];
    expect([titleIn(snapshot), titleIn({ ...snapshot, questions: [question] })]).toEqual([
      '**All agents are on their primary.**',
      '**build waits for your answer.**',
    ]);
  });
});

const state = fc.constantFrom(...MODEL_STATES);
const row: fc.Arbitrary<AgentRow> = fc
  .record({
    chain: fc.array(state, { minLength: 1, maxLength: 3 }),
    status: fc.constantFrom('working' as const, 'idle' as const, 'exhausted' as const),
    ...{ isLeftOut: fc.boolean(), at: fc.nat(2) },
    wait: fc.constantFrom(null, null, null, 'host' as const, 'hold' as const),
    until: fc.option(fc.nat(60_000)),
  })
  .map(({ chain, at, isLeftOut, status, wait, until }) => {
    const position = at % chain.length;
    const known = {
      chain: chainOf(...chain),
      position,
      isLeftOut,
      ...(chain.length === 1 ? { isAlone: true } : {}),
      status: isLeftOut ? ('exhausted' as const) : status,
      ...(wait
        ? { waits: { by: wait, model: SONNET, kind: 'rate_limit', status: 429, since: 0, until } as const }
        : {}),
    };
    return position === 0 ? agentRow(known) : understudyRow(known);
  });
const isOut = (one: State): boolean => ['cooling', 'open', 'blocked', 'held'].includes(one);

describe('given any agents', () => {
  it.each([
    ['en', {}, ['Nothing to do', 'Nothing has stopped'], 'All '],
    ['de', german, ['Nichts zu tun', 'Nichts steht still'], 'Alle '],
  ] as const)('when it is said in %s, then the headline contradicts no row below it', (language, parts, calm, all) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.boolean(), (agents, isAsked) => {
        const snapshot = snapshotOf(agents, { questions: isAsked ? [question] : [] });
        const { title, lede } = saidIn(language, parts, () => verdict(snapshot));
        const isStuck = agents.some(
          ({ status, isLeftOut, chain, waits }) =>
            status === 'exhausted' || isLeftOut || chain.every((member) => isOut(member.state)) || waits !== undefined,
        );
        const isAlert = isAsked || isStuck;
        for (const words of calm) if (isAlert) expect(`${title} ${lede}`).not.toContain(words);
        const isSaidOut = agents.some(({ chain }) => chain.every((member) => isOut(member.state)));
        if (lede.startsWith(all)) expect(isSaidOut).toBe(true);
        const isUnwell =
          isAlert ||
          agents.some(({ position, chain }) => position > 0 || chain.length === 1 || chain[0]?.state === 'blocked');
        if (agents.length > 0) expect(lede.includes(calm[0])).toBe(!isUnwell);
      }),
    );
  });
});
