import { providerOf, unaccounted } from '../../engine';

/** Providers of one login, such as `zai` and `zai-coding-plan`. */
const SAME_LOGIN = /-(?:anthropic|coding-plan|token-plan|cognitive-services|enterprise|go)$/;

/** If a provider fails, all accounts of it fail. */
export const accountOf = (model: string): string => providerOf(unaccounted(model)).replace(SAME_LOGIN, '');
