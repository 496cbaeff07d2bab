import { describe, expect, it } from 'vitest';
import { createSpared } from '../../../src/core/other-machines/spared';
import type { ScopeConfig } from '../../../src/engine';
import { get } from '../../../src/engine/tools';
import { MOVE, planAt } from '../../engine/headroom/seen';
import { DIRECTORY, EVIDENCE, scopeOf, type World } from '../../engine/world';
import { Fleet } from './machines';

const hour = { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } };

/** Two machines of which the second counts what it is spared. */
function counted() {
  const fleet = new Fleet('one', 'two');
  const [one, two] = [fleet.get('one').world, fleet.get('two').world];
  two.configure({ ...(get(two.state.scopes, DIRECTORY) as ScopeConfig), headroom: MOVE });
  const spared = createSpared();
  const begins = (turn: string): number => {
    const decision = two.prompt(turn, { session: `s-${turn}` });
    const result = { decisions: decision ? [decision] : [] } as never;
    spared.hear({ result, after: two.state, isReplayed: false });
    return spared.count();
  };
  return { fleet, one, two, begins };
}

describe('given a machine that counts what others spare it', () => {
  it('when another finds its lead limited, then each turn that begins elsewhere for it is one', () => {
    const { fleet, one, begins } = counted();
    expect(begins('t0')).toBe(0);
    one.failingAlone('a/1', hour);
    fleet.sync();
    expect([begins('t1'), begins('t2')]).toEqual([1, 2]);
  });

  it.each<readonly [string, (of: Readonly<{ one: World; two: World }>) => void]>([
    ['its own finding is what its lead is left out for', ({ two }) => two.failingAlone('a/1', hour)],
    [
      'its own plan is full, and the other’s is not',
      ({ one, two }) => {
        const seen = (world: World, used: number, id: string) =>
          world.tell({
            ...{ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: 'a/1' },
            windows: [planAt(used, { id })],
          });
        seen(one, 0.2, 'unified-7d');
        seen(two, 0.99, 'unified-5h');
      },
    ],
    [
      'nobody would have asked the one that another has found',
      ({ one, two }) => {
        two.configure(scopeOf(['a/1', 'b/1', 'a/2']));
        two.failingAlone('a/1', hour);
        one.failingAlone('a/2', hour);
      },
    ],
  ])('when %s, then none is', (_, happens) => {
    const { fleet, one, two, begins } = counted();
    happens({ one, two });
    fleet.sync();
    expect(begins('t')).toBe(0);
  });
});
