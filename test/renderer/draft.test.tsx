import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { announcementsFor } from '../../src/renderer/pages/chains/announcements';
import {
  captionOf,
  type Draft,
  type DraftStep,
  draftOf,
  isChanged,
  mergedWith,
  nextDraft,
} from '../../src/renderer/pages/chains/draft';
import { listDiff } from '../../src/renderer/pages/chains/list-diff';
import { itemId, itemsOf, type Lists, listsOf, singles, type Tier } from '../../src/renderer/pages/chains/lists';

const BASE = ['a/one', 'b/two', 'c/three'];
const drafted = (...steps: DraftStep[]): Draft => steps.reduce(nextDraft, draftOf(singles(BASE)));

describe('given a draft of a chain of three', () => {
  it.each<[string, DraftStep, string[]]>([
    ['the first is moved to the end', { type: 'move', model: 'a/one', to: 2 }, ['b/two', 'c/three', 'a/one']],
    ['the last is moved to the front', { type: 'move', model: 'c/three', to: 0 }, ['c/three', 'a/one', 'b/two']],
    ['a fourth is added', { type: 'add', model: 'd/four' }, [...BASE, 'd/four']],
    ['one is put back to its place', { type: 'add', model: 'd/four', at: 1 }, ['a/one', 'd/four', 'b/two', 'c/three']],
    ['one is removed', { type: 'remove', model: 'b/two' }, ['a/one', 'c/three']],
  ])('when %s, then the draft says so and one undo takes it back', (_what, step, expected) => {
    const draft = drafted(step);
    expect([draft.now.models, isChanged(draft), draft.base.models]).toEqual([expected, true, BASE]);
    const undone = nextDraft(draft, { type: 'undo' });
    expect([undone.now, undone.past, isChanged(undone)]).toEqual([singles(BASE), [], false]);
    expect(nextDraft(undone, { type: 'redo' })).toEqual(draft);
  });

  it.each<[string, DraftStep]>([
    ['one is moved to where it is', { type: 'move', model: 'a/one', to: 0 }],
    ['one is moved before the first', { type: 'move', model: 'a/one', to: -1 }],
    ['one is moved behind the last', { type: 'move', model: 'c/three', to: 3 }],
    ['one is moved that is not there', { type: 'move', model: 'x/none', to: 0 }],
    ['one is added twice', { type: 'add', model: 'a/one' }],
    ['one is removed that is not there', { type: 'remove', model: 'x/none' }],
    ['there is nothing to undo', { type: 'undo' }],
  ])('when %s, then nothing changes and nothing is to be undone', (_what, step) => {
    expect(drafted(step)).toEqual(draftOf(singles(BASE)));
  });

  it('when three steps are taken, then each is undone by itself and discard undoes them all', () => {
    const steps: DraftStep[] = [
      { type: 'move', model: 'c/three', to: 1 },
      { type: 'remove', model: 'a/one' },
      { type: 'add', model: 'd/four' },
    ];
    const draft = drafted(...steps);
    expect(draft.now.models).toEqual(['c/three', 'b/two', 'd/four']);
    expect(nextDraft(draft, { type: 'undo' }).now.models).toEqual(['c/three', 'b/two']);
    expect(nextDraft(nextDraft(draft, { type: 'undo' }), { type: 'undo' }).now.models).toEqual([
      'a/one',
      'c/three',
      'b/two',
    ]);
    const discarded = nextDraft(draft, { type: 'discard' });
    expect([discarded.now, isChanged(discarded)]).toEqual([singles(BASE), false]);
    expect(nextDraft(discarded, { type: 'undo' }).now).toEqual(draft.now);
    expect(listDiff(draft)).toEqual([
      { kind: 'added', model: 'd/four', at: 3, tier: null, isNewProvider: true },
      { kind: 'moved', model: 'c/three', from: 3, to: 1, tier: null },
      { kind: 'removed', model: 'a/one', from: 1, isLastOfProvider: true },
    ]);
    expect(draft.now.models.map((model, index) => captionOf(draft, model, index, 0))).toEqual(['was 3', null, 'new']);
  });

  it('when the file changes, then an untouched draft follows, a changed one keeps what it says, an applied one is done', () => {
    const news = ['b/two', 'a/one', 'c/three'];
    const based = (models: readonly string[]): DraftStep => ({ type: 'based', lists: singles(models) });
    expect(drafted(based(news))).toEqual(draftOf(singles(news)));
    const changed = drafted({ type: 'add', model: 'd/four' }, based(news));
    expect([changed.base, changed.now, changed.theirs]).toEqual([BASE, [...BASE, 'd/four'], news].map(singles));
    expect(nextDraft(changed, based(BASE)).theirs).toBeNull();
    expect(nextDraft(changed, based([...BASE, 'd/four']))).toEqual(draftOf(singles([...BASE, 'd/four'])));
  });
});

describe('given a draft, and a chain that others have changed meanwhile', () => {
  const mine: DraftStep[] = [{ type: 'add', model: 'd/four' }];
  const theirs = ['b/two', 'a/one', 'c/three'];

  it('when one of both or both together become the draft, then the next undo gives back what it was', () => {
    const conflict = drafted(...mine, { type: 'based', lists: singles(theirs) });
    for (const lists of [conflict.now, singles(theirs), mergedWith(conflict, singles(theirs))]) {
      const settled = nextDraft(conflict, { type: 'settle', lists });
      expect([settled.base, settled.now, settled.theirs]).toEqual([singles(theirs), lists, null]);
      expect(nextDraft(settled, { type: 'undo' }).now.models).toEqual([...BASE, 'd/four']);
    }
    expect(nextDraft(conflict, { type: 'discard' })).toEqual(draftOf(singles(theirs)));
  });

  it.each<[string, string[], string[], string[]]>([
    ['they moved and mine adds', [...BASE, 'd/four'], theirs, [...theirs, 'd/four']],
    [
      'mine moves and they added',
      ['c/three', 'a/one', 'b/two'],
      ['a/one', 'x/new', 'b/two', 'c/three'],
      ['c/three', 'a/one', 'x/new', 'b/two'],
    ],
    ['both move', ['c/three', 'b/two', 'a/one'], theirs, ['c/three', 'b/two', 'a/one']],
    ['they took one out that mine moves', ['b/two', 'a/one', 'c/three'], ['a/one', 'c/three'], ['a/one', 'c/three']],
    [
      'mine takes one out and they added at the front',
      ['a/one', 'c/three'],
      ['x/new', ...BASE],
      ['x/new', 'a/one', 'c/three'],
    ],
    ['both add', [...BASE, 'd/four'], [...BASE, 'e/five'], [...BASE, 'd/four', 'e/five']],
    ['mine is empty and they added', [], [...BASE, 'e/five'], ['e/five']],
  ])('when %s, then both together have the changes of both', (_what, models, others, expected) => {
    expect(mergedWith({ base: singles(BASE), now: singles(models) }, singles(others)).models).toEqual(expected);
  });
});

const premium: Tier = { id: 0, name: 'premium', size: 2 };
const standard: Tier = { id: 1, name: null, size: 2 };
const TIERED: Lists = { models: ['a/1', 'a/2', 'b/1', 'b/2'], tiers: [premium, standard] };
const tiered = (...steps: DraftStep[]): Draft => steps.reduce(nextDraft, draftOf(TIERED));
/** "premium: a/1 a/2 | -: b/1 b/2" */
const shown = ({ models, tiers }: Lists): string => {
  let at = models.length - tiers.reduce((sum, { size }) => sum + size, 0);
  const parts = at > 0 ? [models.slice(0, at).join(' ')] : [];
  for (const { name, size } of tiers) {
    parts.push(`${name ?? '-'}: ${models.slice(at, at + size).join(' ')}`.trim());
    at += size;
  }
  return parts.join(' | ');
};

describe('given a chain in two tiers', () => {
  it.each<[string, DraftStep, string]>([
    ['its third model goes up', { type: 'shift', id: 'b/1', by: -1 }, 'premium: a/1 a/2 b/1 | -: b/2'],
    ['its second goes down', { type: 'shift', id: 'a/2', by: 1 }, 'premium: a/1 | -: a/2 b/1 b/2'],
    ['its first goes up', { type: 'shift', id: 'a/1', by: -1 }, 'premium: a/1 a/2 | -: b/1 b/2'],
    ['its last is dropped on the first', { type: 'drop', id: 'b/2', over: 'a/1' }, 'premium: b/2 a/1 a/2 | -: b/1'],
    [
      'its last is dropped on the first head',
      { type: 'drop', id: 'b/2', over: 'tier 0' },
      'premium: b/2 a/1 a/2 | -: b/1',
    ],
    ['its first goes to place 3', { type: 'move', model: 'a/1', to: 2 }, 'premium: a/2 | -: b/1 a/1 b/2'],
    [
      'the second tier begins a model earlier',
      { type: 'shift', id: 'tier 1', by: -1 },
      'premium: a/1 | -: a/2 b/1 b/2',
    ],
    ['the second tier is dissolved', { type: 'dissolve-tier', id: 1 }, 'premium: a/1 a/2 b/1 b/2'],
    ['the first tier is dissolved', { type: 'dissolve-tier', id: 0 }, 'a/1 a/2 | -: b/1 b/2'],
    ['the second gets a name', { type: 'name-tier', id: 1, name: 'rest' }, 'premium: a/1 a/2 | rest: b/1 b/2'],
    ['a tier is added', { type: 'add-tier', name: 'local' }, 'premium: a/1 a/2 | -: b/1 b/2 | local:'],
    ['a model is added', { type: 'add', model: 'c/1' }, 'premium: a/1 a/2 | -: b/1 b/2 c/1'],
    ['one is added before another', { type: 'add', model: 'c/1', before: 'a/2' }, 'premium: a/1 c/1 a/2 | -: b/1 b/2'],
    [
      'one is put back into its tier',
      { type: 'add', model: 'c/1', at: 2, tier: 0 },
      'premium: a/1 a/2 c/1 | -: b/1 b/2',
    ],
    ['one is taken out', { type: 'remove', model: 'a/2' }, 'premium: a/1 | -: b/1 b/2'],
  ])('when %s, then each model is in its tier', (_what, step, expected) => {
    expect(shown(tiered(step).now)).toBe(expected);
  });

  it('when models change tiers and tiers change, then the list of changes says what a person did, and no more', () => {
    const into = tiered({ type: 'shift', id: 'b/1', by: -1 });
    expect(listDiff(into)).toEqual([
      { kind: 'moved', model: 'b/1', from: 3, to: 3, tier: { name: 'premium', number: 1 } },
    ]);
    const local = tiered({ type: 'add-tier', name: 'local' }, { type: 'shift', id: 'tier -1', by: -1 });
    expect(listDiff(local)).toEqual([{ kind: 'tier-added', tier: { name: 'local', number: 3 }, from: 4 }]);
    expect(listDiff(tiered({ type: 'dissolve-tier', id: 1 }))).toEqual([
      { kind: 'tier-removed', tier: { name: null, number: 2 } },
    ]);
    expect(listDiff(tiered({ type: 'name-tier', id: 1, name: 'rest' }))).toEqual([
      { kind: 'tier-renamed', was: { name: null, number: 2 }, tier: { name: 'rest', number: 2 } },
    ]);
    expect(listDiff(tiered({ type: 'drop', id: 'b/2', over: 'a/1' }))).toEqual([
      { kind: 'moved', model: 'b/2', from: 4, to: 1, tier: { name: 'premium', number: 1 } },
    ]);
  });

  it('when others have changed it, then mine onto theirs keeps tiers by name, and is written over the ones there are', () => {
    const theirs: Lists = {
      models: ['x/1', 'a/1', 'a/2', 'b/1'],
      tiers: [
        { id: 0, name: 'new', size: 1 },
        { id: 1, name: 'premium', size: 3 },
      ],
    };
    const mine = tiered({ type: 'add', model: 'c/1', before: 'a/1' }, { type: 'based', lists: theirs });
    expect(shown(mergedWith(mine, theirs))).toBe('x/1 | premium: c/1 a/1 a/2 | -: b/1');
    const kept = nextDraft(mine, { type: 'settle', lists: mine.now });
    expect(kept.now.tiers.map(({ id, name }) => [id, name])).toEqual([
      [1, 'premium'],
      [-1, null],
    ]);
  });

  it('when any steps are taken, then nothing is lost or doubled, undone steps give back each draft, and done again the last', () => {
    const Id = fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'c/1', 'tier 0', 'tier 1', 'tier -1');
    const Model = fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'c/1', 'd/1');
    const Step: fc.Arbitrary<DraftStep> = fc.oneof(
      fc.record({ type: fc.constant('shift' as const), id: Id, by: fc.constantFrom(-1 as const, 1 as const) }),
      fc.record({ type: fc.constant('drop' as const), id: Id, over: Id }),
      fc.record({ type: fc.constant('move' as const), model: Model, to: fc.integer({ min: -1, max: 6 }) }),
      fc.record({ type: fc.constant('add' as const), model: Model, at: fc.nat(6), tier: fc.constantFrom(null, 0, 1) }),
      fc.record({ type: fc.constant('remove' as const), model: Model }),
      fc.record({ type: fc.constant('add-tier' as const), name: fc.constantFrom(null, 'local') }),
      fc.record({ type: fc.constant('dissolve-tier' as const), id: fc.constantFrom(0, 1, -1) }),
    );
    fc.assert(
      fc.property(fc.array(Step, { maxLength: 12 }), (steps) => {
        let draft = draftOf(TIERED);
        const seen = [draft.now];
        for (const step of steps) {
          const next = nextDraft(draft, step);
          const models = next.now.models;
          expect(new Set(models).size).toBe(models.length);
          if (step.type !== 'add' && step.type !== 'remove')
            expect([...models].sort()).toEqual([...draft.now.models].sort());
          expect(new Set(itemsOf(next.now).map(itemId)).size).toBe(models.length + next.now.tiers.length);
          expect(listsOf(itemsOf(next.now))).toEqual(next.now);
          if (next !== draft) seen.push(next.now);
          draft = next;
        }
        expect(listDiff(draft).length > 0).toBe(isChanged(draft));
        const last = draft;
        for (const lists of seen.toReversed()) {
          expect(draft.now).toEqual(lists);
          draft = nextDraft(draft, { type: 'undo' });
        }
        expect(draft.now).toEqual(TIERED);
        for (const _ of seen) draft = nextDraft(draft, { type: 'redo' });
        expect(draft).toEqual(last);
      }),
      { numRuns: 300, seed: 20_261_126 },
    );
  });
});

describe('given a model that is moved by keyboard', () => {
  const told = announcementsFor(singles(BASE), 0);
  const at = (id: string) => ({ id }) as never;

  it('when it is lifted, moved over a place, dropped or put back, then each is told with its position', () => {
    expect([
      told.onDragStart({ active: at('b/two') }),
      told.onDragOver({ active: at('b/two'), over: at('b/two') }),
      told.onDragOver({ active: at('b/two'), over: at('a/one') }),
      told.onDragOver({ active: at('b/two'), over: at('b/two') }),
      told.onDragEnd({ active: at('b/two'), over: at('a/one') }),
      told.onDragEnd({ active: at('b/two'), over: at('b/two') }),
      told.onDragCancel({ active: at('b/two'), over: null }),
    ]).toEqual([
      'two, position 2 of 3. Lifted.',
      undefined,
      'two, over position 1 of 3.',
      'two, over position 2 of 3.',
      'two, position 2 of 3. Moved to 1. Not applied yet.',
      'two, position 2 of 3. Put back.',
      'two, position 2 of 3. Put back.',
    ]);
  });

  it('when OpenCode’s own model leads before the list, then each position counts from that', () => {
    const behind = announcementsFor(singles(BASE), 1);
    expect([
      behind.onDragStart({ active: at('b/two') }),
      behind.onDragOver({ active: at('b/two'), over: at('a/one') }),
      behind.onDragEnd({ active: at('b/two'), over: at('a/one') }),
    ]).toEqual([
      'two, position 3 of 4. Lifted.',
      'two, over position 2 of 4.',
      'two, position 3 of 4. Moved to 2. Not applied yet.',
    ]);
  });

  it('when a model of the choice is dragged in, then nothing is said of a place that it never had', () => {
    const active = at('offer c/new');
    expect([
      told.onDragStart({ active }),
      told.onDragOver({ active, over: at('a/one') }),
      told.onDragEnd({ active, over: at('a/one') }),
      told.onDragCancel({ active, over: null }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
