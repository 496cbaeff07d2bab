import { keptIds } from './kept-ids';

const RECENT_MAX = 8;
const recent = keptIds('recent-commands', RECENT_MAX);

/** Latest first. */
export const recentCommands = recent.read;

export function rememberCommand(id: string): void {
  recent.write([id, ...recent.read().filter((each) => each !== id)].slice(0, RECENT_MAX));
}
