import { type OpencodeMessage, textOf as plainTextOf } from '../../src/node/opencode';

/** Text of a message; without one, the reason, so that a failed test shows more than ''. */
export function textOf(message: OpencodeMessage): string {
  const text = plainTextOf(message);
  if (text !== '' || message.info.role !== 'assistant') return text;
  const { error, finish = 'unfinished' } = message.info;
  const parts = message.parts.map(({ type }) => type).join(' ');
  return `(no text: ${error ? `${error.name} ${error.data?.message ?? ''}` : finish}; parts: ${parts})`;
}
