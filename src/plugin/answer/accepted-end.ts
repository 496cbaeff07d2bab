import type { Wire } from './wire';

/**
 * Reasons that both generations of OpenCode accept for stop; tool; length; filter, the reported one first. After
 * others 1.18 repeats the step, and 2.0 retries. Read in the bundles of 1.18.34 and 2.0.15.
 */
const ends = (key: string, reasons: string) => ({
  reason: new RegExp(`("${key}"\\s*:\\s*)"((?:[^"\\\\]|\\\\.)+)"`, 'g'),
  accepted: reasons.split('; ').map((own) => own.split(' ')),
});
const CHAT = ends('finish_reason', 'stop; tool_calls function_call; length; content_filter');
const GOOGLE = 'STOP; STOP; MAX_TOKENS; SAFETY IMAGE_SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII';
const ANTHROPIC = 'end_turn stop_sequence pause_turn; tool_use; max_tokens model_context_window_exceeded; refusal';
const ENDS: Readonly<Partial<Record<Wire, ReturnType<typeof ends>>>> = {
  chat: CHAT,
  perplexity: CHAT,
  anthropic: ends('stop_reason', ANTHROPIC),
  google: ends('finishReason', GOOGLE),
  // Only incomplete responses have a reason; with a call OpenCode accepts any.
  responses: ends(
    'incomplete_details"\\s*:\\s*\\{\\s*"reason',
    'max_output_tokens; ; max_output_tokens; content_filter',
  ),
  cohere: ends('finish_reason', 'COMPLETE STOP_SEQUENCE; TOOL_CALL; MAX_TOKENS; COMPLETE'),
  gateway: ends('unified', 'stop; tool-calls; length; content-filter'),
};
const KINDS = ['stop', 'tool', 'length', 'filter'] as const;

/** Replaces a reason that OpenCode would not accept. */
export function withAcceptedEnd(text: string, wire: Wire, kind: (typeof KINDS)[number]): string {
  const ends = ENDS[wire];
  const word = ends?.accepted[KINDS.indexOf(kind)]?.[0];
  if (!ends || !word) return text;
  const isAccepted = (reason: string): boolean => ends.accepted.some((own) => own.includes(reason));
  return text.replace(ends.reason, (all, head, reason) => (isAccepted(reason) ? all : `${head}"${word}"`));
}
