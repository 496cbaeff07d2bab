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
 * Imported, because the plugin ships as a single file. Dialects of a single provider come first: they are more exact.
 */
export const BUILT_IN_DIALECTS = [
  ...[mistral, openrouter],
  ...[anthropicPlan, anthropicKey, openai, codex, copilot, ietf],
] as unknown as readonly Dialect[];
