import type { ScriptedUsage } from '../scripted-steps';

/** Values that only their provider can read, and their tool call. */
export type Sealed = Readonly<{ seal: string; thinking: string; text: string; name: string; argumentsJson: string }>;

export type FinishReason = 'stop' | 'toolCall' | 'length';

export type FrameWriter = Readonly<{
  open: () => string[];
  text: (text: string) => string[];
  toolCall: (name: string, argumentsJson: string) => string[];
  thinking: (text: string) => string[];
  sealed: (parts: Sealed) => string[];
  finish: (reason: FinishReason, usage: ScriptedUsage) => string[];
  error: (message: string) => string[];
}>;

let lastId = 0;

/** Unique: clients use ids as keys. */
export function freshId(prefix: string): string {
  lastId += 1;
  return `${prefix}_${lastId.toString(36).padStart(8, '0')}`;
}

/** Without an event name, as OpenAI's and Google's chat APIs send them. */
export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** The event name repeats the type in the data, as in Anthropic's and the responses API. */
export function namedFrame(value: Readonly<{ type: string; [key: string]: unknown }>): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

export function pieces(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
}
