import type { ModelFacts, Needs } from '../../../engine';
import { CHARS_PER_TOKEN, MEDIA_CHARS, tokensOf } from '../../base/sizes';
import type { HistoryMessage, Part } from './types';

const ENDED: ReadonlySet<string> = new Set(['stop', 'length', 'content-filter']);

/** Counts media of the current turn only. An ability that the lead lacks is no need of its fallback. */
export function needsOf(messages: readonly HistoryMessage[], lead: ModelFacts | undefined): Needs {
  const chars = messages.reduce((sum, { parts }) => sum + charsOf(parts), 0);
  const ended = messages.findLastIndex(({ info }) => info.role === 'assistant' && ENDED.has(info.finish ?? ''));
  const turn = messages.slice(ended + 1).flatMap(({ parts }) => parts);
  const user = messages.findLast(({ info }) => info.role === 'user')?.info;
  const tools = user?.role === 'user' ? user.tools : undefined;
  return needs(chars, turn, { lead, usesTools: tools?.['*'] !== false });
}

export function needsOfPrompt(
  parts: readonly Part[],
  before: Needs | undefined,
  request: Readonly<{ lead: ModelFacts | undefined; usesTools: boolean }>,
): Needs {
  return needs((before?.contextTokens ?? 0) * CHARS_PER_TOKEN + charsOf(parts), parts, request);
}

function needs(
  chars: number,
  turn: readonly Part[],
  { lead, usesTools }: Readonly<{ lead: ModelFacts | undefined; usesTools: boolean }>,
): Needs {
  return {
    contextTokens: tokensOf(chars),
    ...(lead?.vision !== false && turn.some(holdsMedia) ? { vision: true } : {}),
    ...(lead?.tools !== false && usesTools ? { tools: true } : {}),
  };
}

const isMedia = (mime: string | undefined): boolean => /^image\/|^application\/pdf$/.test(mime ?? '');

const holdsMedia = ({ type, mime, state }: Part): boolean =>
  (type === 'file' && isMedia(mime)) || (state?.attachments?.some((attachment) => isMedia(attachment.mime)) ?? false);

const charsOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + charsIn(part), 0);

function charsIn({ type, text, mime, ignored, state }: Part): number {
  if (type === 'text' || type === 'reasoning') return ignored ? 0 : (text?.length ?? 0);
  if (type === 'file') return isMedia(mime) ? MEDIA_CHARS : 0;
  if (type !== 'tool' || !state) return 0;
  const media = state.attachments?.filter((attachment) => isMedia(attachment.mime)).length ?? 0;
  // OpenCode sends a short note in place of a cleared result.
  const output = state.time?.compacted ? 0 : (state.output?.length ?? state.error?.length ?? 0) + media * MEDIA_CHARS;
  return output + textLength(state.input);
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + textLength(item), 0);
}
