import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Evidence, FAILURE_KINDS } from '../../../src/engine';
import { fleetText } from '../../../src/protocol';
import { planAt } from '../../engine/headroom/seen';
import { DIRECTORY, EVIDENCE, MINUTE } from '../../engine/world';
import { runs } from '../../support/runs';
import { Fleet } from './machines';

const NAMES = ['one', 'two', 'three'] as const;
const who = fc.constantFrom(...NAMES);
const model = fc.constantFrom('a/1', 'a/2');
const evidence: fc.Arbitrary<Evidence> = fc.oneof<fc.Arbitrary<Evidence>[]>(
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

/** Text that no other machine may read: a key, an address, a path, a prompt. */
const PRIVATE = 'sk-live-abcdef0123456789 bob@example.com /home/bob/secret Write a poem';
const secretive = (any: Evidence): Evidence => ({
  ...any,
  message: `${any.message ?? ''} ${PRIVATE}`,
  headers: { ...any.headers, 'x-request-id': PRIVATE, authorization: PRIVATE },
});
const EVERY_EVIDENCE: readonly Evidence[] = Object.values(EVIDENCE);
/** All texts of the wire: its keys, the states of a circuit, the sources and units of limits. */
const VOCABULARY = new Set([
  ...['v', 'machine', 'version', 'models', 'all', 'windows', 'spent', 'limits', 'rest', 'block', 'circuit', 'ended'],
  ...['kind', 'closed', 'open', 'halfOpen', 'generation', 'serial', 'trips', 'until', 'probe', 'since', 'provider'],
  ...['estimate', 'id', 'unit', 'lengthMs', 'family', 'used', 'limit', 'remaining', 'refills', 'charges', 'isRuling'],
  ...['isRefusing', 'isOverdrawable', 'isShownOnly', 'name', 'resetAt', 'at', 'asOf', 'at_reset', 'share'],
  ...[...FAILURE_KINDS, ...NAMES, '1.2.3', '1', '2', 'unified-5h'],
]);

describe('given machines whose failures carry a key, an address, a path and a prompt', () => {
  it('when they share what they found, then each text on the wire is of the protocol, a machine or a model', () => {
    const secretStep = fc.oneof(
      step,
      fc.record({
        type: fc.constant('fail' as const),
        who,
        model,
        evidence: fc.constantFrom(...EVERY_EVIDENCE).map(secretive),
      }),
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(secretStep, { minLength: 4, maxLength: 30 }), (steps) => {
        const fleet = new Fleet(...NAMES);
        for (const one of steps) play(fleet, one);
        fleet.get('one').does((world) => {
          world.tell({
            type: 'headroom.seen',
            attempt: null,
            directory: DIRECTORY,
            model: 'a/1',
            windows: [planAt(0.9)],
          });
        });
        fleet.sync();
        for (const [machine, { words, windows }] of fleet.said) {
          const text = fleetText({ machine, version: '1.2.3', words, windows, spent: [] });
          for (const [, word = ''] of text.matchAll(/"([^"]*)"/g)) seen.add(word);
        }
      }),
      { numRuns: runs(500, 40) },
    );
    expect([...seen].filter((word) => !VOCABULARY.has(word))).toEqual([]);
    expect(['rate_limit', 'block', 'circuit', 'windows'].filter((word) => !seen.has(word))).toEqual([]);
  });
});
