import { factsIn, type OfferedFacts } from '../../../core/base/offers';
import { isGlob, matchesGlob } from '../../../core/config/glob';
import { accountOf } from '../../../core/providers/accounts';
import { candidatesIn } from '../../../core/providers/propose';
import type { ModelId } from '../../../engine';
import { vendorOf } from '../../../engine/tools';
import { dayOf } from '../rules/base/day';
import type { LiveFigures } from '../rules/base/live';
import { type BenchmarkValue, type ModelValues, valuesByRecord } from '../rules/base/values';
import { BRIDGE, type Candidate } from '../rules/chain/candidate';
import { regionOf, vendorNamed } from '../rules/chain/regions';
import { type KnownNames, recordFor, withoutVariant } from '../rules/data/names';
import type { StarterData } from '../rules/data/starter';
import type { Kept } from '../rules/kept/kept';
import type { RankingWorld } from './port';

export type Knowledge = Readonly<{
  starter: StarterData;
  kept: Kept;
  /** Values for one run only. */
  beside: readonly BenchmarkValue[];
}>;

export type Values = Readonly<{ byRecord: ReadonlyMap<string, ModelValues>; names: KnownNames }>;

export function valuesOf({ starter, kept, beside }: Knowledge): Values {
  const all = [...starter.values, ...kept.values, ...beside];
  const names = {
    records: new Set(all.map(({ record }) => record)),
    aliases: starter.recordOf,
    confirmed: kept.matches,
  };
  // The user may have mapped a source's name to another record.
  const joined = all.map((value) => ({ ...value, record: recordFor(value.record, names) ?? value.record }));
  return { byRecord: valuesByRecord(joined), names };
}

export function presentChain({ present, offers }: RankingWorld): readonly string[] {
  const filled = present.flatMap((entry) => {
    if (!isGlob(entry)) return [entry];
    const fitting = offers.models.filter((model) => matchesGlob(entry, model));
    const isHosted = fitting.some((model) => factsIn(offers.catalogue, model).isLocal !== true);
    return isHosted ? fitting : [entry];
  });
  return [...new Set(filled)];
}

/**
 * Models of the present chain, and usable ones that OpenCode lists.
 * @param excluded models that the user excluded.
 */
export function candidatesFor(
  world: RankingWorld,
  values: Values,
  {
    live,
    excluded,
    silent,
  }: Readonly<{ live: ReadonlyMap<string, LiveFigures>; excluded: ReadonlySet<string>; silent: ReadonlySet<string> }>,
): readonly Candidate[] {
  const present = presentChain(world);
  const offered = candidatesIn(world.offers, present[0] ?? null);
  const covered = (model: string): boolean => present.some((entry) => isGlob(entry) && matchesGlob(entry, model));
  const all = new Set([...present, ...offered.filter((model) => !covered(model))]);
  return [...all]
    .filter((model) => !excluded.has(model))
    .map((model) => ({
      ...candidateOf(model, world, values, live),
      isPresent: present.includes(model),
      isSilent: silent.has(model),
    }));
}

function candidateOf(
  model: ModelId,
  { offers, listed }: RankingWorld,
  { byRecord, names }: Values,
  live: ReadonlyMap<string, LiveFigures>,
): Omit<Candidate, 'isPresent' | 'isSilent'> {
  const facts = factsIn(offers.catalogue, withoutVariant(model));
  const vendor = vendorNamed(vendorOf(offers.catalogue, withoutVariant(model)));
  const record = recordFor(model, names);
  const { priceIn, priceOut } = facts;
  return {
    model,
    vendor,
    account: accountOf(model),
    region: regionOf(vendor),
    place: placeOf(model, facts),
    price: priceIn === undefined || priceOut === undefined ? null : { in: priceIn, out: priceOut },
    record,
    values: withContext(model, record === null ? {} : (byRecord.get(record) ?? {}), facts, listed?.at ?? null),
    live: live.get(model) ?? null,
  };
}

function placeOf(model: ModelId, { isLocal }: OfferedFacts): Candidate['place'] {
  if (model === BRIDGE) return 'bridge';
  // A remaining pattern matches local models, or none that is listed.
  return isLocal || isGlob(model) ? 'local' : 'hosted';
}

const CATALOGUE = 'OpenCode’s own catalogue';

/** OpenCode's context window is the usable one, unless the user entered it. */
function withContext(model: ModelId, values: ModelValues, { context }: OfferedFacts, at: number | null): ModelValues {
  if (context === undefined || values.context_length?.origin === 'hand') return values;
  return {
    ...values,
    context_length: {
      record: model,
      benchmark: 'context_length',
      value: context,
      unit: 'tokens',
      source: CATALOGUE,
      date: at === null ? null : dayOf(at),
      kind: 'published',
      origin: 'opencode',
      note: null,
    },
  };
}
