import type { amountTexts } from '../amounts';

export const amounts: ReturnType<typeof amountTexts> = {
  tokens: (count) => `${count} Token`,
  kinds: {
    input: 'Eingabe',
    output: 'Ausgabe',
    reasoning: 'Denken',
    cacheRead: 'aus dem Cache',
    cacheWrite: 'in den Cache',
  },
  unpriced: 'ohne Preis',
  under: (money) => `unter ${money}`,
  priced: (money, percent) => `${money}, ${percent} % mit Preis`,
};
