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
 * The user's variant for the model they chose, else the chain's, else the user's if `has` confirms it. Undefined: the
 * model's default.
 */
export function variantFor(
  state: EngineState,
  { directory, agent, to, own }: Speaking,
  has: (variant: string) => boolean,
): string | undefined {
  if (to === own.model) return own.variant;
  const { variants = {} } = planOf(state, directory, agent) ?? {};
  // An account without a variant uses the plain model's.
  const named = [to, unaccounted(to)].find((model) => Object.hasOwn(variants, model));
  const requested = named === undefined ? undefined : variants[named];
  if (requested !== undefined) return requested === PLAIN_VARIANT ? undefined : requested;
  const chosen = chosenVariant(state, directory, own);
  return chosen !== undefined && has(chosen) ? chosen : undefined;
}

/** Undefined for a chain's variant: OpenCode 1 passes a turn's model and variant on to sub-agents. [seen: 1.18.34] */
export function chosenVariant(
  { scopes }: EngineState,
  directory: string,
  { model, variant }: Speaking['own'],
): string | undefined {
  const agents = entries(scopes).flatMap(([of, scope]) => (of === directory ? Object.values(scope.agents) : []));
  const isAsked = agents.some(({ variants = {} }) => Object.hasOwn(variants, model) && variants[model] === variant);
  return isAsked ? undefined : variant;
}
