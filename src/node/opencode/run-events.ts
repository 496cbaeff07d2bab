import { parseJson } from '../../contract/parse-json';
export type RunEvent = Readonly<{
  type?: string;
  sessionID?: string;
  part?: Readonly<{ cost?: number; text?: string }>;
  error?: Readonly<{ name?: string; data?: Readonly<{ message?: string; statusCode?: number }> }>;
}>;

export const readRunEvents = (output: string): readonly RunEvent[] => output.split('\n').flatMap(readEvent);

function readEvent(line: string): RunEvent[] {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** Not redacted. */
export const runErrorText = ({ name, data }: NonNullable<RunEvent['error']>): string =>
  [data?.statusCode, data?.message ?? name ?? 'an error without a message']
    .filter((part) => part !== undefined)
    .join(': ');

/** US dollars. */
export const costOf = (events: readonly RunEvent[]): number =>
  events.reduce((sum, { type, part }) => (type === 'step_finish' ? sum + (part?.cost ?? 0) : sum), 0);
