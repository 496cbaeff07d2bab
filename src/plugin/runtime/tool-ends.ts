import { TOOL_REASONS, type ToolReason } from '../../engine/scorecard';
import { remember } from '../../engine/tools';
import type { Noted } from '../../protocol';
import type { Brain } from '../base/brain';

/** How a call of a tool ended: `stopped` is nobody's failure. */
export type ToolEnd = 'worked' | 'stopped' | ToolReason;

export type Caller = Pick<Noted, 'session' | 'turn' | 'agent' | 'model'>;

/** How the newest call of each model in each session ended. */
export type ToolMemory = Map<string, ToolEnd>;

/** What is read of the first line of a message; what a model has written, or a tool has printed, may follow it. */
const WORDS_MAX = 400;

/** What is said of each end, the surest words first. A path among them may hold any word. */
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

/** How a tool ended that says this of its failure. The words are looked at here and go nowhere. */
export function toolEndIn(message: string): ToolEnd {
  const said = message.trimStart().split('\n', 1)[0]?.slice(0, WORDS_MAX) ?? '';
  return WORDS.find(([, words]) => words.test(said))?.[0] ?? 'execution';
}

const isReason = (end: ToolEnd | undefined): end is ToolReason => TOOL_REASONS.some((reason) => reason === end);

/** Takes in how a call ended, each once, and tells of one that failed. One that was stopped says nothing of its model. */
export function noteToolEnd(brain: Pick<Brain, 'note'>, memory: ToolMemory, caller: Caller, end: ToolEnd): void {
  if (end === 'stopped') return;
  const key = `${caller.session}|${caller.model}`;
  const before = memory.get(key);
  remember(memory, key, end);
  if (isReason(end)) brain.note({ type: 'tool.failed', ...caller, reason: end, isRepeated: before === end });
}
