import { CallFailure } from './failures';

export type Turn =
  | Readonly<{ role: 'system' | 'user' | 'assistant'; content: string }>
  | Readonly<{ role: 'assistant'; content: string; tool_calls: readonly unknown[] }>
  | Readonly<{ role: 'tool'; tool_call_id: string; content: string }>;

export type Call = { id: string; name: string; arguments: string };

/** Result of a stream so far; `finish` is null until it is reported. */
export type Answer = { text: string; thoughts: string; calls: Call[]; finish: string | null; tokens: Used | null };
type Used = { input: number; output: number };

export const emptyAnswer = (): Answer => ({ text: '', thoughts: '', calls: [], finish: null, tokens: null });

export const hasOutput = ({ text, thoughts, calls }: Answer): boolean =>
  text !== '' || thoughts !== '' || calls.length > 0;

/**
 * Reads a chat stream into `answer`. @throws CallFailure: an error event is not retryable, and a stream without a
 * finish is incomplete.
 */
export async function readChat(response: Response, answer: Answer, chunkLimitMs: number): Promise<void> {
  if (!(response.headers.get('content-type') ?? '').includes('event-stream'))
    throw invalid(`expected a stream, got ${response.headers.get('content-type') ?? 'nothing'}`);
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response, chunkLimitMs)) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split(/\r?\n\r?\n/);
    rest = frames.pop() ?? '';
    for (const frame of frames) take(frame, answer);
  }
  if (answer.finish === null) throw invalid('incomplete stream');
}

const invalid = (message: string): CallFailure => new CallFailure({ type: 'provider.invalid-output', message });
const broken = (message: string): CallFailure => new CallFailure({ type: 'provider.transport', message });

async function* chunksOf(response: Response, limitMs: number): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), limitMs, 'chunk timeout').catch((error: unknown) => {
        throw error instanceof CallFailure ? error : broken(String(error));
      });
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

export async function within<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(broken(what)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Delta = {
  content?: string;
  reasoning_content?: string;
  tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
};
type Frame = {
  error?: { message?: string };
  choices?: { delta?: Delta; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
};

/** Any other reason is an error, as read in 2.0.15. */
const FINISHES = ['stop', 'end', 'length', 'content_filter', 'function_call', 'tool_calls'];

function take(text: string, answer: Answer): void {
  const data = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('');
  if (data === '' || data === '[DONE]') return;
  const frame = parsed(data);
  if (frame.error)
    throw new CallFailure({ type: 'provider.unknown', message: frame.error.message ?? 'an error' }, 'inStream');
  if (frame.usage)
    answer.tokens = { input: frame.usage.prompt_tokens ?? 0, output: frame.usage.completion_tokens ?? 0 };
  for (const { delta, finish_reason: finish } of frame.choices ?? []) {
    answer.text += delta?.content ?? '';
    answer.thoughts += delta?.reasoning_content ?? '';
    for (const call of delta?.tool_calls ?? []) addCall(answer.calls, call);
    if (finish && !FINISHES.includes(finish))
      throw new CallFailure({ type: 'provider.unknown', message: `Provider finish_reason: ${finish}` }, 'inStream');
    if (finish) answer.finish = finish;
  }
}

function parsed(data: string): Frame {
  try {
    return JSON.parse(data) as Frame;
  } catch {
    throw invalid('a frame is no JSON');
  }
}

function addCall(calls: Call[], part: NonNullable<Delta['tool_calls']>[number]): void {
  const call = calls[part.index] ?? { id: '', name: '', arguments: '' };
  calls[part.index] = call;
  call.id += part.id ?? '';
  call.name += part.function?.name ?? '';
  call.arguments += part.function?.arguments ?? '';
}
