import { describe, expect, it } from 'vitest';
import { initialState, step } from '../../src/engine';
import { variantFor } from '../../src/plugin/base/variant';
import { DIRECTORY, inVariants, scopeOf } from './support/opencode-double';

/** An engine whose chain asks these of its models. */
function stateWith(variants: Readonly<Record<string, string>>) {
  const config = scopeOf([], inVariants(variants, ['a/1', 'b/2', 'c/3']));
  return step(initialState, { type: 'scope.configured', directory: DIRECTORY, config }, 0, 0.5).state;
}

const ask = (to: string, own: string | undefined, has: readonly string[] = ['high', 'low']) =>
  variantFor(
    stateWith({ 'b/2': 'high', 'c/3': 'default' }),
    { directory: DIRECTORY, agent: 'build', to, own: { model: 'a/1', variant: own } },
    (variant) => has.includes(variant),
  );

describe('given a chain that asks a variant of its models', () => {
  it.each([
    ['the model the user has chosen', 'a/1', 'low', 'low'],
    ['a model the chain has a variant for', 'b/2', 'low', 'high'],
    ['the same model by another account', 'b@work/2', 'low', 'high'],
    ['a model the chain wants as it is', 'c/3', 'low', undefined],
    ['a model of which the chain says nothing', 'd/4', 'low', 'low'],
    ['one of those that does not have the user’s', 'd/4', 'max', undefined],
    ['one of those, and the user has chosen none', 'd/4', undefined, undefined],
  ])('when the turn goes to %s, then that is how it answers', (_, to, own, variant) => {
    expect(ask(to, own)).toBe(variant);
  });

  it('when a sub-agent comes with the model and variant its parent was moved to, then its own lead does not answer in that one', () => {
    const from = (variant: string) =>
      variantFor(
        stateWith({ 'b/2': 'high' }),
        { directory: DIRECTORY, agent: 'build', to: 'a/1', own: { model: 'b/2', variant } },
        () => true,
      );
    expect([from('high'), from('low')]).toEqual([undefined, 'low']);
  });
});
