import * as fc from 'fast-check';
import { PersonAct } from '../../src/contract/acts';
import type { Snapshot } from '../../src/contract/snapshot';
import type { Evidence } from '../../src/engine';
import type { CompanionEvent } from '../../src/protocol';
import {
  CHAIN,
  COMPANION,
  carried,
  configured,
  failed,
  openTestCore,
  prompted,
  started,
  succeeded,
  type TestCore,
} from '../core/virtual-core';

const model = fc.constantFrom(...CHAIN, 'lead/other', 'a/b', `long/${'x'.repeat(290)}`);
const turn = fc.constantFrom('t1', 't2', 't3');
const session = fc.constantFrom('s1', 's2', 's3');
const directory = fc.constantFrom('/home/u/project', 'C:\\work\\other', '/', '', 'd'.repeat(4_096));
const attempt = fc.constantFrom('a1', 'a2', 'a3', 'a4');
const agent = fc.constantFrom('build', 'plan', '*', '', '__proto__', 'toString');
const evidence: fc.Arbitrary<Evidence> = fc.record(
  {
    phase: fc.constantFrom('headers' as const, 'body' as const, 'stream' as const, 'watchdog' as const),
    status: fc.constantFrom(200, 400, 401, 402, 403, 404, 413, 429, 500, 503, 529, -1, 999),
    code: fc.constantFrom('insufficient_quota', 'ECONNREFUSED', 'invalid_api_key', '', 'x'),
    message: fc.oneof(fc.string(), fc.constant('y'.repeat(2_000)), fc.constant('try again in 3 days')),
    headers: fc.dictionary(
      fc.constantFrom('retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'cookie'),
      fc.string({ maxLength: 20 }),
    ),
    observed: fc.constantFrom(
      'early_termination' as const,
      'empty_response' as const,
      'timeout' as const,
      'aborted' as const,
    ),
    outputChars: fc.nat(),
  },
  { requiredKeys: ['phase'] },
);

export const anyEvent: fc.Arbitrary<CompanionEvent> = fc.oneof(
  fc.tuple(directory, fc.uniqueArray(model)).map(([place, chain]) => configured(place, chain)),
  fc
    .record({ turn, session, directory, agent, model, hostLead: fc.option(model), isExplicit: fc.boolean() })
    .map(prompted),
  fc.record({ turn, session, parentSession: session, directory, agent, model }).map(prompted),
  fc
    .record({
      attempt,
      turn,
      session,
      directory,
      agent,
      model,
      purpose: fc.constantFrom('turn' as const, 'internal' as const),
    })
    .map(started),
  fc.tuple(attempt, evidence).map(([id, what]) => failed(id, what)),
  attempt.map(succeeded),
  fc.boolean().map(carried),
  session.map((id) => ({ type: 'session.idle' as const, session: id })),
  session.map((id) => ({ type: 'session.closed' as const, session: id })),
  directory.map((place) => ({ type: 'scope.closed' as const, directory: place })),
);

const forMs = fc.option(fc.constantFrom(1, 60_000, 3_600_000));
const person: fc.Arbitrary<PersonAct> = fc.oneof(
  fc.record({ type: fc.constantFrom('health.isolated' as const, 'health.released' as const), model }),
  fc.record({
    type: fc.constant('health.held' as const),
    model,
    state: fc.constantFrom('open' as const, 'closed' as const, null),
    forMs,
  }),
  fc.record({
    type: fc.constant('agent.pinned' as const),
    directory,
    agent: fc.constantFrom('build', '*'),
    model: fc.option(model),
    forMs,
  }),
  fc.record({ type: fc.constant('switching.paused' as const), forMs }),
  fc.constant({ type: 'switching.resumed' as const }),
  fc.record({ type: fc.constant('speaker.retried' as const), session, agent: fc.option(fc.constant('build')) }),
);

export type Act =
  | Readonly<{ kind: 'told'; event: CompanionEvent; ageMs: number }>
  | Readonly<{ kind: 'wait'; ms: number }>
  | Readonly<{ kind: 'reset'; target: object }>
  | Readonly<{ kind: 'person'; act: PersonAct }>
  | Readonly<{ kind: 'lease'; model: string }>
  | Readonly<{ kind: 'gone' | 'back' | 'knock' }>;
export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('told' as const),
      event: anyEvent,
      ageMs: fc.constantFrom(0, 0, 0.5, 90_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 61_000, 400_000, 90_000_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reset' as const),
      target: fc.oneof(
        fc.record({ model: fc.oneof(model, fc.string()) }),
        fc.record({ provider: fc.oneof(fc.constant('lead'), fc.string()) }),
        fc.constant({ all: true }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person' as const), act: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lease' as const), model }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('gone' as const, 'back' as const, 'knock' as const) }) },
);

export function live(acts: readonly Act[]): TestCore {
  const test = openTestCore();
  test.core.connected(COMPANION);
  let seq = 0;
  for (const one of acts) {
    if (one.kind === 'told')
      test.core.told('i1', { seq: ++seq, ageMs: one.ageMs, sentAt: test.clock.wall(), event: one.event });
    else if (one.kind === 'wait') test.clock.advance(one.ms);
    else if (one.kind === 'gone') test.core.lost('i1');
    else if (one.kind === 'back') test.core.connected(COMPANION);
    else if (one.kind === 'knock') test.core.incompatible({ ...COMPANION, instance: 'i9' });
    else if (one.kind === 'lease') test.core.lease('i1', one.model);
    else if (one.kind === 'person') {
      const { rev } = test.core.host.handlers['snapshot.get'](null) as Snapshot;
      test.core.host.handlers['person.act']({ act: PersonAct.parse(one.act), rev, actor: 'panel' });
    } else if (one.kind === 'reset') {
      const { rev } = test.core.host.handlers['snapshot.get'](null) as Snapshot;
      test.core.host.handlers['health.reset']({ target: one.target, rev, actor: 'panel' } as never);
    }
  }
  return test;
}
