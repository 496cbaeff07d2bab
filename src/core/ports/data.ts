import type { Handlers } from '../../contract/contract';
import type { LogRecord } from '../base/record';

type DataQuery = 'data.info' | 'data.backup' | 'data.import' | 'data.erase';
type Answer<Q extends DataQuery> = Promise<Awaited<ReturnType<Handlers[Q]>>>;

export type DataPort = Readonly<{
  info(): Answer<'data.info'>;
  backUp(): Answer<'data.backup'>;
  takeIn(): Answer<'data.import'>;
  /** The new log begins with `first`. */
  erase(first: LogRecord): Answer<'data.erase'>;
}>;

/** @param memory `beginAnew` clears memory and makes the new log's first record. */
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
    // Clear memory first: later events belong to the new log.
    'data.erase': () => keeper().erase(memory.beginAnew()),
  };
}
