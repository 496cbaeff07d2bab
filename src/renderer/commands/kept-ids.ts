import * as z from 'zod';
import { remember, remembered } from '../remembered';

/** Names of commands that this browser remembers, in an order. */
export type KeptIds = Readonly<{
  /** None where nothing is remembered, or something else. */
  read(): readonly string[];
  write(ids: readonly string[]): void;
}>;

/** @param max more than that are no list of ours. */
export function keptIds(name: string, max: number): KeptIds {
  const Ids = z.array(z.string().max(600)).max(max);
  return {
    read() {
      try {
        return Ids.safeParse(JSON.parse(remembered(name) ?? '[]')).data ?? [];
      } catch {
        return [];
      }
    },
    write: (ids) => remember(name, JSON.stringify(ids)),
  };
}
