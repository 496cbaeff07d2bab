import { providerOf, unaccounted } from '../../engine';

/** What providers of one login are told apart by, as OpenCode names them: `zai` and `zai-coding-plan`. */
const SAME_LOGIN = /-(?:anthropic|coding-plan|token-plan|cognitive-services|enterprise|go)$/;

/**
 * The account a model is paid by, as far as its provider's name says so: when that is out, all its models are. A user's other
 * accounts of the provider are out with it whenever it is the provider that fails.
 */
export const accountOf = (model: string): string => providerOf(unaccounted(model)).replace(SAME_LOGIN, '');
