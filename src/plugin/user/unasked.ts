import { type EngineState, type FailureKind, type ModelId, redact, standingIn, unbooked } from '../../engine';
import { entries } from '../../engine/tools';
import type { Companion } from '../runtime/host';
import { ACTOR } from './commands';

export type Unasked = Readonly<{
  session: string;
  turn: string;
  agent: string;
  model: string;
  kind: FailureKind;
  message: string;
}>;

export function tellUnasked(
  { companion, directory }: Readonly<{ companion: Pick<Companion, 'brain' | 'instance'>; directory: string }>,
  { session, turn, agent, model, kind, message }: Unasked,
): void {
  const { brain } = companion;
  if (standingIn(brain.state(), directory, model, brain.now()).use === 'out') return;
  const attempt = `${companion.instance}:${session}:${turn}:unasked`;
  brain.tell({ type: 'attempt.started', attempt, turn, session, directory, agent, model, purpose: 'internal' });
  const evidence = { phase: 'headers', message, mapped: { kind } } as const;
  brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 0 });
}

const ERROR_CHARS = 300;

export const UNSTARTABLE = 'OpenCode cannot start this model:';

export const whyUnstartable = (error: string): string => `${UNSTARTABLE} ${redact(error).slice(0, ERROR_CHARS)}`;

/** Reported before the turn begins, so that it starts with another model. */
export function tellUnlisted(
  instance: Parameters<typeof tellUnasked>[0] & Readonly<{ unstartable: ReadonlyMap<ModelId, string> }>,
  about: Omit<Unasked, 'kind' | 'message'>,
): void {
  const message = instance.unstartable.get(about.model) ?? 'OpenCode has no such model.';
  tellUnasked(instance, { ...about, kind: 'model_not_found', message });
}

/** Models that OpenCode itself cannot find or start, with engine ms. */
export const goneModels = ({ models }: EngineState): readonly (readonly [model: ModelId, since: number])[] =>
  entries(models).flatMap(([key, { block, last }]) =>
    block?.kind === 'model_not_found' && last?.status === null ? [[unbooked(key), block.since] as const] : [],
  );

/**
 * Ends blocks set by OpenCode, not by a provider: its configuration changed.
 * @param before engine ms; later blocks stay.
 */
export function unblockListed({ brain }: Pick<Companion, 'brain'>, models: readonly ModelId[], before: number): void {
  for (const [model, since] of goneModels(brain.state()))
    if (since < before && models.includes(model)) brain.tell({ type: 'health.reset', target: { model }, actor: ACTOR });
}
