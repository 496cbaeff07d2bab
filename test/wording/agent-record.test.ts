import { describe, expect, it } from 'vitest';
import { type AgentRecord, AgentRecordSchema } from '../../src/contract/agent-record';
import type { AgentRow, SessionRow, Snapshot } from '../../src/contract/snapshot';
import { trayIcon, trayTooltip } from '../../src/main/tray-view';
import { recordTexts, saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { recordOf, recordsOf } from '../../src/wording/agent-record';
import { endText, nameOf, reasonText, stateCounted, timeLeft } from '../../src/wording/agent-record-words';
import { attentionOf } from '../../src/wording/attention';
import { attentionTitle, verdict } from '../../src/wording/attention-words';
import { statusText } from '../../src/wording/status-text';
import { stopwatch } from '../../src/wording/stopwatch';
import { agentRow, BACK_AT, modelRow, snapshotOf, understudyRow } from '../support/rows';

const [SONNET, GPT] = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'] as const;
const SHOP = '/home/ada/shop';
const AT = BACK_AT - 600_000;
type State = AgentRow['chain'][number]['state'];
const link = (model: string, state: State, code: string | null = null) => ({ model, state, code });
const cooling = (model: string, until = BACK_AT, source: 'provider' | 'estimate' = 'provider') =>
  modelRow({ model, state: 'cooling', code: 'limit.rate_limit', until, source });
const near: NonNullable<NonNullable<AgentRow['halted']>['near']> = {
  ...{ code: 'money.day', window: 'budget', unit: 'dollars', lengthMs: 86_400_000, used: 1.02 },
  ...{ limit: 5, remaining: 0, needs: null },
};
const question: Snapshot['questions'][number] = {
  ...{ id: 'q1', session: 'ses_1', agent: 'build', model: SONNET, to: GPT },
  ...{ kind: 'rate_limit', skippedAt: AT + 60_000, since: AT - 1_000 },
};

/** The record of the one agent. */
function recordIn(row: AgentRow, change: Partial<Snapshot> = {}): AgentRecord {
  const [record] = recordsOf(snapshotOf([row], change));
  if (!record) throw new Error('no record');
  return record;
}

describe('given an agent in a session', () => {
  it.each<[string, AgentRow, Partial<Snapshot>, Partial<AgentRecord>, string, string]>([
    ['nothing happens', agentRow(), {}, { state: 'idle', isRunning: false }, '', 'idle'],
    [
      'its turn is open',
      agentRow({ status: 'working', runningSince: AT - 5_000 }),
      {},
      { state: 'running', isRunning: true, model: SONNET, since: AT - 5_000 },
      '',
      'running since 14:22',
    ],
    [
      'no token comes',
      agentRow({ status: 'working', runningSince: AT - 40_000, silentSince: AT - 34_000 }),
      {},
      { state: 'waitsForFirstToken', isRunning: true, since: AT - 34_000 },
      '',
      'waiting for first token 0:34',
    ],
    [
      'OpenCode asks for a permission',
      agentRow({ status: 'working', runningSince: AT, waitsFor: { what: 'permission', since: AT - 60_000 } }),
      {},
      { state: 'waitsForPermission', action: 'allowInOpenCode' },
      '',
      'waits for permission since 14:21',
    ],
    [
      'OpenCode asks a question',
      agentRow({ status: 'working', runningSince: AT, waitsFor: { what: 'answer', since: AT - 60_000 } }),
      {},
      { state: 'waitsForAnswer', action: 'answerInOpenCode', until: null },
      '',
      'waits for an answer since 14:21',
    ],
    [
      'Understudy asks a question',
      agentRow({ status: 'working', runningSince: AT }),
      { questions: [question] },
      { state: 'waitsForAnswer', action: 'answer', until: AT + 60_000, clock: null, since: AT - 1_000 },
      'claude-sonnet-4-5 is rate limited',
      'waits for an answer since 14:22',
    ],
    [
      'OpenCode waits for the time of the provider',
      agentRow({
        waits: { by: 'host', model: SONNET, kind: 'rate_limit', status: 429, since: AT, until: BACK_AT },
      }),
      {},
      { state: 'waitsForRetry', until: BACK_AT, clock: 'provider', action: null },
      'claude-sonnet-4-5 is rate limited (429)',
      'waits for a retry',
    ],
    [
      'OpenCode waits without an end, and there is no fallback model',
      agentRow({
        chain: [link(SONNET, 'cooling')],
        isAlone: true,
        waits: { by: 'host', model: SONNET, kind: 'overloaded', status: 529, since: AT, until: null },
      }),
      {},
      { state: 'waitsForRetry', until: null, clock: null, action: 'addModel' },
      'claude-sonnet-4-5 is overloaded (529)',
      'waits for a retry',
    ],
    [
      'a budget is spent',
      agentRow({ status: 'exhausted', halted: { near, until: BACK_AT } }),
      {},
      { state: 'budgetSpent', until: BACK_AT, clock: null, action: 'raiseBudget' },
      '$5.10 of today’s $5.00 are spent',
      'budget spent',
    ],
    [
      'it was left out',
      agentRow({ status: 'exhausted', isLeftOut: true }),
      {},
      { state: 'paused', action: 'bringBack', until: null },
      '',
      'paused',
    ],
  ])('when %s, then its record has one state with its own cause and end', (_, row, change, fields, reason, state) => {
    const record = recordIn(row, { at: AT, ...change });
    expect(record).toMatchObject(fields);
    expect([reasonText(record), stateCounted(record, AT)]).toEqual([reason, state]);
    expect(AgentRecordSchema.parse(record)).toEqual(record);
  });

  it('when its fallback model hangs after the primary was limited, then cause and end are both of the primary', () => {
    const why = { kind: 'rate_limit', status: 429, from: SONNET, until: BACK_AT, source: 'provider' } as const;
    const row = understudyRow({ why, chain: [link(SONNET, 'cooling'), link(GPT, 'ready')] });
    const record = recordIn(row, { at: AT, models: [cooling(SONNET)] });
    expect(record).toMatchObject({
      ...{ state: 'onFallback', model: GPT, position: 2, of: 2, until: BACK_AT, clock: 'provider', action: null },
      reason: { model: SONNET, kind: 'rate_limit', status: 429 },
    });
    expect(endText(record, AT)).toBe('10m 0s left, until about 14:32 (provider says)');
  });

  it.each([
    ['the user held it', 'held', 'held.open', null, { code: 'held', kind: null }],
    [
      'it failed for another reason',
      'cooling',
      'limit.timeout',
      'timeout',
      { code: 'failed', kind: 'timeout', status: null },
    ],
  ] as const)('when its primary was limited and %s since, then that is the cause', (_, state, code, kind, cause) => {
    const why = { kind: 'rate_limit', status: 429, from: SONNET, until: BACK_AT, source: null } as const;
    const row = understudyRow({ why, chain: [link(SONNET, state, code), link(GPT, 'ready')] });
    const lastFailure = kind && { kind, status: null, message: '', at: AT };
    const record = recordIn(row, {
      at: AT,
      models: [modelRow({ model: SONNET, state, code, until: BACK_AT, lastFailure })],
    });
    expect(record).toMatchObject({ until: BACK_AT, clock: null, reason: { model: SONNET, ...cause } });
    expect(endText(record, AT)).toBe('10m 0s left, until 14:32');
  });

  it('when its primary is available again, then that is the cause, and no time is given', () => {
    const row = understudyRow({ why: null, chain: [link(SONNET, 'ready'), link(GPT, 'ready')] });
    const record = recordIn(row, { at: AT });
    expect([record.state, reasonText(record), record.until]).toEqual([
      'onFallback',
      'claude-sonnet-4-5 is available; the next message uses it',
      null,
    ]);
  });

  it('when a person has pinned it, then that is the cause, and the pin has the end', () => {
    const pins = [{ directory: SHOP, agent: 'build', model: GPT, until: BACK_AT, since: 0, by: 'panel' }];
    expect(recordIn(understudyRow(), { at: AT, pins })).toMatchObject({
      ...{ state: 'onFallback', reason: { code: 'pinned', model: GPT }, until: BACK_AT, clock: null },
      action: 'unpin',
    });
  });

  it.each<[string, string, Partial<AgentRecord>]>([
    ['its primary, and has not left it', SONNET, { state: 'idle', model: SONNET }],
    ['its primary, from a fallback model', SONNET, { state: 'idle', model: SONNET, position: 1 }],
    ['another model than the last one', 'google/gemini', { state: 'onFallback', model: 'google/gemini' }],
  ])('when a person pins it to %s, then the record names the model of the pin', (where, model, expected) => {
    const pins = [{ directory: SHOP, agent: 'build', model, until: BACK_AT, since: 0, by: 'panel' as const }];
    const row = where.includes('has not left') ? agentRow() : understudyRow({ agent: 'build' });
    const reason = expect.objectContaining({ code: 'pinned', model });
    expect(recordIn(row, { pins })).toMatchObject({ ...expected, reason, until: BACK_AT, action: 'unpin' });
  });

  it('when its fallback model is held between two turns, then the model that gets the next message is named', () => {
    const chain = [link(SONNET, 'cooling'), link(GPT, 'held', 'held.isolated'), link('google/gemini', 'ready')];
    const row = understudyRow({ chain });
    expect(recordIn(row, { models: [cooling(SONNET)] })).toMatchObject({ model: 'google/gemini', position: 3 });
    const running = { ...row, status: 'working', runningSince: AT } as const;
    expect(recordIn(running, { models: [cooling(SONNET)] })).toMatchObject({ model: GPT, position: 2 });
  });

  it.each<[State, Partial<AgentRecord>]>([
    ['ready', { state: 'idle', model: SONNET, reason: null }],
    ['cooling', { state: 'idle', model: SONNET, reason: expect.objectContaining({ code: 'failed', model: SONNET }) }],
  ])('when switching is paused and its primary is %s, then the next message goes there', (state, expected) => {
    const row = understudyRow({ chain: [link(SONNET, state), link(GPT, 'ready')] });
    const pause = { since: AT, until: null, by: 'panel' } as const;
    expect(recordIn(row, { pause, models: [modelRow({ model: SONNET, state })] })).toMatchObject(expected);
  });

  it('when a question is open, then its end is beside the state, and not beside the cause', () => {
    const text = statusText(snapshotOf([agentRow()], { at: AT, questions: [question] }));
    expect(text).toMatch(
      /waits for an answer since 14:22, 1m 0s left, until 14:23 {2,}claude-sonnet-4-5 is rate limited/,
    );
  });

  it('when all models are unavailable, then the one that returns first has cause and time', () => {
    const row = agentRow({ status: 'exhausted', chain: [link(SONNET, 'cooling'), link(GPT, 'open', 'breaker.open')] });
    const gpt = modelRow({
      ...{ model: GPT, state: 'open', code: 'breaker.open', until: BACK_AT - 300_000, source: 'estimate' },
      lastFailure: { kind: 'timeout', status: null, message: '', at: AT },
    });
    const record = recordIn(row, { at: AT, models: [cooling(SONNET), gpt] });
    expect(record).toMatchObject({
      ...{ state: 'allModelsUnavailable', model: GPT, until: BACK_AT - 300_000, clock: 'ours', action: null },
      reason: { model: GPT, kind: 'timeout' },
    });
  });

  it('when one of all its unavailable models needs the user, then that one gives cause and action', () => {
    const row = agentRow({ chain: [link(SONNET, 'cooling'), link(GPT, 'blocked', 'blocked.auth')] });
    const record = recordIn(row, { at: AT, models: [cooling(SONNET)] });
    expect([record.action, record.reason?.model, record.reason?.kind]).toEqual(['fixModel', GPT, 'auth']);
  });

  it('when its session has ended, then nothing lasts of it', () => {
    const snapshot = snapshotOf([agentRow({ status: 'exhausted', isLeftOut: true, silentSince: AT })]);
    const session = { ...(snapshot.sessions[0] as SessionRow), isLive: false };
    expect(recordOf(session.agents[0] as AgentRow, session, snapshot)).toMatchObject({
      ...{ isLive: false, state: 'idle', isRunning: false, reason: null, until: null, action: null },
    });
  });
});

describe('given a request whose first token is late', () => {
  const row = agentRow({ status: 'working', runningSince: AT - 40_000, silentSince: AT - 34_000 });
  const snapshot = snapshotOf([row], { at: AT });

  it('when surfaces are looked at, then none is calm, and the icon keeps its shape', () => {
    const title = 'build is waiting for the first token of claude-sonnet-4-5.';
    expect([verdict(snapshot).title, trayTooltip(snapshot).startsWith(title), trayIcon(snapshot)]).toEqual([
      title,
      true,
      'healthy',
    ]);
    expect(statusText(snapshot)).toContain('waiting for first token 0:34');
  });
});

describe('given a prompt of OpenCode', () => {
  it('when surfaces are looked at, then they say that it waits for the user', () => {
    const row = agentRow({ status: 'working', runningSince: AT, waitsFor: { what: 'permission', since: AT } });
    const snapshot = snapshotOf([row], { at: AT });
    expect([verdict(snapshot).title, trayIcon(snapshot), attentionOf(snapshot)[0]?.way.kind]).toEqual([
      'build waits for permission.',
      'attention',
      'lasts',
    ]);
  });
});

describe('given two sessions of one agent in one project', () => {
  it('when their states differ, then each is named with its session', () => {
    const one = understudyRow({ agent: 'build' });
    const two = agentRow({ agent: 'build', session: 'ses_2', key: 'ses_2:build' });
    const [first] = snapshotOf([one], { at: AT }).sessions;
    const second = { ...(first as SessionRow), session: 'ses_2', title: 'Add a cart', agents: [two] };
    const snapshot = { ...snapshotOf([one], { at: AT }), sessions: [first as SessionRow, second] };
    const [item] = attentionOf(snapshot);
    expect(item && attentionTitle(item, snapshot)).toBe('build (ses_1) uses gpt-5, 2 of 2.');
    const names = recordsOf(snapshot).map((record) => nameOf(record, recordsOf(snapshot), (each) => each));
    expect(names).toEqual(['build (ses_1)', 'build (Add a cart)']);
  });
});

describe('given times', () => {
  it.each([
    [0, '0:00', '0s'],
    [34_999, '0:34', '35s'],
    [252_000, '4:12', '4m 12s'],
    [299_900, '4:59', '5m 0s'],
    [3_725_000, '1:02:05', '1h 2m'],
    [90_000_000, '25:00:00', '1d 1h'],
  ])('when %i ms are counted, then they read "%s" up and "%s" down', (ms, up, down) => {
    expect([stopwatch(ms), timeLeft(ms)]).toEqual([up, down]);
  });
});

it('given German, when states are named, then each has its own word', () => {
  const words = saidIn('de', german, () => Object.values(recordTexts().states));
  expect(new Set(words).size).toBe(words.length);
});
