import * as z from 'zod';
import { remember, remembered } from '../remembered';

const RECENT_MAX = 8;
const NAME = 'recent-commands';
const Ids = z.array(z.string().max(600)).max(RECENT_MAX);

/** The commands used last, the latest first, by name. */
export function recentCommands(): readonly string[] {
  try {
    return Ids.safeParse(JSON.parse(remembered(NAME) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
}

/** Remembers that a command was used. */
export function rememberCommand(id: string): void {
  remember(NAME, JSON.stringify([id, ...recentCommands().filter((each) => each !== id)].slice(0, RECENT_MAX)));
}
