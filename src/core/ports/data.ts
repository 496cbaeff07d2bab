import type { Handlers } from '../../contract/contract';
import type { LogRecord } from '../base/record';

type DataQuery = 'data.info' | 'data.backup' | 'data.import' | 'data.erase';
type Answer<Q extends DataQuery> = Promise<Awaited<ReturnType<Handlers[Q]>>>;

export type DataPort = Readonly<{
  info(): Answer<'data.info'>;
  /** Writes a whole copy of the history into the state home. */
  backUp(): Answer<'data.backup'>;
  /** Takes in what OpenCode remembers. */
  takeIn(): Answer<'data.import'>;
  /** Deletes everything that was recorded before this call; the log begins anew with `first`. */
  erase(first: LogRecord): Answer<'data.erase'>;
}>;

/**
 * Answers the questions about what is recorded.
 *
 * @param memory what is in memory: `flush` hands over what waits, `beginAnew` forgets it all and makes the new log's first record.
 */
export function dataHandlers(
  port: DataPort | null,
  memory: Readonly<{ flush(): void; beginAnew(): LogRecord }>,
): Pick<Handlers, DataQuery> {
  const keeper = (): DataPort => {
    if (port === null) throw new Error('This Understudy records nothing.');
    memory.flush();
    return port;
  };
  return {
    'data.info': () => keeper().info(),
    'data.backup': () => keeper().backUp(),
    'data.import': () => keeper().takeIn(),
    // Memory first: what happens from now on belongs to the new log.
    'data.erase': () => keeper().erase(memory.beginAnew()),
  };
}
