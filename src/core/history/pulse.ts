import type { ModelHistory, ModelRow } from '../../contract/snapshot';
import type { ModelId } from '../../engine';
import type { Projection, TakenStep } from '../base/projection';

type Slice = ModelRow['recent'][number];
type Failure = ModelHistory['failures'][number];
type Stretch = ModelHistory['states'][number];

const SLICE_MS = 10_000;
const SLICES_KEPT = 12;
const FAILURES_KEPT = 10;
export const HISTORY_MS = 24 * 3_600_000;
/** Limits memory for a model that changes all the time. */
const STATES_KEPT = 300;

export type Pulse = Projection<Pick<TakenStep, 'result' | 'wall'>> &
  Readonly<{
    /** Slices of 10 s, oldest first, without empty ones. @param at wall clock in ms. */
    recent(model: ModelId, at: number): Slice[];
    /** Failures are newest first, states oldest first. @param at wall clock in ms. */
    history(model: ModelId, at: number): Pick<ModelHistory, 'failures' | 'states'>;
    /** Wall clock in ms; null if the model's latest state is not `state`. */
    since(model: ModelId, state: Stretch['state']): number | null;
  }>;

type Kept = { slices: Slice[]; failures: Failure[]; states: Stretch[] };

export function createPulse(): Pulse {
  const models = new Map<ModelId, Kept>();
  const of = (model: ModelId): Kept => {
    const entry = models.get(model) ?? { slices: [], failures: [], states: [] };
    models.set(model, entry);
    return entry;
  };
  return {
    hear({ result, wall: at }) {
      for (const fact of result.facts) {
        if (fact.type === 'attempt.began') sliceAt(of(fact.model), at).calls++;
        if (fact.type === 'attempt.ended' && fact.outcome === 'failed') noteFailure(of(fact.model), fact.failure, at);
        if (fact.type === 'model.changed')
          noteState(of(fact.model), {
            state: fact.to,
            at: at - Math.round(fact.agoMs ?? 0),
            ...(fact.kind === null ? {} : { kind: fact.kind }),
          });
      }
    },
    recent: (model, at) =>
      (models.get(model)?.slices ?? []).flatMap((entry) => (isRecent(entry, at) ? [{ ...entry }] : [])),
    history(model, at) {
      const { failures = [], states = [] } = models.get(model) ?? {};
      return { failures: failures.toReversed(), states: since(states, at - HISTORY_MS) };
    },
    since(model, state) {
      const last = models.get(model)?.states.at(-1);
      return last?.state === state ? last.at : null;
    },
    forget: () => models.clear(),
  };
}

const isRecent = (slice: Slice, at: number): boolean => slice.at > at - SLICES_KEPT * SLICE_MS;

function noteFailure(
  pulse: Kept,
  { kind, status, message }: Pick<Failure, 'kind' | 'status' | 'message'>,
  at: number,
): void {
  sliceAt(pulse, at).failed++;
  pulse.failures.push({ kind, status, message, at });
  if (pulse.failures.length > FAILURES_KEPT) pulse.failures.shift();
}

function sliceAt(pulse: Kept, at: number): Slice {
  const start = Math.floor(at / SLICE_MS) * SLICE_MS;
  const last = pulse.slices.at(-1);
  if (last && last.at >= start) return last;
  const slice = { at: start, calls: 0, failed: 0 };
  pulse.slices = [...pulse.slices.filter((entry) => isRecent(entry, at)), slice];
  return slice;
}

function noteState(pulse: Kept, stretch: Stretch): void {
  pulse.states.push(stretch);
  if (pulse.states.length > STATES_KEPT) pulse.states.shift();
}

function since(states: readonly Stretch[], start: number): Stretch[] {
  const before = states.findLast(({ at }) => at <= start);
  const later = states.filter(({ at }) => at > start);
  return before ? [{ ...before, at: start }, ...later] : later;
}
