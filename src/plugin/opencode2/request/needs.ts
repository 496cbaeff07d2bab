import type { ModelFacts, Needs } from '../../../engine';
import { MEDIA_CHARS, tokensOf } from '../../base/sizes';
import type { ContextEvent, ContextMessage } from '../session/types';

/** Counts images only since the last answer. */
export function needsOf({ messages, tools }: ContextEvent, lead: ModelFacts | undefined): Needs {
  const chars = messages.reduce((sum, { content }) => sum + charsIn(content), 0);
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const isSeeing = messages.slice(answered + 1).some(holdsMedia);
  return {
    contextTokens: tokensOf(chars),
    ...(lead?.vision !== false && isSeeing ? { vision: true } : {}),
    ...(lead?.tools !== false && Object.keys(tools).length > 0 ? { tools: true } : {}),
  };
}

const holdsMedia = ({ content }: ContextMessage): boolean => Array.isArray(content) && content.some(isMedia);
const isMedia = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'type' in part && (part.type === 'media' || part.type === 'file');

/** Counts without serializing. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  if (isMedia(value)) return MEDIA_CHARS;
  return Object.values(value).reduce((sum: number, item) => sum + charsIn(item), 0);
}
