import { describe, expect, it } from 'vitest';
import { announcementsFor } from '../../src/renderer/chains/announcements';
import {
  captionOf,
  changesOf,
  type Draft,
  type DraftStep,
  draftOf,
  isChanged,
  mergedWith,
  nextDraft,
} from '../../src/renderer/chains/draft';

const BASE = ['a/one', 'b/two', 'c/three'];
const drafted = (...steps: DraftStep[]): Draft => steps.reduce(nextDraft, draftOf(BASE));

describe('given a draft of a chain of three', () => {
  it.each<[string, DraftStep, string[]]>([
    ['the first is moved to the end', { type: 'move', model: 'a/one', to: 2 }, ['b/two', 'c/three', 'a/one']],
    ['the last is moved to the front', { type: 'move', model: 'c/three', to: 0 }, ['c/three', 'a/one', 'b/two']],
    ['a fourth is added', { type: 'add', model: 'd/four' }, [...BASE, 'd/four']],
    ['one is put back to its place', { type: 'add', model: 'd/four', at: 1 }, ['a/one', 'd/four', 'b/two', 'c/three']],
    ['one is removed', { type: 'remove', model: 'b/two' }, ['a/one', 'c/three']],
  ])('when %s, then the draft says so and one undo takes it back', (_what, step, expected) => {
    const draft = drafted(step);
    expect([draft.models, isChanged(draft), draft.base]).toEqual([expected, true, BASE]);
    expect(nextDraft(draft, { type: 'undo' })).toEqual(draftOf(BASE));
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
    expect(drafted(step)).toEqual(draftOf(BASE));
  });

  it('when three steps are taken, then each is undone by itself and discard undoes them all', () => {
    const steps: DraftStep[] = [
      { type: 'move', model: 'c/three', to: 1 },
      { type: 'remove', model: 'a/one' },
      { type: 'add', model: 'd/four' },
    ];
    const draft = drafted(...steps);
    expect(draft.models).toEqual(['c/three', 'b/two', 'd/four']);
    expect(nextDraft(draft, { type: 'undo' }).models).toEqual(['c/three', 'b/two']);
    expect(nextDraft(nextDraft(draft, { type: 'undo' }), { type: 'undo' }).models).toEqual([
      'a/one',
      'c/three',
      'b/two',
    ]);
    expect(nextDraft(draft, { type: 'discard' })).toEqual(draftOf(BASE));
    expect(changesOf(draft)).toEqual({ moved: 1, added: 1, removed: 1 });
    expect(draft.models.map((model, index) => captionOf(draft, model, index))).toEqual(['was 3', null, 'new']);
  });

  it('when the file changes, then an untouched draft follows, a changed one keeps what it says, an applied one is done', () => {
    const news = ['b/two', 'a/one', 'c/three'];
    expect(drafted({ type: 'based', models: news })).toEqual(draftOf(news));
    const changed = drafted({ type: 'add', model: 'd/four' }, { type: 'based', models: news });
    expect([changed.base, changed.models, changed.theirs]).toEqual([BASE, [...BASE, 'd/four'], news]);
    expect(nextDraft(changed, { type: 'based', models: BASE }).theirs).toBeNull();
    expect(nextDraft(changed, { type: 'based', models: [...BASE, 'd/four'] })).toEqual(draftOf([...BASE, 'd/four']));
  });
});

describe('given a draft, and a chain that others have changed meanwhile', () => {
  const mine: DraftStep[] = [{ type: 'add', model: 'd/four' }];
  const theirs = ['b/two', 'a/one', 'c/three'];

  it('when one of both or both together become the draft, then the next undo gives back what it was', () => {
    const conflict = drafted(...mine, { type: 'based', models: theirs });
    for (const models of [conflict.models, theirs, mergedWith(conflict, theirs)]) {
      const settled = nextDraft(conflict, { type: 'settle', models });
      expect([settled.base, settled.models, settled.theirs]).toEqual([theirs, models, null]);
      expect(nextDraft(settled, { type: 'undo' }).models).toEqual([...BASE, 'd/four']);
    }
    expect(nextDraft(conflict, { type: 'discard' })).toEqual(draftOf(theirs));
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
    expect(mergedWith({ ...draftOf(BASE), models }, others)).toEqual(expected);
  });
});

describe('given a model that is moved by keyboard', () => {
  const told = announcementsFor(BASE);
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
});
