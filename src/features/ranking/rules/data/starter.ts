import * as z from 'zod';
import shipped from '../../../../../resources/benchmarks/models-dev.json';
import { BenchmarkValue, RecordId } from '../base/values';

/** Older models often have only a month or year. */
const Released = z.string().regex(/^\d{4}(?:-\d{2}){0,2}$/);

/** `resources/benchmarks/models-dev.json`, written by `scripts/refresh-benchmarks.mjs`. */
const ShippedFile = z.object({
  notice: z.string().min(1),
  source: z.url({ protocol: /^https$/ }),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  date: z.iso.date(),
  values: z.array(BenchmarkValue.omit({ kind: true, origin: true })),
  aliases: z.record(RecordId, z.array(RecordId)),
  released: z.record(RecordId, Released),
});

export type StarterData = Readonly<{
  date: string;
  commit: string;
  /** Owner and license; display it with the values. */
  notice: string;
  values: readonly BenchmarkValue[];
  recordOf: ReadonlyMap<string, string>;
  releasedOf: ReadonlyMap<string, string>;
}>;

let made: StarterData | null = null;

/** @throws ZodError for an invalid file; a test excludes it. */
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
