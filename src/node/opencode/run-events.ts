import { parseJson } from '../../contract/parse-json';
/** What `opencode run --format json` tells, as far as we look at it. */
export type RunEvent = Readonly<{
  type?: string;
  sessionID?: string;
  part?: Readonly<{ cost?: number; text?: string }>;
  error?: Readonly<{ name?: string; data?: Readonly<{ message?: string; statusCode?: number }> }>;
}>;

/** Its events, one a line; what is none is passed over. */
export const readRunEvents = (output: string): readonly RunEvent[] => output.split('\n').flatMap(readEvent);

function readEvent(line: string): RunEvent[] {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** An error as one line, with the status where a provider gave one; not redacted. */
export const runErrorText = ({ name, data }: NonNullable<RunEvent['error']>): string =>
  [data?.statusCode, data?.message ?? name ?? 'an error without words'].filter((part) => part !== undefined).join(': ');

/** What all that was asked has cost, in US dollars, as OpenCode counts it. */
export const costOf = (events: readonly RunEvent[]): number =>
  events.reduce((sum, { type, part }) => (type === 'step_finish' ? sum + (part?.cost ?? 0) : sum), 0);
