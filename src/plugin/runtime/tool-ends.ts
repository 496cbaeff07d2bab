import { TOOL_REASONS, type ToolReason } from '../../engine/scorecard';
import { remember } from '../../engine/tools';
import type { Noted } from '../../protocol';
import type { Brain } from '../base/brain';

/** `stopped` is no failure. */
export type ToolEnd = 'worked' | 'stopped' | ToolReason;

export type Caller = Pick<Noted, 'session' | 'turn' | 'agent' | 'model'>;

export type ToolMemory = Map<string, ToolEnd>;

/** Output of a model or a tool may follow. */
const WORDS_MAX = 400;

/** The most certain first: a path may contain any word. */
const WORDS: readonly (readonly [end: ToolEnd, words: RegExp])[] = [
  [
    'stopped',
    /\btool execution (was )?(aborted|interrupted)|\b(aborted|interrupted) by (the )?user\b|\buser aborted\b/i,
  ],
  [
    'permission',
    /\brejected permission\b|\bdeclined this tool call\b|\bspecified a rule which prevents\b|\bdismissed this question\b|\bpermission denied\b/i,
  ],
  [
    'validation',
    /\binvalid (tool )?(arguments|input|parameters)\b|\barguments .{0,40}\binvalid\b|\bmalformed json\b|-32602\b/i,
  ],
  [
    'not_found',
    /\bENOENT\b|\bno such file\b|\b(unavailable|unknown) tool\b|\bno tool named\b|\b(file|directory|path|tool|skill|agent) (was )?not found\b/i,
  ],
  ['timeout', /\btimed out\b|\bexceeding timeout\b|\bETIMEDOUT\b|\bdeadline exceeded\b/i],
];

/** The message is not stored. */
export function toolEndIn(message: string): ToolEnd {
  const firstLine = message.trimStart().split('\n', 1)[0]?.slice(0, WORDS_MAX) ?? '';
  return WORDS.find(([, words]) => words.test(firstLine))?.[0] ?? 'execution';
}

const isReason = (end: ToolEnd | undefined): end is ToolReason => TOOL_REASONS.some((reason) => reason === end);

export function noteToolEnd(brain: Pick<Brain, 'note'>, memory: ToolMemory, caller: Caller, end: ToolEnd): void {
  if (end === 'stopped') return;
  const key = `${caller.session}|${caller.model}`;
  const before = memory.get(key);
  remember(memory, key, end);
  if (isReason(end)) brain.note({ type: 'tool.failed', ...caller, reason: end, isRepeated: before === end });
}
