import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attentionTexts, recordTexts, saidIn, standingTexts, type Texts } from '../../src/texts';
import { falsehoodsIn } from '../support/headline-checker';
import { noticeFalsehoods, saidOf } from '../support/headlines';
import { runs } from '../support/runs';
import { anyStory, pictureOf, TWO_STUCK, tellStory } from '../support/stories';

/** Whatever else is drawn: these stories have somebody for each of the wrong words. */
const SEED = 20_261_122;
/** Two thousand of them in `npm test`. */
const STORIES = runs(20_000);

describe('given any story', () => {
  it('when it has been lived through, then nothing that any surface says of it is not so', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(anyStory(), (story) => {
        let notices: readonly string[] = [];
        const test = tellStory(story, (core) => {
          notices = noticeFalsehoods(core);
        });
        const said = saidOf(test);
        for (const { kind } of said.items) kinds.add(kind);
        expect([...falsehoodsIn(pictureOf(test), said), ...notices]).toEqual([]);
        test.core.dispose();
      }),
      { numRuns: STORIES },
    );
    // Whatever there can be to see to has been seen.
    expect([...kinds].toSorted()).toEqual([
      ...[
        'apart',
        'away',
        'exhausted',
        'failing',
        'lastLeft',
        'leftOut',
        'needsYou',
        'paused',
        'pinned',
        'question',
        'silent',
      ],
      ...['stuck', 'unable', 'unprotected', 'waiting'],
    ]);
  });
});

const english = attentionTexts();
/** The words of one part, some of them changed. */
const words = (change: Texts): Record<string, Texts> => ({ attention: { ...english, ...change } as unknown as Texts });
const of = <
  Key extends
    | 'stuck'
    | 'exhausted'
    | 'leftOut'
    | 'unprotected'
    | 'needsYou'
    | 'away'
    | 'question'
    | 'paused'
    | 'does'
    | 'unable'
    | 'lastLeft'
    | 'calm',
>(
  key: Key,
  change: Partial<(typeof english)[Key]>,
): Record<string, Texts> => words({ [key]: { ...english[key], ...change } as Texts });

/** Words that are not so, each for somebody: the checker has to find every one. */
const MUTANTS: Readonly<Record<string, Record<string, Texts>>> = {
  'a stuck agent is called at work': of('stuck', { alone: (agent) => `${agent} is at work.` }),
  'a stuck agent has no end': of('stuck', { alone: (agent) => english.stuck.alone(agent, '') }),
  'a stuck agent has another end': of('stuck', { alone: (agent) => english.stuck.alone(agent, '00:00') }),
  'whoever waits has no fallback model': of('stuck', { held: english.stuck.alone }),
  'several wait, and one is said': of('stuck', { waiting: () => 'build are waiting.' }),
  'nobody is left, and it has only stopped': of('exhausted', { one: english.exhausted.stopped }),
  'it has only stopped, and nobody is left': of('exhausted', { stopped: english.exhausted.one }),
  'one model too few is unavailable': of('exhausted', {
    out: (count, at, hasFailed) => english.exhausted.out(count - 1, at, hasFailed),
  }),
  'nobody knows when a model is back': of('exhausted', {
    out: (count, _, hasFailed) => english.exhausted.out(count, '', hasFailed),
  }),
  'another model takes requests': of('exhausted', { again: () => english.exhausted.again('nobody') }),
  'one that is left out is only away': of('leftOut', { one: (agent) => `${agent} is away.` }),
  'a pause has no end': of('paused', { title: () => english.paused.title('') }),
  'the unprotected are counted as the protected': of('unprotected', {
    many: (count, all) => english.unprotected.many(all - count, all),
  }),
  'an agent that none is left for has one left': of('unable', { title: english.lastLeft.title }),
  'an agent that has one left has none': of('lastLeft', { title: english.unable.title }),
  'nobody knows when the next model is back': of('lastLeft', { detail: () => english.lastLeft.detail('') }),
  'all are at home, whose next message goes elsewhere': of('calm', {
    many: (count) => english.calm.many(count, true),
    one: (agent) => english.calm.one(agent, true),
  }),
  'one agent is not counted': of('unprotected', { many: (count, all) => english.unprotected.many(count, all - 1) }),
  'another agent has no fallback model': of('unprotected', { one: () => english.unprotected.one('docs1') }),
  'only one of several is named': of('unprotected', { detail: () => english.unprotected.detail('build', false) }),
  'another provider needs somebody': of('needsYou', { one: () => english.needsYou.one('openai') }),
  'a provider needs somebody, calmly': of('needsYou', { detail: () => english.calm.nothing }),
  'an understudy stands one place too high': of('away', {
    one: (agent, model, place, all) => english.away.one(agent, model, place - 1, all),
  }),
  'the primary is back at another time': of('away', { back: () => english.away.back('00:00') }),
  'another one waits for an answer': of('question', { one: () => english.question.one('docs1') }),
  'failing requests are calm': words({
    failing: { ...english.failing, title: () => english.calm.many(3, true) } as Texts,
  }),
  'an OpenCode that is gone is ready': words({
    apart: { ...english.apart, lost: { ...english.apart.lost, title: 'Ready.' } } as Texts,
  }),
  'a button says nothing': of('does', { bringBack: '' }),
  'a button says something else': of('does', { add: 'Reset…' }),
  'what ends with a message has no end': words({ nextMessage: '' }),
  'the row of an agent that nobody is left for is calm': {
    records: {
      ...recordTexts(),
      states: { ...recordTexts().states, allModelsUnavailable: standingTexts().agent.idle },
    } as unknown as Texts,
  },
};

describe('given words that are not so', () => {
  const stories = [TWO_STUCK, ...fc.sample(anyStory(), { numRuns: 400, seed: SEED })];
  const lived = stories.map((story) => tellStory(story));

  it.each(Object.entries(MUTANTS))('when %s, then the checker finds it', (_, parts) => {
    const isFound = lived.some(
      (test) => saidIn('en', parts, () => falsehoodsIn(pictureOf(test), saidOf(test))).length > 0,
    );
    expect(isFound).toBe(true);
  });
});
