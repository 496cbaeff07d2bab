import { describe, expect, it } from 'vitest';
import { clock } from '../../src/contract';
import { type Evidence, lastFailureOf } from '../../src/engine';
import { createBrain } from '../../src/plugin/brain';
import { finalMessage } from '../../src/plugin/final-message';
import { DIRECTORY, START, scopeOf } from '../core/virtual-core';

/** The sentence after each model of the chain has failed as told. */
function sentence(failures: readonly Evidence[], config?: ReturnType<typeof scopeOf>): string {
  const chain = failures.map((_, at) => `p${at}/vendor/m${at}`);
  const brain = createBrain(
    () => START,
    () => 0.5,
  );
  const base = { session: 's1', directory: DIRECTORY, agent: 'build', turn: 't1' };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: config ?? scopeOf(chain) });
  for (const [at, evidence] of failures.entries()) {
    const attempt = `a${at}`;
    brain.tell({ type: 'attempt.started', ...base, attempt, model: chain[at] ?? '', purpose: 'turn' });
    const [decision] = brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 1 });
    if (decision?.action.kind === 'exhausted')
      return finalMessage(decision, START, (model) => lastFailureOf(brain.state(), model)?.kind ?? null);
  }
  throw new Error('somebody was left');
}

describe('given a chain with nobody left', () => {
  it('when each is out for its own reason, then the sentence names each and when the first is back', () => {
    expect(
      sentence([
        { phase: 'body', status: 429, headers: { 'retry-after': '600' }, seenAt: START },
        { phase: 'body', status: 503 },
        { phase: 'body', status: 401, message: 'no' },
      ]),
    ).toBe(
      `Understudy: no model of this chain can answer now (m0 is rate limited; m1 is failing; m2 is refusing the API key). m1 is back about ${clock(START + 60_000)}. Your session is safe; send the message again then.`,
    );
  });

  it('when only a person can bring them back, then no time is promised', () => {
    expect(
      sentence([
        { phase: 'body', status: 401 },
        { phase: 'body', status: 401 },
      ]),
    ).toBe(
      'Understudy: no model of this chain can answer now (m0 is refusing the API key; m1 is refusing the API key). Your session is safe; send the message again once that is fixed.',
    );
  });

  it('when the last one was not asked again for the budget alone, then its failure is what is said of it', () => {
    const retryBudget = { perSession: 0, warnAt: 0 };
    const config = { ...scopeOf(['p0/vendor/m0', 'p1/vendor/m1']), retryBudget };
    const short = { phase: 'body', status: 429, headers: { 'retry-after': '3' }, seenAt: START } as const;
    expect(sentence([short, short], config)).toMatch(/\(m0 is rate limited; m1 is rate limited\)/);
  });

  it('when those left cannot take the request, then it says of each what it lacks', () => {
    const brain = createBrain(
      () => START,
      () => 0.5,
    );
    const chain = ['p0/lead', 'p1/blind', 'p2/small'];
    const config = { ...scopeOf(chain), models: { 'p1/blind': { vision: false }, 'p2/small': { context: 10 } } };
    const base = { session: 's1', directory: DIRECTORY, agent: 'build', turn: 't1', attempt: 'a1' };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    const needs = { vision: true, contextTokens: 20 };
    brain.tell({ type: 'attempt.started', ...base, model: 'p0/lead', purpose: 'turn', needs });
    const [decision] = brain.tell({
      type: 'attempt.failed',
      attempt: 'a1',
      evidence: { phase: 'body', status: 401 },
      durationMs: 1,
    });
    expect(decision && finalMessage(decision, START)).toMatch(
      /\(lead is refusing the API key; blind cannot read images; small is too small for this conversation\)/,
    );
  });

  it.each([
    [
      false,
      'no model of this chain can answer now (lead is taken out of all chains by you; spare is held out of use by you). spare is back about TIME. Your session is safe; send the message again then.',
    ],
    [
      true,
      'lead is taken out of all chains by you, and switching is paused, so nobody is asked. Your session is safe; let the model back or resume switching, then send the message again.',
    ],
  ])('when a person has taken its models out and paused switching is %s, then it says so', (isPaused, expected) => {
    const brain = createBrain(
      () => START,
      () => 0.5,
    );
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf(['p0/lead', 'p1/spare']) });
    brain.tell({ type: 'health.isolated', model: 'p0/lead', actor: 'panel' });
    brain.tell({ type: 'health.held', model: 'p1/spare', state: 'open', forMs: 600_000, actor: 'panel' });
    if (isPaused) brain.tell({ type: 'switching.paused', forMs: null, actor: 'panel' });
    const base = { session: 's1', directory: DIRECTORY, agent: 'build', turn: 't1', attempt: 'a1' };
    const [decision] = brain.tell({ type: 'attempt.started', ...base, model: 'p0/lead', purpose: 'turn' });
    const time = clock(START + 600_000);
    expect(decision && finalMessage(decision, START)).toBe(`Understudy: ${expected.replace('TIME', time)}`);
  });
});
