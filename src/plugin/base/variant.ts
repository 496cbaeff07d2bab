import { PLAIN_VARIANT } from '../../core/config/variants';
import { type EngineState, type ModelId, planOf, unaccounted } from '../../engine';
import { entries } from '../../engine/tools';

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
  // An account that stands in is asked as the model it stands in for.
  const named = [to, unaccounted(to)].find((model) => Object.hasOwn(variants, model));
  const asked = named === undefined ? undefined : variants[named];
  if (asked !== undefined) return asked === PLAIN_VARIANT ? undefined : asked;
  const chosen = chosenVariant(state, directory, own);
  return chosen !== undefined && has(chosen) ? chosen : undefined;
}

/**
 * The variant that a user has chosen for a model. One that a chain asks of it is the chain's: OpenCode 1 hands a turn's model and
 * variant on to sub-agents, whoever has put them there. [seen: 1.18.34]
 */
export function chosenVariant(
  { scopes }: EngineState,
  directory: string,
  { model, variant }: Speaking['own'],
): string | undefined {
  const agents = entries(scopes).flatMap(([of, scope]) => (of === directory ? Object.values(scope.agents) : []));
  const isAsked = agents.some(({ variants = {} }) => Object.hasOwn(variants, model) && variants[model] === variant);
  return isAsked ? undefined : variant;
}
