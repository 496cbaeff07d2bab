import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { answer, type Handlers, type QueryName } from '../contract/contract';
import { askChannel } from '../preload/channels';
import { QUERY_NAMES } from '../preload/names';
import { isPanelUrl } from './security';

export const MAX_QUESTION_BYTES = 64 * 1024;

export type IpcAnswer = Awaited<ReturnType<typeof answer>> | Readonly<{ ok: false; code: 'refused'; reason: string }>;

export type IpcDoor = Readonly<{
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  isOurWindow(id: number): boolean;
}>;

/** Answers our own windows only. */
export function serveContract(door: IpcDoor, handlers: Handlers): () => void {
  const stops = QUERY_NAMES.map((name) => handle(door, name, handlers));
  return () => {
    for (const stop of stops) stop();
  };
}

/** The only place that registers handlers, so that none lacks the checks. */
function handle(door: IpcDoor, name: QueryName, handlers: Handlers): () => void {
  door.ipcMain.handle(askChannel(name), async (event, input: unknown): Promise<IpcAnswer> => {
    if (!isTrusted(event, door)) return { ok: false, code: 'refused', reason: 'Only the panel may send requests.' };
    const size = questionBytes(input);
    if (size === null) return { ok: false, code: 'refused', reason: 'The request cannot be written as JSON.' };
    if (size > MAX_QUESTION_BYTES) return { ok: false, code: 'refused', reason: 'The request is too large.' };
    return answer(handlers, name, input);
  });
  return () => door.ipcMain.removeHandler(askChannel(name));
}

function isTrusted(event: IpcMainInvokeEvent, door: IpcDoor): boolean {
  const frame = event.senderFrame;
  // A frame that has navigated or closed is null.
  if (frame === null || frame.parent !== null || !door.isOurWindow(event.sender.id)) return false;
  return isPanelUrl(frame.url);
}

function questionBytes(input: unknown): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(input) ?? '');
  } catch {
    // silent: a question that is no JSON is refused
    return null;
  }
}
