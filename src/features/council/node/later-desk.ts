import { existsSync, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import type { CouncilPort } from '../../../core/ports/council';
import { councilFolder } from '../../../node/base/council-runs';
import { watchFolder } from '../../../node/base/watch-folder';
import { councilQueries } from '../contract/council';
import type { CouncilDesk, DeskOptions } from './desk';

/** How often a folder is looked for where the system does not tell that it has come, in ms. */
const LOOK_MS = 30_000;

/**
 * The desk of a state home, made at the first run or question. A user without councils pays for the watch of one folder.
 */
export function openLaterDesk(options: DeskOptions): CouncilDesk {
  const folder = councilFolder(options.home);
  const listeners = new Set<() => void>();
  let making: Promise<CouncilDesk> | null = null;
  let made: CouncilDesk | null = null;
  let isClosed = false;
  let waiting: FSWatcher | NodeJS.Timeout | null = null;

  const endWaiting = (): void => {
    if (waiting !== null && 'close' in waiting) waiting.close();
    else clearInterval(waiting ?? undefined);
    waiting = null;
  };
  const make = async (): Promise<CouncilDesk> => {
    endWaiting();
    const { openCouncilDesk } = await import('./desk');
    made = openCouncilDesk(options);
    made.onChange(() => {
      for (const listener of listeners) listener();
    });
    if (isClosed) await made.close();
    return made;
  };
  const desk = (): Promise<CouncilDesk> => {
    making ??= make();
    return making;
  };
  const look = (): void => {
    if (!isClosed && existsSync(folder)) void desk();
  };

  if (existsSync(folder)) void desk();
  else
    waiting =
      watchFolder(options.home, (name) => void ((name === null || name === basename(folder)) && look())) ??
      setInterval(look, LOOK_MS).unref();
  return {
    rows: () => made?.rows() ?? [],
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    handlers: handlersOf(desk),
    async close() {
      isClosed = true;
      endWaiting();
      await (await making)?.close();
    },
  };
}

function handlersOf(desk: () => Promise<CouncilDesk>): CouncilPort['handlers'] {
  const handlers = Object.keys(councilQueries).map((name) => [
    name,
    async (input: never) => (await desk()).handlers[name as keyof CouncilPort['handlers']](input),
  ]);
  // The one cast: TypeScript cannot tie a looped name to its own handler.
  return Object.fromEntries(handlers) as CouncilPort['handlers'];
}
