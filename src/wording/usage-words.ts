import type { ModelUsage } from '../contract/snapshot';
import { amountTexts, wordTexts } from '../texts';

const STEPS = [
  [1e3, 'k'],
  [1e6, 'M'],
  [1e9, 'G'],
] as const;

const KINDS = [
  'input',
  'output',
  'reasoning',
  'cacheRead',
  'cacheWrite',
] as const satisfies readonly (keyof ModelUsage['tokens'])[];

/** "950", "12.4k", "1.2M": a number of tokens, rounded. */
function short(count: number): string {
  if (count < 1_000) return String(count);
  const rounded = (size: number): number =>
    count / size < 99.95 ? Math.round((10 * count) / size) / 10 : Math.round(count / size);
  const [size, unit] = STEPS.find(([step]) => rounded(step) < 1_000) ?? STEPS[2];
  return `${wordTexts().decimal(String(rounded(size)))}${unit}`;
}

/** "12.4k tokens". */
export const usagePhrase = ({ total }: Pick<ModelUsage, 'total'>): string =>
  amountTexts().tokens(short(total), total === 1);

/** "800 input, 400 output, 100 reasoning, 200 cache read": the kinds there are any of. */
export function tokenKinds({ tokens }: ModelUsage): string {
  const names = amountTexts().kinds;
  return KINDS.filter((kind) => tokens[kind] > 0)
    .map((kind) => `${short(tokens[kind])} ${names[kind]}`)
    .join(', ');
}

/** "$1.84", "under $0.01", "$1.84, 63 % priced", "unpriced": money with the part of the tokens that it is for, when not all. */
export function costPhrase({ cost, pricedShare }: Pick<ModelUsage, 'cost' | 'pricedShare'>): string {
  const said = amountTexts();
  const { dollars } = wordTexts();
  if (cost === null) return said.unpriced;
  const money = cost > 0 && cost < 0.005 ? said.under(dollars('0.01')) : dollars(cost.toFixed(2));
  return pricedPhrase(money, pricedShare);
}

/** "$1.84", "$1.84, 63 % priced": an amount with the part of the tokens that it is for, when not all. */
export function pricedPhrase(money: string, pricedShare: number): string {
  if (pricedShare === 1) return money;
  // Neither all nor nothing may be said of a part.
  const percent = Math.min(99, Math.max(1, Math.round(100 * pricedShare)));
  return amountTexts().priced(money, percent);
}

/** "$1.84": an amount of money. */
export const moneyPhrase = (amount: number): string => costPhrase({ cost: amount, pricedShare: 1 });
