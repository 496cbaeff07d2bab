import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, EngineEvent } from '../../../src/engine';
import { get, type LogEntry, replay } from '../../../src/engine/tools';
import { runSeed, runs } from '../../support/runs';
import { EVIDENCE, HOUR, MINUTE, scopeOf } from '../world';
import { bucketWith, MOVE, Near, planAt } from './seen';
import { WEEK } from './worked';

/** Three accounts of one model, and two of another that stand among them. */
const CHAIN = ['a/m', 'x/n', 'a@work/m', 'x-2/n', 'b/m'] as const;
const nameOf = (model: string): string => model.slice(model.indexOf('/') + 1);

const model = fc.constantFrom(...CHAIN);
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('hear' as const), model, used: fc.integer({ min: 0, max: 104 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      requests: fc.integer({ min: 1, max: 4 }),
      fills: fc.integer({ min: 0, max: 99 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), model }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('empty' as const), model }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 300 }) }) },
);
type Act = typeof act extends fc.Arbitrary<infer Of> ? Of : never;

/** A world that keeps what it was told. */
class Logged extends Near {
  readonly log: LogEntry[] = [];
  override tell(event: EngineEvent) {
    this.log?.push({ at: this.now ?? 0, random: 0.5, event });
    return super.tell(event);
  }
}

/** Plays one act. @returns the decisions of a turn: that of its message, and those of its requests. */
function play(world: Logged, each: Act, turn: string): readonly Decision[] {
  switch (each.do) {
    case 'hear':
      world.hears(each.model, planAt(each.used / 100, { id: 'week', lengthMs: WEEK, resetInMs: WEEK - world.now }));
      return [];
    case 'empty':
      world.hears(each.model, bucketWith(0, { resetInMs: 40_000 }));
      return [];
    case 'fail':
      world.failingAlone(each.model, EVIDENCE.rateLimit);
      return [];
    case 'wait':
      world.wait(each.minutes * MINUTE).tick();
      return [];
    case 'turn': {
      const first = world.prompt(turn, { model: 'a/m', hostLead: 'a/m' });
      const told = [first];
      for (let n = 0; n < each.requests; n++) {
        const asked = get(world.state.turns, turn)?.model ?? 'a/m';
        const { attempt, decision } = world.start(turn, asked);
        if (decision) told.push(decision);
        else world.succeed(attempt);
        // Whatever the account that answers is seen to have left.
        if (!decision) world.hears(asked, planAt(each.fills / 100, { resetInMs: HOUR }), attempt);
      }
      world.tell({ type: 'session.idle', session: 's' });
      return told;
    }
  }
}

describe('given accounts that fill, fail and begin anew in any order', () => {
  it('when turns are spread, then only a turn that begins is, to the same model, with nothing against it, and emptier', () => {
    let spread = 0;
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
        const world = new Logged(CHAIN);
        world.configure(scopeOf(CHAIN, { headroom: { ...MOVE, spread: true } }));
        for (const [n, each] of acts.entries()) {
          const [first, ...rest] = play(world, each, `t${n}`);
          // Within a turn nothing is ever decided for it.
          expect(rest.filter(({ code }) => code === 'headroom.spread')).toEqual([]);
          if (first?.code !== 'headroom.spread' || first.action.kind !== 'redirect') continue;
          spread++;
          const { from, to } = first.action;
          expect([from, nameOf(to)]).toEqual(['a/m', 'm']);
          const { used = 0, there } = first.short ?? {};
          expect(there?.used).toBeLessThan(used);
          const chosen = first.trace.find(({ verdict }) => verdict === 'chosen');
          expect(chosen).toMatchObject({ model: to, code: 'chain.spread' });
          expect(['ready', 'unseen']).toContain(chosen?.state);
          expect(first.trace.find(({ model: each }) => each === from)).toMatchObject({ code: 'headroom.spread' });
        }
        // Played again it comes out the same, byte for byte.
        expect(JSON.stringify(replay(world.log)) === JSON.stringify(world.state)).toBe(true);
      }),
      { numRuns: runs(2_000, 90), seed: runSeed },
    );
    expect(spread).toBeGreaterThan(20);
  });
});
