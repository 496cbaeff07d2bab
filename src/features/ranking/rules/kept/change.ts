import * as z from 'zod';
import { ROLES } from '../base/roles';
import { BenchmarkValue, ORIGINS, type Origin, RecordId } from '../base/values';
import { CHOICES } from '../proposal/evidence';

const Name = z.string().min(1).max(300);
/** Unix ms. */
const At = z.int().nonnegative();
const Percent = z.number().min(0).max(100).nullable();

/** Origins that are stored; the others are available again on each read. */
const OWN_ORIGINS: readonly Origin[] = ['hand', 'lm_eval', 'import', 'research', 'artificial_analysis'];
export const isOwn = (origin: Origin): boolean => OWN_ORIGINS.includes(origin);

const ValueKey = BenchmarkValue.pick({ record: true, benchmark: true, source: true }).extend({
  origin: z.enum(ORIGINS).refine(isOwn, 'is not an origin of stored values'),
});

const Match = z.object({
  record: RecordId.nullable(),
});

const FORMULA_MAX_CHARS = 2_000;
/** 512 bits in hexadecimal. */
const EVIDENCE_MAX_CHARS = 128;

const Decision = z.object({
  /** `denied` counts for its run only, `ignored` always. */
  choice: z.enum(CHOICES),
  evidence: z.string().min(1).max(EVIDENCE_MAX_CHARS),
  run: Name.nullable(),
  at: At,
});
export type Decision = z.infer<typeof Decision>;

const Headroom = z.object({ fiveHourPercent: Percent, weekPercent: Percent, at: At });
export type Headroom = z.infer<typeof Headroom>;

const RUN_MAX_CHARS = 1_000_000;
const Document = z
  .unknown()
  .refine(
    (document) => (JSON.stringify(document)?.length ?? Number.POSITIVE_INFINITY) <= RUN_MAX_CHARS,
    `must be JSON of at most ${RUN_MAX_CHARS} characters`,
  );

/** Replaces the entry of the same name; a null `value` removes it. */
export const KeptChange = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('value'),
    ...ValueKey.shape,
    value: BenchmarkValue.pick({ value: true, unit: true, date: true, kind: true, note: true }).nullable(),
  }),
  z.object({ part: z.literal('match'), model: Name, value: Match.nullable() }),
  z.object({ part: z.literal('role'), agent: Name, value: z.enum(ROLES).nullable() }),
  z.object({
    part: z.literal('formula'),
    role: z.enum(ROLES),
    value: z.string().min(1).max(FORMULA_MAX_CHARS).nullable(),
  }),
  z.object({ part: z.literal('decision'), agent: Name, model: Name, value: Decision.nullable() }),
  z.object({ part: z.literal('headroom'), provider: Name, value: Headroom.nullable() }),
  z.object({ part: z.literal('run'), agent: Name, value: Document }),
]);
export type KeptChange = z.infer<typeof KeptChange>;
export type Part = KeptChange['part'];

/** Maximum entries per part. A run may be large, and an agent has one. */
export const KEPT_MAX: Readonly<Record<Part, number>> = {
  value: 50_000,
  match: 5_000,
  role: 5_000,
  formula: 5_000,
  decision: 5_000,
  headroom: 5_000,
  run: 200,
};

export function valueChange(entry: BenchmarkValue): Extract<KeptChange, { part: 'value' }> {
  const { record, benchmark, origin, source, ...value } = entry;
  return { part: 'value', record, benchmark, origin, source, value };
}
