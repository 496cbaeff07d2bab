import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSuggest, type KnownNames, recordFor } from '../../../src/features/ranking/rules/data/names';

const suggestionsFor = (model: string, known: KnownNames, limit?: number): string[] =>
  createSuggest(known)(model, limit);

import { starterData } from '../../../src/features/ranking/rules/data/starter';
import { runs } from '../../support/runs';

const known = (more: Partial<KnownNames> = {}): KnownNames => ({
  records: new Set(),
  aliases: new Map(),
  confirmed: new Map(),
  ...more,
});

describe('given the record of a model is wanted', () => {
  const OPUS = known({
    records: new Set(['anthropic/claude-opus-4-6', 'artificialanalysis/claude-opus-4-6']),
    aliases: new Map([
      ['openrouter/anthropic/claude-opus-4.6', 'anthropic/claude-opus-4-6'],
      ['openrouter/x-ai/grok', 'xai/grok'],
    ]),
  });

  it.each([
    ['its very id', 'anthropic/claude-opus-4-6', 'anthropic/claude-opus-4-6'],
    ['a variant', 'anthropic/claude-opus-4-6#high', 'anthropic/claude-opus-4-6'],
    ['a published alias', 'openrouter/anthropic/claude-opus-4.6', 'anthropic/claude-opus-4-6'],
    ['a variant of an alias', 'openrouter/anthropic/claude-opus-4.6#max', 'anthropic/claude-opus-4-6'],
    ['an alias of a record without values', 'openrouter/x-ai/grok', null],
    ['a name that only looks alike', 'proxy/claude-opus-4-6', null],
    ['another way to write it', 'Anthropic/Claude-Opus-4-6', null],
  ])('when it has %s, then it is found where nothing has to be guessed: %s', (_what, model, record) => {
    expect(recordFor(model, OPUS)).toBe(record);
  });

  it('when a person has said which one it is, then that counts before its id and the published table', () => {
    const confirmed = new Map([
      ['openrouter/anthropic/claude-opus-4.6', 'artificialanalysis/claude-opus-4-6'],
      ['anthropic/claude-opus-4-6', null],
    ]);
    const names = { ...OPUS, confirmed };
    expect(recordFor('openrouter/anthropic/claude-opus-4.6#high', names)).toBe('artificialanalysis/claude-opus-4-6');
    expect(recordFor('anthropic/claude-opus-4-6', names)).toBeNull();
  });

  it('when any id is asked for, then the answer is what was said, a record with values, or null', () => {
    const id = fc.constantFrom<string>('a/1', 'a/1#high', 'b/2', 'c/3', 'd');
    const names = fc.record({
      records: fc.uniqueArray(id).map((all) => new Set(all)),
      aliases: fc.array(fc.tuple(id, id)).map((all) => new Map(all)),
      confirmed: fc.array(fc.tuple(id, fc.option(id))).map((all) => new Map(all)),
    });
    fc.assert(
      fc.property(id, names, (model, all) => {
        const record = recordFor(model, all);
        const said = all.confirmed.get(model.replace('#high', ''));
        if (said !== undefined) expect(record).toBe(said);
        else expect(record === null || all.records.has(record)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('given a model whose record nothing says', () => {
  const records = (...names: string[]): KnownNames => known({ records: new Set(names) });

  it.each([
    ['proxy/claude-opus-4.6', 'anthropic/claude-opus-4-6'],
    ['proxy/anthropic/Claude_Opus_4.6:free', 'anthropic/claude-opus-4-6'],
    ['proxy/claude-4-6-opus-latest', 'anthropic/claude-opus-4-6'],
    ['proxy/claude-opus-4-6-20260205', 'anthropic/claude-opus-4-6'],
    ['proxy/claude-opus-4-6#high', 'anthropic/claude-opus-4-6'],
    ['proxy/qwen-3-max-preview', 'alibaba/qwen3-max'],
    ['proxy/gpt-4o-2024-08-06', 'openai/gpt-4o'],
    ['local/gpt-oss-120b', 'gpt-oss-120B (low)'],
  ])('when it is %s, then %s is suggested first', (model, record) => {
    const names = records(
      'alibaba/qwen3-max',
      'anthropic/claude-haiku-4-5',
      'anthropic/claude-opus-4-5',
      'anthropic/claude-opus-4-6',
      'gpt-oss-120B (low)',
      'openai/gpt-4o',
    );
    expect(suggestionsFor(model, names)[0]).toBe(record);
    expect(recordFor(model, names)).toBeNull();
  });

  it('when several are as alike, then they come by name, no more than were asked for, and no other version', () => {
    const names = records('b/opus-4', 'a/opus-4', 'c/opus-4', 'c/opus-5');
    expect(suggestionsFor('p/opus-4', names)).toEqual(['a/opus-4', 'b/opus-4', 'c/opus-4']);
    expect(suggestionsFor('p/opus-4', names, 2)).toEqual(['a/opus-4', 'b/opus-4']);
    expect(suggestionsFor('a/opus-4', names, 2)).toEqual(['b/opus-4', 'c/opus-4']);
  });

  it('when nothing but a number is common, or less than half, then nothing is suggested', () => {
    expect(suggestionsFor('p/gpt-4', records('a/claude-4', 'a/4'))).toEqual([]);
    expect(suggestionsFor('p/gemini-2.5-flash', records('z/glm-4.6v-flash'))).toEqual([]);
    expect(suggestionsFor('p/free', records('a/free', 'a/latest'))).toEqual([]);
  });

  it('when a version says which one it is, then it is not taken for a day, and another one is not suggested', () => {
    expect(suggestionsFor('p/mistral-large-2512', records('m/mistral-large-2411', 'm/mistral-large-2512'))).toEqual([
      'm/mistral-large-2512',
    ]);
  });

  it('when a record has another name at a provider, then it is found by that', () => {
    const aliases = new Map([['openrouter/mistralai/mistral-medium-3', 'mistral/mistral-medium-2505']]);
    const names = known({ records: new Set(['mistral/mistral-medium-2505', 'mistral/mistral-medium']), aliases });
    expect(suggestionsFor('proxy/mistral-medium-3', names)[0]).toBe('mistral/mistral-medium-2505');
  });

  it('when the same is known in another order, then the same is suggested, each once and of records alone', () => {
    const { values, recordOf } = starterData();
    const all = [...new Set(values.map(({ record }) => record))];
    const names = known({ records: new Set(all), aliases: recordOf });
    const turned = known({
      records: new Set(all.toReversed()),
      aliases: new Map([...recordOf].toReversed()),
    });
    const ids = fc.constantFrom(...recordOf.keys()).map((id) => `proxy/${id.split('/').at(-1)}`);
    fc.assert(
      fc.property(fc.oneof(ids, fc.string()), (model) => {
        const suggested = suggestionsFor(model, names);
        expect(suggestionsFor(model, turned)).toEqual(suggested);
        expect(new Set(suggested).size).toBe(suggested.length);
        expect(suggested.every((record) => names.records.has(record))).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
