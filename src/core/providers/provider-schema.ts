import * as z from 'zod';
import { FAILURE_KINDS, type PolicyStep } from '../../engine';
import { RESET_UNITS } from '../../engine/tools';
import { later } from '../base/later';
import { isTimeZone } from './reset-time';

const MAX_ENTRIES = 500;
const MAX_PHRASE = 200;

// Messages are phrased to follow the name of the field.
const KIND_WORDS = 'must be a kind of failure such as "rate_limit" or "quota"';
const kind = later(() => z.enum(FAILURE_KINDS, KIND_WORDS));
const text = (words: string, max: number) => z.string(words).trim().min(1, words).max(max, words);
const name = later(() =>
  text('must be a provider id such as "openai"', 100).regex(
    /^[^\s\p{C}/]+$/u,
    'must be a provider id such as "openai"',
  ),
);

const STEP_WORDS = 'must be a step such as "switch", "retry:3", "wait:30000", "continue:1", "return"';
const STEP =
  /^(?:switch|switchLarger|compact|ask|defer|hold|return|(?:retry|continue):[1-9]\d?|(?:wait|waitHint):\d{1,9})$/;
const step = later(() => z.string(STEP_WORDS).regex(STEP, STEP_WORDS).transform(stepOf));

const meaning = () => ({
  kind,
  needsUser: z.boolean('must be true or false').optional(),
  steps: z.array(step, 'must be a list of steps').max(10, 'must have at most 10 steps').optional(),
});
const meaningOf = (value: unknown): unknown => (typeof value === 'string' ? { kind: value } : value);
const Entry = later(() =>
  z.preprocess(meaningOf, z.strictObject(meaning(), 'must be a kind of failure, or an object with "kind"')),
);

const PHRASE_WORDS = `must be a phrase of 2 to ${MAX_PHRASE} characters with a letter in it`;
const Phrase = later(() =>
  z.strictObject(
    {
      phrase: text(PHRASE_WORDS, MAX_PHRASE).min(2, PHRASE_WORDS).regex(/\p{L}/u, PHRASE_WORDS),
      ...meaning(),
    },
    'must be an object with "phrase" and "kind"',
  ),
);

const STATUS_WORDS = 'is no HTTP status from 400 to 599 and neither "4xx" nor "5xx"';
const CODE_WORDS = 'is no error code of 1 to 200 characters';
const ResetHeader = later(() =>
  z.strictObject(
    {
      name: text('must be the name of a header', 100).regex(
        /^[a-z0-9-]+$/,
        'must be the name of a header in lower case',
      ),
      unit: z.enum(RESET_UNITS, `must be one of ${RESET_UNITS.join(', ')}`),
    },
    'must be an object with "name" and "unit"',
  ),
);
const ZONE_WORDS = 'must be the name of a time zone such as "Asia/Shanghai"';
const list = <Item extends z.ZodType>(item: Item) =>
  z.array(item, 'must be a list').max(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`);

/** Only `version` and `provider` are required. */
export const ProviderMapFile = later(() =>
  z.strictObject(
    {
      $schema: z.string('must be text').optional(),
      version: z.literal(1, 'must be 1'),
      provider: name,
      aliases: list(name).optional(),
      vendor: text('must be the name of a vendor family', 100).optional(),
      statuses: z
        .record(z.string().regex(/^(?:[45]\d\d|[45]xx)$/, STATUS_WORDS), kind, 'must be an object of statuses')
        .optional(),
      codes: z
        .record(z.string().trim().min(1, CODE_WORDS).max(200, CODE_WORDS), Entry, 'must be an object of codes')
        .optional(),
      phrases: list(Phrase).optional(),
      resetHeaders: list(ResetHeader).optional(),
      timeZone: z.string(ZONE_WORDS).refine(isTimeZone, ZONE_WORDS).optional(),
    },
    'must be an object',
  ),
);

export type ProviderMapText = z.output<typeof ProviderMapFile>;

export function uncheckedMap(json: unknown): ProviderMapText {
  const { codes, phrases, ...rest } = json as z.input<typeof ProviderMapFile>;
  const read = <T extends object>(entry: T): T =>
    'steps' in entry && Array.isArray(entry.steps) ? { ...entry, steps: entry.steps.map(stepOf) } : entry;
  const meant = Object.entries(codes ?? {}).map(([code, entry]) => [code, read(meaningOf(entry) as object)]);
  return {
    ...rest,
    ...(codes ? { codes: Object.fromEntries(meant) } : {}),
    ...(phrases ? { phrases: phrases.map(read) } : {}),
  } as ProviderMapText;
}

function stepOf(word: string): PolicyStep {
  const [verb = '', figure = ''] = word.split(':');
  const value = Number(figure);
  switch (verb) {
    case 'waitHint':
      return { step: 'waitHint', maxMs: value };
    case 'wait':
      return { step: 'wait', ms: value };
    case 'retry':
    case 'continue':
      return { step: verb, n: value };
    default:
      return { step: verb as Exclude<PolicyStep['step'], 'waitHint' | 'wait' | 'retry' | 'continue'> };
  }
}
