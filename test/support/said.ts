import { type OpencodeMessage, textOf as plainTextOf } from '../../src/node/opencode';

/** The text of a message; of an answer without one, why it has none, so that a test that misses it tells more than ''. */
export function textOf(message: OpencodeMessage): string {
  const text = plainTextOf(message);
  if (text !== '' || message.info.role !== 'assistant') return text;
  const { error, finish = 'unfinished' } = message.info;
  const parts = message.parts.map(({ type }) => type).join(' ');
  return `(no text: ${error ? `${error.name} ${error.data?.message ?? ''}` : finish}; parts: ${parts})`;
}
