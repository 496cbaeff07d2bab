import type { ConfigChange } from './config';
import type { QueryOutput } from './contract';

type Said = QueryOutput<'config.get'>['limits'][number];

/** In display order. */
export const LIMIT_FIELDS = {
  'headroom.act': { choices: ['move', 'warn', 'off'], standard: 'move' },
  'headroom.moveAt': { unit: '%', standard: '97' },
  'headroom.drain': { choices: ['auto', 'ask', 'never'], standard: 'auto' },
  'headroom.spread': { choices: ['false', 'true'], standard: 'false' },
  'headroom.trustEstimates': { choices: ['false', 'true'], standard: 'false' },
  'budget.day': { unit: '$', standard: '' },
  'budget.week': { unit: '$', standard: '' },
  'budget.session': { unit: '$', standard: '' },
  'budget.action': { choices: ['warn', 'degrade', 'ask', 'stop'], standard: 'warn' },
} as const;
export type LimitField = keyof typeof LIMIT_FIELDS;

/** Valid or not. */
export type LimitDraft = Readonly<Partial<Record<LimitField, string>>>;

export const saidOf = (limits: readonly Said[], field: LimitField): Said | undefined =>
  limits.find(({ key }) => key === field);

export const standingText = (limits: readonly Said[], field: LimitField): string => {
  const entry = saidOf(limits, field);
  return entry === undefined ? LIMIT_FIELDS[field].standard : String(entry.value);
};

/** True if set per kind of failure: only the file can change it. */
export const isByKind = (limits: readonly Said[], field: LimitField): boolean =>
  limits.some(({ key }) => key.startsWith(`${field}.`));

/** Input equal to the value in force is no change. */
export function withTyped(draft: LimitDraft, field: LimitField, text: string, standing: string): LimitDraft {
  const { [field]: _, ...others } = draft;
  return text === standing ? others : { ...others, [field]: text };
}

export const limitChanges = (draft: LimitDraft): ConfigChange[] =>
  (Object.keys(LIMIT_FIELDS) as LimitField[]).flatMap((field): ConfigChange[] => {
    const text = draft[field]?.trim();
    if (text === undefined) return [];
    const path = field.split('.');
    return [text === '' ? { type: 'unset', path } : { type: 'set', path, value: readField(field, text) }];
  });

function readField(field: LimitField, text: string): string | number | boolean {
  const limitField = LIMIT_FIELDS[field];
  if ('choices' in limitField) return text === 'true' || text === 'false' ? text === 'true' : text;
  // "1,000" means a thousand in some languages and one in others: the file's check rejects it.
  const figure = /^\d+(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  return Number.isNaN(figure) ? text : figure;
}
