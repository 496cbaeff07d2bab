import { PLAIN_VARIANT } from '../core/config/variants';
import { type EngineState, type ModelId, planOf } from '../engine';

/** Who is to speak for an agent, and what its user had chosen. */
export type Speaking = Readonly<{
  directory: string;
  agent: string;
  to: ModelId;
  own: Readonly<{ model: ModelId; variant?: string | undefined }>;
}>;

/**
 * The variant in which a model speaks for an agent: the user's own for the model they chose, else what the chain asks of it,
 * else the user's own where `has` tells that this model has it too. Undefined: as it answers by default.
 */
export function variantFor(
  state: EngineState,
  { directory, agent, to, own }: Speaking,
  has: (variant: string) => boolean,
): string | undefined {
  if (to === own.model) return own.variant;
  const { variants = {} } = planOf(state, directory, agent) ?? {};
  const asked = Object.hasOwn(variants, to) ? variants[to] : undefined;
  if (asked !== undefined) return asked === PLAIN_VARIANT ? undefined : asked;
  return own.variant !== undefined && has(own.variant) ? own.variant : undefined;
}
