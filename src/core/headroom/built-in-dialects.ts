import anthropicKey from '../../../resources/limits/anthropic-key.json';
import anthropicPlan from '../../../resources/limits/anthropic-plan.json';
import codex from '../../../resources/limits/codex.json';
import copilot from '../../../resources/limits/copilot.json';
import ietf from '../../../resources/limits/ietf.json';
import mistral from '../../../resources/limits/mistral.json';
import openai from '../../../resources/limits/openai.json';
import openrouter from '../../../resources/limits/openrouter.json';
import type { Dialect } from './dialect-schema';

/**
 * The dialects that ship, imported and not read: the plugin ships as a single file. Their tests have checked them. What only one
 * provider writes comes first: it knows better what a header means there.
 */
export const BUILT_IN_DIALECTS = [
  ...[mistral, openrouter],
  ...[anthropicPlan, anthropicKey, openai, codex, copilot, ietf],
] as unknown as readonly Dialect[];
