/** The five wire protocols OpenCode speaks to model providers; OpenRouter is a dialect of the first. */
export type Wire = 'openai-compatible' | 'anthropic' | 'openai-responses' | 'google' | 'openrouter';

/**
 * Tokens a scripted answer claims to have used. Cached ones are part of the input and reasoning is part of the output, as
 * the chat wire counts them; other wires leave these two out.
 */
export type ScriptedUsage = Readonly<{
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  reasoningTokens?: number;
}>;

/** A call of a tool; arguments given as a text are sent as they are, readable or not (not over Google's wire). */
export type ScriptedToolCall = Readonly<{ name: string; arguments: Readonly<Record<string, unknown>> | string }>;

/** A part of an answer that carries values only its provider can read again: `seal` stands in each of them. */
export type SealedParts = Readonly<{ seal: string; thinking: string; text: string; call: ScriptedToolCall }>;

/** One behaviour of a scripted model: what it does with a single request. */
export type ScriptedStep =
  /** A whole answer; `paceMs` waits that long before each piece, so that a person can watch it arrive. */
  | Readonly<{ kind: 'text'; text: string; usage?: ScriptedUsage; paceMs?: number }>
  | (Readonly<{ kind: 'toolCall'; usage?: ScriptedUsage }> & ScriptedToolCall)
  /** Some thoughts and finish reason "stop", but no answer. */
  | Readonly<{ kind: 'thinking'; text: string }>
  /** Thoughts, some text and a call of a tool, sealed as the wire seals them. */
  | (Readonly<{ kind: 'sealed' }> & SealedParts)
  /** An HTTP error; without a body the usual error object of that status is sent. */
  | Readonly<{ kind: 'status'; status: number; body?: unknown; headers?: Readonly<Record<string, string>> }>
  /** An HTTP error with half of its body, then silence on an open connection. */
  | Readonly<{ kind: 'halfError'; status: number; headers?: Readonly<Record<string, string>> }>
  /** The connection is reset before any header. */
  | Readonly<{ kind: 'reset' }>
  /** Nothing is ever answered. */
  | Readonly<{ kind: 'hang' }>
  /** Status 200 and headers, then nothing. */
  | Readonly<{ kind: 'hangAfterHeaders' }>
  /** Some text, then silence on an open connection. */
  | Readonly<{ kind: 'stall'; text: string }>
  /** Some text, then, `afterMs` later or when the model is released, the connection is destroyed. */
  | Readonly<{ kind: 'cut'; text: string; afterMs?: number }>
  /** A tool call, then, `afterMs` later or when the model is released, the connection is destroyed. */
  | (Readonly<{ kind: 'cutCall'; afterMs?: number }> & ScriptedToolCall)
  /** Some text, then a tidy end of the stream without a finish reason; with `mark` behind the end mark of the chat wire. */
  | Readonly<{ kind: 'noFinish'; text: string; mark?: true }>
  /** Some text, then this finish reason of the chat wire. */
  | Readonly<{ kind: 'finishReason'; text: string; reason: string }>
  | Readonly<{ kind: 'emptyBody' }>
  /** Finish reason "stop" and no content at all. */
  | Readonly<{ kind: 'emptyStop' }>
  /** Status 200 with an HTML page, as captive portals and broken gateways answer. */
  | Readonly<{ kind: 'html' }>
  /** Status 200 with a JSON error object in place of a stream. */
  | Readonly<{ kind: 'jsonError'; message?: string }>
  /** Status 200 and a stream that ends with an error, alone or after some text. */
  | Readonly<{ kind: 'sseError'; message: string; text?: string }>
  | Readonly<{ kind: 'length'; text: string; usage?: ScriptedUsage }>
  /** What `of` streams, with CRLF line ends and torn into pieces of 37 bytes. */
  | Readonly<{ kind: 'torn'; of: ScriptedStep }>
  | Readonly<{ kind: 'headers'; headers: Readonly<Record<string, string>>; of: ScriptedStep }>
  /** Nothing until that resolves, then what `of` does. */
  | Readonly<{ kind: 'held'; until: Promise<unknown>; of: ScriptedStep }>;

/** One request as the provider saw it. `respondedAt` and `aborted` are filled in as the exchange goes on. */
export type RecordedRequest = Readonly<{
  /** When the whole request had arrived: milliseconds since the epoch, with fractions. */
  at: number;
  /** When the first byte of an answer was handed to the socket or the socket was destroyed; null while nothing was. */
  respondedAt: number | null;
  model: string;
  wire: Wire;
  /** Path and query, as requested. */
  path: string;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The parsed JSON body, or null when it was not JSON. */
  body: unknown;
  /** True once the client closed the connection before our answer had ended. */
  aborted: boolean;
}>;

/** Chooses the step for one request; for behaviour that depends on the conversation. */
export type ScriptFunction = (request: RecordedRequest) => ScriptedStep;

/** Steps are used in order and the last one repeats. */
export type Script = readonly ScriptedStep[] | ScriptFunction;

/** True when the conversation in the request already holds the result of a tool call, on any wire. */
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

/**
 * A model that first calls one tool and, once the conversation holds a tool result, goes on with `then`.
 *
 * @param then The step for every request that carries a tool result; give a text to end the turn.
 */
export function toolCallThen(
  name: string,
  toolArguments: ScriptedToolCall['arguments'],
  then: ScriptedStep,
): ScriptFunction {
  return (request) => (hasToolResult(request) ? then : { kind: 'toolCall', name, arguments: toolArguments });
}

/**
 * Turns a script into a function that is asked once per request.
 *
 * @throws RangeError if the list of steps is empty.
 */
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

/** The value as an object to look into; an empty one when it is none. */
function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value as a list to look through; an empty one when it is none. */
function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
