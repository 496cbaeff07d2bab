import type { Wire } from './wire';

/** How an answer ended, as a provider's reason has to report it. */
type End = 'stop' | 'tool' | 'length' | 'filter';

/**
 * The reasons that both generations of OpenCode accept: after any other one 1.18 takes the step again, and 2.0 reads an error that it
 * retries, or an unknown end. Read in the bundles of 1.18.34 and 2.0.15.
 */
type Ends = Readonly<{ reason: RegExp; accepted: RegExp; words: Readonly<Record<End, string>> }>;

const reasonAfter = (head: string): RegExp => new RegExp(`(${head}\\s*:\\s*)"((?:[^"\\\\]|\\\\.)+)"`, 'g');

const CHAT: Ends = {
  reason: reasonAfter('"finish_reason"'),
  accepted: /^(?:stop|length|content_filter|function_call|tool_calls)$/,
  words: { stop: 'stop', tool: 'tool_calls', length: 'length', filter: 'content_filter' },
};
const ENDS: Readonly<Partial<Record<Wire, Ends>>> = {
  chat: CHAT,
  perplexity: CHAT,
  anthropic: {
    reason: reasonAfter('"stop_reason"'),
    accepted: /^(?:end_turn|stop_sequence|pause_turn|tool_use|max_tokens|model_context_window_exceeded|refusal)$/,
    words: { stop: 'end_turn', tool: 'tool_use', length: 'max_tokens', filter: 'refusal' },
  },
  google: {
    reason: reasonAfter('"finishReason"'),
    accepted: /^(?:STOP|MAX_TOKENS|(?:IMAGE_)?SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII)$/,
    words: { stop: 'STOP', tool: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' },
  },
  // Only an incomplete response has a reason: OpenCode knows no incomplete one that stopped.
  responses: {
    reason: reasonAfter('"incomplete_details"\\s*:\\s*\\{\\s*"reason"'),
    accepted: /^(?:max_output_tokens|content_filter)$/,
    words: { stop: 'max_output_tokens', tool: '', length: 'max_output_tokens', filter: 'content_filter' },
  },
  cohere: {
    reason: reasonAfter('"finish_reason"'),
    accepted: /^(?:COMPLETE|STOP_SEQUENCE|MAX_TOKENS|TOOL_CALL)$/,
    words: { stop: 'COMPLETE', tool: 'TOOL_CALL', length: 'MAX_TOKENS', filter: 'COMPLETE' },
  },
  gateway: {
    reason: reasonAfter('"unified"'),
    accepted: /^(?:stop|length|content-filter|tool-calls)$/,
    words: { stop: 'stop', tool: 'tool-calls', length: 'length', filter: 'content-filter' },
  },
};

/** Events of an answer that has ended, with a reason that OpenCode accepts in place of any other. */
export function withAcceptedEnd(text: string, wire: Wire, end: End): string {
  const ends = ENDS[wire];
  const word = ends?.words[end];
  if (!ends || !word) return text;
  return text.replace(ends.reason, (all, head: string, reason: string) =>
    ends.accepted.test(reason) ? all : `${head}"${word}"`,
  );
}
