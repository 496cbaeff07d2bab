import type { Handlers } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';

export const SETUP_QUERIES = [
  'chains.get',
  'chains.preview',
  'chains.apply',
  'chains.offers',
  'config.get',
  'config.preview',
  'config.apply',
  'setup.propose',
  'setup.choice',
  'setup.choose',
  'setup.detect',
  'setup.diff',
  'setup.apply',
  'setup.undo',
  'setup.place',
  'setup.receipts',
  'doctor.run',
  'trust.get',
  'trust.allow',
  'trust.revoke',
  'app.info',
  'app.report',
] as const;

export type SetupQuery = (typeof SETUP_QUERIES)[number];

export type SetupPort = Readonly<{
  answer<Q extends SetupQuery>(
    name: Q,
    input: Parameters<Handlers[Q]>[0],
    snapshot: () => Snapshot,
  ): Promise<Awaited<ReturnType<Handlers[Q]>>>;
  /** An Understudy of this user wrote the current content, for example by its CLI. Never rejects. */
  hasWritten?(path: string): Promise<boolean>;
}>;

/** Reads only projects that OpenCode has opened: access to the panel must not give access to the rest of the disk. */
export function setupHandlers(port: SetupPort | null, snapshot: () => Snapshot): Pick<Handlers, SetupQuery> {
  const handle = (name: SetupQuery) => async (input: Parameters<Handlers[SetupQuery]>[0]) => {
    if (port === null) throw new Error('This Understudy cannot read files.');
    const directory = input !== null && 'directory' in input ? input.directory : null;
    if (directory !== null && !isOpened(snapshot(), directory))
      throw new Error(`OpenCode has not opened ${directory}.`);
    return await port.answer(name, input, snapshot);
  };
  // TypeScript cannot tie a looped name to its handler; the contract checks both ends.
  return Object.fromEntries(SETUP_QUERIES.map((name) => [name, handle(name)])) as unknown as Pick<Handlers, SetupQuery>;
}

const isOpened = ({ instances, sessions }: Snapshot, directory: string): boolean =>
  instances.some(({ directories }) => directories.includes(directory)) ||
  sessions.some((session) => session.directory === directory);
