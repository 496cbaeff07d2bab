import { part } from './catalogue';

/** Tokens and money. */
export const amountTexts = part('amounts', {
  tokens: (count: string, isOne: boolean) => `${count} token${isOne ? '' : 's'}`,
  kinds: {
    input: 'input',
    output: 'output',
    reasoning: 'reasoning',
    cacheRead: 'cache read',
    cacheWrite: 'cache write',
  },
  unpriced: 'unpriced',
  under: (money: string) => `under ${money}`,
  priced: (money: string, percent: number) => `${money}, ${percent} % priced`,
});
