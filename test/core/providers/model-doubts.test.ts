import { describe, expect, it } from 'vitest';
import type { Offers } from '../../../src/core/base/offers';
import { doubtsOf } from '../../../src/core/providers/model-doubts';

/** An OpenCode 2 whose user has three accounts of one provider. */
const OFFERS: Offers = {
  models: ['openai/gpt', 'openai/mini', 'xai/grok'],
  catalogue: { 'openai/gpt': { variants: ['high'] }, 'openai/mini': { status: 'deprecated' } },
  accounts: { openai: ['home', 'work', 'lab'] },
  tellsAccounts: true,
};
const told = (model: string, offers: Partial<Offers> = {}) =>
  doubtsOf([model], { ...OFFERS, ...offers }).map(({ code, says, fix }) => [code, says, fix]);

describe('given a model of a chain', () => {
  it.each<[string, string, string, string]>([
    [
      'openai/gtp',
      'unknown',
      'OpenCode has no openai/gtp, unknown or retired: it is skipped',
      'Did you mean openai/gpt?',
    ],
    [
      'mistral/large',
      'keyless',
      'OpenCode lists no model of mistral: mistral/large is skipped',
      'Log in with "opencode auth login", check the package of the provider, or remove it from the chain.',
    ],
    [
      'openai/mini',
      'retired',
      'openai/mini is being retired',
      'Choose one of those that "opencode models openai" lists.',
    ],
    [
      'openai/gpt#low',
      'variant',
      'openai/gpt has no variant "low" in OpenCode, it has high: its default is used',
      'Choose one of those, or remove it.',
    ],
  ])('when it is %s, then it is doubted as %s', (model, ...says) => {
    expect(told(model)).toEqual([says]);
  });

  it.each(['openai/gpt', 'openai/gpt#high', 'xai/*'])('when it is %s, then nothing speaks against it', (model) => {
    expect(told(model)).toEqual([]);
  });
});

describe('given a model by a certain account', () => {
  it.each(['openai@work/gpt', 'openai@home/gpt', 'openai@lab/gpt#high', 'openai@*/gpt', 'openai@work/*'])(
    'when it is %s and OpenCode has that, then nothing speaks against it',
    (model) => expect(told(model)).toEqual([]),
  );

  it.each<[Offers, string, string]>([
    [OFFERS, 'it has home, work, lab', 'Name one of those, or write openai/gpt for the account in use.'],
    [
      { ...OFFERS, accounts: {} },
      'it has one account of that provider',
      'Write openai/gpt for the account in use, or remove it from the chain.',
    ],
    [
      { models: OFFERS.models, catalogue: {}, tellsAccounts: true },
      'it has one account of that provider',
      'Write openai/gpt for the account in use, or remove it from the chain.',
    ],
  ])('when OpenCode has no such account, then that is what is said: %#', (offers, has, fix) => {
    expect(doubtsOf(['openai@old/gpt#high'], offers)).toEqual([
      {
        ...{ model: 'openai@old/gpt', code: 'account' },
        ...{ says: `OpenCode has no account "old" of openai, ${has}: openai@old/gpt is skipped`, fix },
      },
    ]);
  });

  it('when it has not said which accounts there are, then nobody says that one is missing', () => {
    const { models, catalogue } = OFFERS;
    expect(doubtsOf(['openai@work/gpt', 'openai@work/gtp'], { models, catalogue })).toMatchObject([
      { code: 'unknown', fix: 'Did you mean openai@work/gpt?' },
    ]);
  });

  it('when the model is unknown, retired, or without that variant, then it is doubted as by any account', () => {
    expect(
      ['openai@work/gtp', 'openai@work/mini', 'openai@work/gpt#low', 'mistral@work/large'].flatMap((model) =>
        told(model).map(([code, says]) => [code, says]),
      ),
    ).toEqual([
      ['unknown', 'OpenCode has no openai@work/gtp, unknown or retired: it is skipped'],
      ['retired', 'openai@work/mini is being retired'],
      ['variant', 'openai@work/gpt has no variant "low" in OpenCode, it has high: its default is used'],
      ['keyless', 'OpenCode lists no model of mistral: mistral@work/large is skipped'],
    ]);
  });
});
