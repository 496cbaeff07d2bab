import type { ModelAbilities, ModelRow } from '../contract/snapshot';
import { writtenModel } from '../contract/written-model';
import { FAILURE_KINDS, type FailureKind, type HealthKey, KIND_INFO, unbooked } from '../engine/names';

/** The health of a model of a chain in a directory: its own partition, else the shared health. */
export function rowIn(models: readonly ModelRow[], directory: string, written: string): ModelRow | undefined {
  const { model } = writtenModel(written);
  const rows = models.filter((row) => unbooked(row.model) === model);
  return rows.find(({ apart }) => apart?.includes(directory)) ?? rows.find(({ apart }) => apart === undefined);
}

/** True if a directory uses the health under this key for a model of its chains. */
export const isReadIn = (models: readonly ModelRow[], key: HealthKey, directory: string, model: string): boolean =>
  unbooked(key) === model && (rowIn(models, directory, model)?.model ?? model) === key;

/** The failure behind a state; the kind is null if the last failure is not its cause. */
export function causeIn(
  code: string | null,
  last: ModelRow['lastFailure'],
): Readonly<{ kind: FailureKind | null; status: number | null }> {
  const isOfLane = last && code?.startsWith(KIND_INFO[last.kind].lane);
  const kind = FAILURE_KINDS.find((each) => code?.endsWith(`.${each}`)) ?? (isOfLane ? last.kind : null);
  return { kind, status: kind === last?.kind ? last.status : null };
}

/** The row of a model without requests. */
export const unseenRow = (model: string, abilities: ModelAbilities): ModelRow => ({
  model,
  provider: model.slice(0, Math.max(0, model.indexOf('/'))),
  name: model.slice(model.lastIndexOf('/') + 1),
  state: 'unseen',
  code: null,
  until: null,
  source: null,
  since: null,
  failures: 0,
  failureThreshold: 1,
  calls: 0,
  failed: 0,
  lastFailure: null,
  recent: [],
  abilities,
  agents: [],
  isolatedBy: [],
  hold: null,
  usage: null,
});
