import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, type Policy } from '../../src/engine';
import { PRESETS } from '../../src/engine/tools';
import {
  causePhrase,
  inConsequences,
  isResettable,
  outConsequences,
  remedy,
  resetConsequences,
  stateReason,
} from '../../src/wording/act-words';
import { rulePhrase } from '../../src/wording/rule-words';
import { clock } from '../../src/wording/wording';
import { agentRow, modelRow, snapshotOf, understudyRow } from '../support/rows';

const SONNET = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-5';
const AT = new Date(2026, 0, 5, 14, 18).getTime();
const UNTIL = new Date(2026, 0, 5, 14, 32).getTime();

const cooling = modelRow({
  model: SONNET,
  name: 'claude-sonnet-4-5',
  state: 'cooling',
  code: 'limit.rate_limit',
  until: UNTIL,
  source: 'provider',
  lastFailure: { kind: 'rate_limit', status: 429, message: '', at: AT },
});
const blocked = modelRow({ model: GPT, name: 'gpt-5', state: 'blocked', code: 'blocked.auth' });

describe('given a cooling lead whose agent speaks through its understudy', () => {
  const snapshot = snapshotOf([understudyRow()], { models: [cooling, blocked] });

  it('when its reset is considered, then readiness, the provider’s own time and the return are told', () => {
    expect(resetConsequences(snapshot, { model: SONNET })).toEqual([
      'claude-sonnet-4-5 counts as ready; the next request may try it.',
      `anthropic set a cooldown for claude-sonnet-4-5 until ${clock(UNTIL)}. A reset ignores it.`,
      'build returns to claude-sonnet-4-5 with its next message.',
    ]);
  });

  it('when everything is to be reset, then both are named, and what the blocked one needs', () => {
    expect(resetConsequences(snapshot, { all: true }).slice(0, 1)).toEqual([
      'claude-sonnet-4-5 and gpt-5 count as ready; the next requests may try them.',
    ]);
    expect(resetConsequences(snapshot, { provider: 'openai' })).toEqual([
      'gpt-5 counts as ready; the next request may try it.',
      'Give openai a valid API key (opencode auth login), then reset it. Otherwise it fails again.',
    ]);
  });

  it('when nothing is wrong with a provider, then there is nothing to reset', () => {
    expect(resetConsequences(snapshot, { provider: 'google' })).toEqual(['No model needs a reset.']);
  });

  it('when it is to be held in use, then it is told that the provider’s time is ignored', () => {
    expect(inConsequences(snapshot, SONNET)).toEqual([
      'claude-sonnet-4-5 is always treated as ready; a failure affects only its own turn.',
      `anthropic set a cooldown for it until ${clock(UNTIL)}. A hold ignores it.`,
      'build returns to claude-sonnet-4-5 with its next message.',
    ]);
  });
});

describe('given an agent that speaks through a model', () => {
  const chain = agentRow().chain;

  it('when the model is to be kept out, then who moves on is told', () => {
    const snapshot = snapshotOf([agentRow()], { chains: [{ directory: '/p', agent: 'build', chain }] });
    expect(outConsequences(snapshot, SONNET)).toEqual(['build switches models with the next request.']);
    expect(outConsequences(snapshot, GPT)).toEqual(['No live agent uses gpt-5 now.']);
  });

  it('when nobody else of its chain is usable, then it is told whose work would stop', () => {
    const bare = chain.map((member) => (member.model === GPT ? { ...member, state: 'open' as const } : member));
    const snapshot = snapshotOf([agentRow()], { chains: [{ directory: '/p', agent: 'build', chain: bare }] });
    expect(outConsequences(snapshot, SONNET)[1]).toBe('No usable model is left for build: its work would stop.');
  });
});

describe('given models in every state', () => {
  it('when a person is needed, then the state says what to do', () => {
    expect(remedy(blocked)).toBe('Give openai a valid API key (opencode auth login), then reset it.');
    expect(remedy({ ...blocked, code: 'blocked.unknown' })).toBe('Fix the problem that openai reports, then reset it.');
    expect(remedy({ ...blocked, code: 'blocked.constructor' })).toBe(
      'Fix the problem that openai reports, then reset it.',
    );
  });

  it('when a clock ends a hold, then its time is told; without one, that it lasts', () => {
    const hold = { state: 'open', until: UNTIL, since: AT, by: 'panel' } as const;
    const out = { state: 'held', hold, until: UNTIL } as const;
    expect(stateReason(modelRow(out), AT)).toBe(`Held out of use until ${clock(UNTIL)}.`);
    const limited = { ...cooling, ...out, until: UNTIL + 3_600_000 };
    const outBeyond = `Held out of use until ${clock(UNTIL)}. It stays unavailable after that.`;
    expect(stateReason(limited, AT)).toBe(outBeyond);
    expect(stateReason(modelRow({ ...out, until: null }), AT)).toBe(outBeyond);
    expect(stateReason(modelRow({ state: 'held', hold: { ...hold, state: 'closed', until: null } }), AT)).toBe(
      'Held in use until you end it, even if its breaker opens.',
    );
  });

  it('when it is well, unused, isolated or held by a person, then there is nothing to reset', () => {
    const hold = { state: 'open', until: null, since: AT, by: 'panel' } as const;
    const rows = [
      ...[modelRow(), modelRow({ state: 'unseen' }), modelRow({ state: 'held', isolatedBy: ['panel'] })],
      ...[modelRow({ state: 'held', hold }), modelRow({ state: 'held', hold: { ...hold, by: 'flapping' } }), cooling],
    ];
    expect(rows.map(isResettable)).toEqual([false, false, false, false, true, true]);
  });
});

describe('given the policies that ship', () => {
  it.each(Object.entries<Policy>(PRESETS))('when %s is told, then every row is a sentence', (_name, policy) => {
    for (const kind of FAILURE_KINDS)
      expect(rulePhrase(kind, policy[kind])).toMatch(/^When a model is [^{}]+: [a-z][^{}]+\.$/);
  });

  it('when a row counts and waits, then numbers and times are told', () => {
    expect(
      rulePhrase('server_error', [
        { step: 'retry', n: 3, when: 'gateway' },
        { step: 'wait', ms: 120_000 },
        { step: 'continue', n: 1 },
        { step: 'return' },
      ]),
    ).toBe(
      'When a model is failing: retry up to 3 times after a gateway failure, then wait 2 min and retry, then let it continue once, then leave the failure to OpenCode.',
    );
  });
});

describe('given a model that another machine has found out of quota, and that has failed otherwise here', () => {
  it('when it is shown, then the cause is that of its state, and not its last failure', () => {
    const lastFailure = { kind: 'rate_limit', status: 429, message: 'slow down', at: AT } as const;
    const says = (code: string | null) => causePhrase(modelRow({ state: 'cooling', code, lastFailure }));
    expect([says('limit.quota'), says('limit.rate_limit')]).toEqual(['out of quota', 'rate limited (429)']);
    // A limit is not counted by a breaker, and nobody holds a model for it.
    expect(['breaker.open', 'breaker.counting', 'network.open', 'held', null].map(says)).toEqual(Array(5).fill(''));
    const counted = modelRow({
      code: 'breaker.counting',
      lastFailure: { ...lastFailure, kind: 'server_error', status: 500 },
    });
    expect(causePhrase(counted)).toBe('failing (500)');
    expect(causePhrase(modelRow({ state: 'ready', code: null, lastFailure: null }))).toBe('');
  });
});
