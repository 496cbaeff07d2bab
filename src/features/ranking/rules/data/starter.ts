import * as z from 'zod';
import shipped from '../../../../../resources/benchmarks/models-dev.json';
import { BenchmarkValue, RecordId } from '../base/values';

/** Of an older model often no more than the month or the year is known. */
const Released = z.string().regex(/^\d{4}(?:-\d{2}){0,2}$/);

/** `resources/benchmarks/models-dev.json`, as `scripts/refresh-benchmarks.mjs` writes it. */
const ShippedFile = z.object({
  notice: z.string().min(1),
  source: z.url({ protocol: /^https$/ }),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  date: z.iso.date(),
  values: z.array(BenchmarkValue.omit({ kind: true, origin: true })),
  aliases: z.record(RecordId, z.array(RecordId)),
  released: z.record(RecordId, Released),
});

/** What comes with the app, from models.dev as it was on a day. */
export type StarterData = Readonly<{
  date: string;
  commit: string;
  /** Whose data it is, and under which license: to be shown wherever the values are. */
  notice: string;
  values: readonly BenchmarkValue[];
  /** The record of each id, `provider/model`, under which a model is served otherwise. */
  recordOf: ReadonlyMap<string, string>;
  /** The day, month or year each record was released. */
  releasedOf: ReadonlyMap<string, string>;
}>;

let made: StarterData | null = null;

/**
 * The values that come with the app, read once, when they are first asked for.
 *
 * @throws ZodError when the file is not as it should be, which a test rules out.
 */
export function starterData(): StarterData {
  made ??= read();
  return made;
}

function read(): StarterData {
  const { date, commit, notice, values, aliases, released } = ShippedFile.parse(shipped);
  return {
    date,
    commit,
    notice,
    values: values.map((value) => ({ ...value, kind: 'published', origin: 'starter' })),
    recordOf: new Map(Object.entries(aliases).flatMap(([record, ids]) => ids.map((id) => [id, record] as const))),
    releasedOf: new Map(Object.entries(released)),
  };
}
