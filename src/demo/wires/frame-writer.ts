import type { ScriptedUsage } from '../scripted-steps';

/** What only its provider can read again, and the tool call it belongs to. */
export type Sealed = Readonly<{ seal: string; thinking: string; text: string; name: string; argumentsJson: string }>;

/** Why an answer ended, before it is put in a wire's own words. */
export type FinishReason = 'stop' | 'toolCall' | 'length';

/** Writes one streamed answer of a wire protocol, piece by piece, as server-sent event frames. */
export type FrameWriter = Readonly<{
  open: () => string[];
  /** One frame per piece of the text, after whatever the wire needs to begin a text. */
  text: (text: string) => string[];
  toolCall: (name: string, argumentsJson: string) => string[];
  /** Thoughts before, or in the place of, an answer. */
  thinking: (text: string) => string[];
  /** Sealed thoughts, text and a sealed call of a tool. */
  sealed: (parts: Sealed) => string[];
  /** Closes what is open and names the reason; the stream is complete after it. */
  finish: (reason: FinishReason, usage: ScriptedUsage) => string[];
  /** An error in the place of an answer. */
  error: (message: string) => string[];
}>;

let lastId = 0;

/** Ids only have to differ: providers' clients use them as keys. */
export function freshId(prefix: string): string {
  lastId += 1;
  return `${prefix}_${lastId.toString(36).padStart(8, '0')}`;
}

/** A frame without a name, as the OpenAI and Google families send them. */
export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A frame whose event name repeats the type in its data, as Anthropic and the responses API send them. */
export function namedFrame(value: Readonly<{ type: string; [key: string]: unknown }>): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** Pieces of a text with their white space kept: joined again they are the text. */
export function pieces(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
}
