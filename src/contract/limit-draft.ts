import type { ConfigChange } from './config';
import type { QueryOutput } from './contract';

type Said = QueryOutput<'config.get'>['limits'][number];

/** Settings of limits and budgets in their order: choices or unit, and the default. */
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

/** What somebody has chosen or typed, and not applied, by field. What is typed is kept as it is, right or wrong. */
export type LimitDraft = Readonly<Partial<Record<LimitField, string>>>;

/** What a file says of a field; undefined where it says nothing. */
export const saidOf = (limits: readonly Said[], field: LimitField): Said | undefined =>
  limits.find(({ key }) => key === field);

export const standingText = (limits: readonly Said[], field: LimitField): string => {
  const said = saidOf(limits, field);
  return said === undefined ? LIMIT_FIELDS[field].standard : String(said.value);
};

/** Whether a field is said for single kinds of failure, and is changed in the file. */
export const isByKind = (limits: readonly Said[], field: LimitField): boolean =>
  limits.some(({ key }) => key.startsWith(`${field}.`));

/** The draft with something typed in a field; what stands there anyway is no change. */
export function withTyped(draft: LimitDraft, field: LimitField, text: string, standing: string): LimitDraft {
  const { [field]: _, ...others } = draft;
  return text === standing ? others : { ...others, [field]: text };
}

/** The changes of the user's own file that a draft asks for. An empty field is no longer said. */
export const limitChanges = (draft: LimitDraft): ConfigChange[] =>
  (Object.keys(LIMIT_FIELDS) as LimitField[]).flatMap((field): ConfigChange[] => {
    const text = draft[field]?.trim();
    if (text === undefined) return [];
    const path = field.split('.');
    return [text === '' ? { type: 'unset', path } : { type: 'set', path, value: readField(field, text) }];
  });

function readField(field: LimitField, text: string): string | number | boolean {
  const known = LIMIT_FIELDS[field];
  if ('choices' in known) return text === 'true' || text === 'false' ? text === 'true' : text;
  // "1,000" is a thousand to some and one to others: whoever checks the file says that it is no number, as of all that is none.
  const figure = /^\d+(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  return Number.isNaN(figure) ? text : figure;
}
