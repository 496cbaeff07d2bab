import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVIDENCE, MINUTE } from '../../engine/world';
import { runs } from '../../support/runs';
import { Fleet } from './machines';

const NAMES = ['one', 'two', 'three'] as const;
const who = fc.constantFrom(...NAMES);
const model = fc.constantFrom('a/1', 'a/2');
const evidence = fc.oneof(
  fc.constantFrom(1_800, 3_600, 60).map((s) => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': `${s}` } })),
  fc.constantFrom(EVIDENCE.rateLimit, EVIDENCE.serverError, EVIDENCE.overloaded),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('fail' as const), who, model, evidence }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer' as const), who, model }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const), who, model }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('speak' as const), who }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('hear' as const), who }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.nat(20 * MINUTE) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('lose' as const), who }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function play(fleet: Fleet, one: Step): void {
  if (one.type === 'wait') {
    fleet.wait(one.ms);
    return;
  }
  const machine = fleet.get(one.who);
  // No two things happen in the same millisecond.
  fleet.wait(1);
  if (one.type === 'fail') machine.does((world) => world.failingAlone(one.model, one.evidence));
  else if (one.type === 'answer') machine.answer(one.model);
  else if (one.type === 'reset')
    machine.does((world) => world.tell({ type: 'health.reset', target: { model: one.model }, actor: 'somebody' }));
  else if (one.type === 'speak') fleet.speak(machine);
  else if (one.type === 'hear') fleet.hear(machine);
  else fleet.said.delete(machine.name);
}

describe('given machines that share an account, and whatever happens to them and to what they say', () => {
  it('when all has been said, then all agree on who is out and until when, and saying it again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
        const fleet = new Fleet(...NAMES);
        for (const one of steps) play(fleet, one);
        fleet.sync();
        for (const name of ['a/1', 'a/2']) {
          // Not what is shown: a model that flaps is held longer where it flaps.
          const outs = fleet.machines.map((machine) => machine.outFor(name));
          expect([name, outs]).toEqual([name, outs.map(() => outs[0])]);
        }
        const before = fleet.machines.map(({ heard }) => heard);
        fleet.sync();
        expect(fleet.machines.map(({ heard }) => heard)).toEqual(before);
      }),
      { numRuns: runs(3_000) },
    );
  });
});
