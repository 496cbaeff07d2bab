import * as z from 'zod';
import { parseJson } from '../../../contract/parse-json';
import { remember, remembered } from '../remembered';

export type KeptIds = Readonly<{
  /** Invalid entries are omitted. */
  read(): readonly string[];
  write(ids: readonly string[]): void;
}>;

const ID_MAX_CHARS = 600;
const Ids = z.array(z.unknown());

const isFit = (id: unknown): id is string => typeof id === 'string' && id.length <= ID_MAX_CHARS;

export function keptIds(name: string, max: number): KeptIds {
  return {
    read: () => (Ids.safeParse(parseJson(remembered(name) ?? '[]')).data ?? []).filter(isFit).slice(0, max),
    write: (ids) => remember(name, JSON.stringify(ids.filter(isFit))),
  };
}
