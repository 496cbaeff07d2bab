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

/** The kinds of tokens above zero: "800 input, 400 output, 100 reasoning, 200 cache read". */
export function tokenKinds({ tokens }: ModelUsage): string {
  const names = amountTexts().kinds;
  return KINDS.filter((kind) => tokens[kind] > 0)
    .map((kind) => `${short(tokens[kind])} ${names[kind]}`)
    .join(', ');
}

/** Money with the priced share of the tokens, if not all: "$1.84", "under $0.01", "$1.84, 63 % priced", "unpriced". */
export function costPhrase({ cost, pricedShare }: Pick<ModelUsage, 'cost' | 'pricedShare'>): string {
  const t = amountTexts();
  const { dollars } = wordTexts();
  if (cost === null) return t.unpriced;
  const money = cost > 0 && cost < 0.005 ? t.under(dollars('0.01')) : dollars(cost.toFixed(2));
  return pricedPhrase(money, pricedShare);
}

/** An amount with the priced share of the tokens, if not all: "$1.84, 63 % priced". */
export function pricedPhrase(money: string, pricedShare: number): string {
  if (pricedShare === 1) return money;
  // A part is never rounded to 0 % or 100 %.
  const percent = Math.min(99, Math.max(1, Math.round(100 * pricedShare)));
  return amountTexts().priced(money, percent);
}

/** "$1.84": an amount of money. */
export const moneyPhrase = (amount: number): string => costPhrase({ cost: amount, pricedShare: 1 });
