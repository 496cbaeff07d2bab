import { existsSync, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import type { CouncilPort } from '../../../core/ports/council';
import { councilFolder } from '../../../node/base/council-runs';
import { watchFolder } from '../../../node/base/watch-folder';
import { councilQueries } from '../contract/council';
import type { CouncilService, ServiceOptions } from './service';

/** For systems that report no changes, in ms. */
const LOOK_MS = 30_000;

/** Without councils it costs only the watch of one folder. */
export function openLazyCouncilService(options: ServiceOptions): CouncilService {
  const folder = councilFolder(options.home);
  const listeners = new Set<() => void>();
  let making: Promise<CouncilService> | null = null;
  let made: CouncilService | null = null;
  let isClosed = false;
  let waiting: FSWatcher | NodeJS.Timeout | null = null;

  const endWaiting = (): void => {
    if (waiting !== null && 'close' in waiting) waiting.close();
    else clearInterval(waiting ?? undefined);
    waiting = null;
  };
  const make = async (): Promise<CouncilService> => {
    endWaiting();
    const { openCouncilService } = await import('./service');
    made = openCouncilService(options);
    made.onChange(() => {
      for (const listener of listeners) listener();
    });
    if (isClosed) await made.close();
    return made;
  };
  const service = (): Promise<CouncilService> => {
    making ??= make();
    return making;
  };
  const look = (): void => {
    if (!isClosed && existsSync(folder)) void service();
  };

  if (existsSync(folder)) void service();
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
    handlers: handlersOf(service),
    async close() {
      isClosed = true;
      endWaiting();
      await (await making)?.close();
    },
  };
}

function handlersOf(service: () => Promise<CouncilService>): CouncilPort['handlers'] {
  const handlers = Object.keys(councilQueries).map((name) => [
    name,
    async (input: never) => (await service()).handlers[name as keyof CouncilPort['handlers']](input),
  ]);
  // The only cast: TypeScript cannot connect a looped name with its handler.
  return Object.fromEntries(handlers) as CouncilPort['handlers'];
}
