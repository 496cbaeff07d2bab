/** Wire protocols of OpenCode; OpenRouter is a dialect of the first. */
export type Wire = 'openai-compatible' | 'anthropic' | 'openai-responses' | 'google' | 'openrouter';

/**
 * Reported tokens. Cached ones are part of the input and reasoning of the output, as the chat wire counts; other wires
 * omit both.
 */
export type ScriptedUsage = Readonly<{
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  reasoningTokens?: number;
}>;

/** Text arguments are sent unchanged, valid or not (not over Google's wire). */
export type ScriptedToolCall = Readonly<{ name: string; arguments: Readonly<Record<string, unknown>> | string }>;

export type SealedParts = Readonly<{ seal: string; thinking: string; text: string; call: ScriptedToolCall }>;

export type ScriptedStep =
  | Readonly<{ kind: 'text'; text: string; usage?: ScriptedUsage; paceMs?: number }>
  | (Readonly<{ kind: 'toolCall'; usage?: ScriptedUsage }> & ScriptedToolCall)
  /** Thoughts and finish reason "stop" without an answer. */
  | Readonly<{ kind: 'thinking'; text: string }>
  | (Readonly<{ kind: 'sealed' }> & SealedParts)
  /** Without a body, the usual error object of the status. */
  | Readonly<{ kind: 'status'; status: number; body?: unknown; headers?: Readonly<Record<string, string>> }>
  /** An HTTP error with half of its body, then silence. */
  | Readonly<{ kind: 'halfError'; status: number; headers?: Readonly<Record<string, string>> }>
  | Readonly<{ kind: 'reset' }>
  | Readonly<{ kind: 'hang' }>
  /** Status 200 and headers, then silence. */
  | Readonly<{ kind: 'hangAfterHeaders' }>
  | Readonly<{ kind: 'stall'; text: string }>
  /** Some text; `afterMs` later or on release the connection is destroyed. */
  | Readonly<{ kind: 'cut'; text: string; afterMs?: number }>
  /** As `cut`, after a tool call. */
  | (Readonly<{ kind: 'cutCall'; afterMs?: number }> & ScriptedToolCall)
  /** Some text, then the stream ends without a finish reason; `mark` adds the chat wire's end mark. */
  | Readonly<{ kind: 'noFinish'; text: string; mark?: true }>
  | Readonly<{ kind: 'finishReason'; text: string; reason: string }>
  | Readonly<{ kind: 'emptyBody' }>
  | Readonly<{ kind: 'emptyStop' }>
  /** Status 200 with HTML, as from captive portals and broken gateways. */
  | Readonly<{ kind: 'html' }>
  | Readonly<{ kind: 'jsonError'; message?: string }>
  | Readonly<{ kind: 'sseError'; message: string; text?: string }>
  | Readonly<{ kind: 'length'; text: string; usage?: ScriptedUsage }>
  /** Output of `of` with CRLF line ends, in pieces of 37 bytes. */
  | Readonly<{ kind: 'torn'; of: ScriptedStep }>
  | Readonly<{ kind: 'headers'; headers: Readonly<Record<string, string>>; of: ScriptedStep }>
  | Readonly<{ kind: 'held'; until: Promise<unknown>; of: ScriptedStep }>;

/** `respondedAt` and `aborted` change during the exchange. */
export type RecordedRequest = Readonly<{
  /** Arrival of the whole request, in Unix ms with fractions. */
  at: number;
  /** First byte written or socket destroyed; null before. */
  respondedAt: number | null;
  model: string;
  wire: Wire;
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** The client closed the connection before the answer ended. */
  aborted: boolean;
}>;

export type ScriptFunction = (request: RecordedRequest) => ScriptedStep;

/** The last step repeats. */
export type Script = readonly ScriptedStep[] | ScriptFunction;

export function hasToolResult(request: RecordedRequest): boolean {
  const body = asRecord(request.body);
  const entries = [...asArray(body.messages), ...asArray(body.input), ...asArray(body.contents)].map(asRecord);
  return entries.some(
    (entry) =>
      entry.role === 'tool' ||
      entry.type === 'function_call_output' ||
      [...asArray(entry.content), ...asArray(entry.parts)]
        .map(asRecord)
        .some((part) => part.type === 'tool_result' || part.functionResponse !== undefined),
  );
}

export function toolCallThen(
  name: string,
  toolArguments: ScriptedToolCall['arguments'],
  then: ScriptedStep,
): ScriptFunction {
  return (request) => (hasToolResult(request) ? then : { kind: 'toolCall', name, arguments: toolArguments });
}

/** @throws RangeError if the list of steps is empty. */
export function scriptToFunction(script: Script): ScriptFunction {
  if (typeof script === 'function') return script;
  let nextIndex = 0;
  return () => {
    const step = script[Math.min(nextIndex, script.length - 1)];
    if (step === undefined) throw new RangeError('a script needs at least one step, got none');
    nextIndex += 1;
    return step;
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
