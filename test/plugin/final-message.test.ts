import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine';
import { createBrain } from '../../src/plugin/base/brain';
import { endMessage } from '../../src/plugin/user/final-message';
import { clock } from '../../src/wording/wording';
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
    if (decision?.action.kind === 'exhausted') return endMessage(decision, brain, START) ?? '';
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
      'Understudy: all models of this chain are unavailable for this message (m0 is rate limited; m1 is failing; m2 is refusing the API key). m1 takes the next one. Your session is safe; send the message again.',
    );
  });

  it.each([
    [{ headers: { 'retry-after': '600' } }, 600_000, 'provider says'],
    [{}, 300_000, 'our estimate'],
  ])('when all are rate limited with %j, then the first return has its time and its source', (more, inMs, source) => {
    const limit: Evidence = { phase: 'body', status: 429, seenAt: START, ...more };
    expect(sentence([limit, limit])).toBe(
      `Understudy: all models of this chain are unavailable (m0 is rate limited; m1 is rate limited). m0 is back first, about ${clock(START + inMs)} (${source}). Your session is safe; send the message again then.`,
    );
  });

  it('when only our estimates keep all out, then the sentence says who takes the next message', () => {
    const limit: Evidence = { phase: 'body', status: 429, seenAt: START };
    expect(sentence([limit, limit], { ...scopeOf(['p0/vendor/m0', 'p1/vendor/m1']), guessProbe: true })).toBe(
      'Understudy: all models of this chain are unavailable for this message (m0 is rate limited; m1 is rate limited). m0 takes the next one. Your session is safe; send the message again.',
    );
  });

  it('when 4 models answer 500 and no number is set, then no limit of switches is named', () => {
    const down: Evidence = { phase: 'body', status: 500 };
    expect(sentence([down, down, down, down])).toBe(
      'Understudy: all models of this chain are unavailable for this message (m0 is failing; m1 is failing; m2 is failing; m3 is failing). m0 takes the next one. Your session is safe; send the message again.',
    );
  });

  it('when two models refuse what the first one wrote, then the sentence gives its limit and its time', () => {
    const refusal: Evidence = { phase: 'body', status: 400, code: 'invalid_request_error', message: 'not issued' };
    const limit: Evidence = { phase: 'body', status: 429, seenAt: START, headers: { 'retry-after': '600' } };
    expect(sentence([limit, refusal, refusal])).toBe(
      `Understudy: the other models refused this conversation (m0 is rate limited). m0 is back first, about ${clock(START + 600_000)} (provider says). Your session is safe; send the message again then.`,
    );
  });

  it.each([
    [1, '1 switch'],
    [2, '2 switches'],
  ])(
    'when a limit of %i ends the turn before the last model, then the sentence names it',
    (maxFallbackDepth, times) => {
      const chain = ['p0/vendor/m0', 'p1/vendor/m1', 'p2/vendor/m2', 'p3/vendor/m3'];
      const down: Evidence = { phase: 'body', status: 500 };
      const text = sentence([down, down, down, down], { ...scopeOf(chain), maxFallbackDepth });
      expect(text).toMatch(
        new RegExp(`^Understudy: defaults.maxFallbackDepth ends a turn after ${times} \\(m0 is failing;`),
      );
      expect(text).toMatch(/m3 is not requested\). Your session is safe; send the message again to continue\.$/);
    },
  );

  it('when only a person can bring them back, then no time is promised', () => {
    expect(
      sentence([
        { phase: 'body', status: 401 },
        { phase: 'body', status: 401 },
      ]),
    ).toBe(
      'Understudy: all models of this chain are unavailable (m0 is refusing the API key; m1 is refusing the API key). Your session is safe; send the message again once that is fixed.',
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
    expect(decision && endMessage(decision, brain, START)).toMatch(
      /\(lead is refusing the API key; blind cannot read images; small is too small for this conversation\)/,
    );
  });

  it.each([
    [
      false,
      'all models of this chain are unavailable (lead is isolated by you; spare is held out of use by you). spare is back first, about TIME. Your session is safe; send the message again then.',
    ],
    [
      true,
      'lead is isolated by you, and switching is paused, so no request is sent. Your session is safe; enable the model or resume switching, then send the message again.',
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
    expect(decision && endMessage(decision, brain, START)).toBe(`Understudy: ${expected.replace('TIME', time)}`);
  });
});
