import { expect, it } from 'vitest';
import { levelOne } from '../../../src/features/council/plugin/level-one';

const about = { turn: 'm', session: 's', directory: '/d', agent: 'build', model: 'a/b' } as const;

it('asks the same model again after 1 s and 2 s, then hands the turn over', () => {
  const retries: unknown[] = [];
  const level = levelOne(
    { directory: '/d', model: 'a/b', attempts: 3 },
    { note: () => undefined, retrying: (told) => retries.push(told) },
  );
  level.brain.decide({ type: 'prompt.submitted', ...about, hostLead: 'a/b', isExplicit: true });
  const kinds = [1, 2, 3].map((nth) => {
    const attempt = `x${nth}`;
    level.brain.decide({ type: 'attempt.started', attempt, ...about, purpose: 'turn' });
    const decision = level.brain.decide({
      type: 'attempt.failed',
      attempt,
      evidence: { phase: 'headers', status: 500, message: 'gone' },
      durationMs: 1,
    });
    return [decision?.action.kind, decision?.code];
  });
  expect(kinds).toEqual([
    ['hold', 'hold.server_error'],
    ['hold', 'hold.server_error'],
    ['hold', 'defer.server_error'],
  ]);
  expect(retries).toEqual([
    { attempt: 2, waitMs: 1_000, durationMs: 1, kind: 'server_error' },
    { attempt: 3, waitMs: 2_000, durationMs: 1, kind: 'server_error' },
  ]);
  expect(level.fault()).toMatchObject({ kind: 'server_error', isPartial: false });
});

it.each([
  ['a provider that does not let us in', 'auth', { status: 401, message: 'no' }],
  [
    'a provider that asks for more than 4 s',
    'rate_limit',
    { status: 429, message: 'wait', headers: { 'retry-after': '5' } },
  ],
])('hands the turn of %s over at once', (_, kind, evidence) => {
  const retries: unknown[] = [];
  const level = levelOne(
    { directory: '/d', model: 'a/b', attempts: 3 },
    { note: () => undefined, retrying: (told) => retries.push(told) },
  );
  level.brain.decide({ type: 'prompt.submitted', ...about, hostLead: 'a/b', isExplicit: true });
  level.brain.decide({ type: 'attempt.started', attempt: 'x1', ...about, purpose: 'turn' });
  const decision = level.brain.decide({
    ...{ type: 'attempt.failed', attempt: 'x1', durationMs: 1 },
    evidence: { phase: 'headers', ...evidence },
  });
  expect([decision?.code, retries, level.fault()?.kind]).toEqual([`defer.${kind}`, [], kind]);
});
