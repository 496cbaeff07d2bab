import * as z from 'zod';
import { WINDOW_UNITS } from '../../engine';
import { later } from '../base/later';

/** Unix seconds, Unix ms, RFC 3339, or a time from the response on (seconds, or Go's `1h2m3.5s`). */
export const RESET_FORMS = ['epoch_s', 'epoch_ms', 'rfc3339', 'seconds', 'duration'] as const;
export type ResetForm = (typeof RESET_FORMS)[number];

/**
 * `fraction`, `percent`: the spent part; `over`: use beyond the limit; `overdraws`: whether that is allowed; `family`:
 * models covered.
 */
export const FIGURES = [
  ...['limit', 'remaining', 'fraction', 'percent', 'percent_left', 'over', 'length_min', 'length_s'],
  ...['unit', 'status', 'overdraws', 'family'],
] as const satisfies readonly string[];

const URL_WORDS = 'must be the address of a public source, with https';
const url = z.string(URL_WORDS).regex(/^https:\/\/\S+$/, URL_WORDS);
const NAME_WORDS = 'must be the name of a header in lower case, with {limit}, {window} and {part} as placeholders';
const HEADER_WORDS = 'must be the name of a header in lower case';
const header = z.string(HEADER_WORDS).regex(/^[a-z0-9_-]{1,100}$/, HEADER_WORDS);
const words = z.array(z.string('must be text').min(1).max(40), 'must be a list of words').min(1);
const headerWords = z.strictObject({ header, words });
const key = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'must be a name of at most 40 characters');
const providers = z.array(key, 'must be a list of provider ids').min(1);
const LENGTH_WORDS = 'must be a length in ms, or "month"';
const length = z.union([z.int().positive(), z.literal('month')], LENGTH_WORDS);

const meaning = {
  unit: z.enum(WINDOW_UNITS, `must be one of ${WINDOW_UNITS.join(', ')}`),
  lengthMs: length.optional(),
  of: z.enum(['account', 'model'], 'must be "account" or "model"'),
  refills: z.enum(['at_reset', 'evenly'], 'must be "at_reset" or "evenly"'),
  charges: z.enum(['maximum', 'used'], 'must be "maximum" or "used"'),
};

const partName = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be a name of at most 40 characters');

const Header = z.strictObject({
  name: z.string(NAME_WORDS).regex(/^[a-z0-9_-]*(?:\{(?:limit|window|part)\}[a-z0-9_-]*){0,3}$/, NAME_WORDS),
  /**
   * `plain`: one figure; `query`: all figures of a window as a query string; `fields`: a structured field (RFC 9651).
   */
  written: z.enum(['plain', 'query', 'fields'], 'must be "plain", "query" or "fields"').optional(),
  parts: z.record(
    partName,
    z.union([z.enum(FIGURES), z.array(z.enum(RESET_FORMS)).min(1)], 'must be a figure or forms'),
  ),
  isLimit: z.literal(true).optional(),
});

export const DialectFile = later(() =>
  z.strictObject({
    version: z.literal(1, 'must be 1'),
    dialect: key,
    source: z.array(url, 'must be a list of addresses').min(1, 'must name a source'),
    providers: providers.optional(),
    id: z.string().regex(/^[a-z0-9{}-]{1,60}$/, 'must be an id, with {limit} and {window} as placeholders'),
    /** Names chosen by servers may be personal. */
    isNameless: z.literal(true).optional(),
    headers: z.array(Header).min(1, 'must have a header'),
    /** Recognized headers without a window; `*` matches anything. */
    ignored: z.array(z.string().regex(/^[a-z0-9_*-]{1,100}$/)).optional(),
    window: z.strictObject(meaning),
    windows: z
      .record(
        key,
        z
          .strictObject(meaning)
          .partial()
          .extend({ standsApart: z.literal(true).optional() }),
      )
      .optional(),
    /** `length_family` are names such as `7d_opus`. */
    otherWindows: z.enum(['any', 'length_family']).optional(),
    lengths: z.array(z.strictObject({ providers, source: url, windows: z.record(key, z.int().positive()) })).optional(),
    /** Header of the ruling window, with its names. */
    ruling: z.strictObject({ header, windows: z.record(key, key) }).optional(),
    refuses: words.optional(),
    /** A match means that the provider continues beyond its limits. */
    overdraws: z.array(headerWords).optional(),
    /** Exception: a match means refusal. */
    stopped: headerWords.optional(),
    /** If it has its own windows, the unnamed ones duplicate them. */
    active: z.strictObject({ header, prefix: z.string() }).optional(),
    units: z.record(key, meaning.unit).optional(),
  }),
);

export type Dialect = Readonly<z.output<typeof DialectFile>>;
export type DialectHeader = Dialect['headers'][number];
export type Figure = DialectHeader['parts'][string];
