import type { Core } from '../../core/core';
import type { Clock } from '../../core/ports/ports';
import { statOrNull } from '../base/look';
import { type Actuator, actuatorFor, readStored, requestsSeenIn, verdictsPath } from './host-abilities';

const LOOK_MS = 5_000;

export function seeMoves(
  core: Pick<Core, 'toldMoves' | 'toldRequests'>,
  { home, clock }: Readonly<{ home: string; clock: Pick<Clock, 'schedule'> }>,
): Readonly<{ close(): void }> {
  const path = verdictsPath(home);
  let seen = '';
  let isClosed = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const found = await statOrNull(path);
    const now = found === null ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (now !== seen && !isClosed) {
      seen = now;
      const stored = await readStored(home);
      const found = new Map<string, Readonly<{ opencode: string; plugin: string; moves: Actuator }>>();
      // Newest last, as companions use it.
      for (const { opencode, plugin, broken } of stored?.tested.toReversed() ?? [])
        found.set(`${opencode} ${plugin}`, { opencode, plugin, moves: actuatorFor(broken, opencode) });
      core.toldRequests(requestsSeenIn(stored));
      core.toldMoves(
        [...found.values()].flatMap(({ opencode, plugin, moves }) =>
          moves === 'soft' ? [] : [{ opencode, plugin, moves }],
        ),
      );
    }
    if (!isClosed) cancel = clock.schedule(LOOK_MS, () => void look());
  };
  void look();
  return {
    close() {
      isClosed = true;
      cancel();
    },
  };
}
