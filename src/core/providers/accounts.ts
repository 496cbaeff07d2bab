import { providerOf, unaccounted } from '../../engine';

/** Suffixes of providers that share one login, as OpenCode names them: `zai` and `zai-coding-plan`. */
const SAME_LOGIN = /-(?:anthropic|coding-plan|token-plan|cognitive-services|enterprise|go)$/;

/**
 * Returns the paying account of a model by its provider's name: when that fails, all its models do. If a provider
 * fails, the user's other accounts of it fail too.
 */
export const accountOf = (model: string): string => providerOf(unaccounted(model)).replace(SAME_LOGIN, '');
