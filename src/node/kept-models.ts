import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from './atomic-file';
import { readPrivateJson } from './private-folder';
import { ensureStateHome } from './state-home';

const FILE = 'models.json';
/** A router lists thousands of models. */
const MAX_BYTES = 4_194_304;
const DIRECTORIES_MAX = 10;
/** A list that has not changed is dated anew after this long, in ms. */
const DATED_AFTER_MS = 3_600_000;

const List = z.object({ directory: z.string(), at: z.number(), models: z.array(z.string()) });
const Stored = z.object({ v: z.literal(1), lists: z.array(List) });

/** Models as OpenCode listed them in a directory, by name only. */
export type KeptModels = Readonly<{
  /** When, in Unix ms. */
  at: number;
  models: readonly string[];
}>;

/** Keeps the names of the models OpenCode has in a directory, for when it is not there to be asked. Never rejects. */
export async function keepModels(
  home: string,
  directory: string,
  models: readonly string[],
  now = Date.now(),
): Promise<void> {
  const lists = await read(home);
  const before = lists.find((list) => list.directory === directory);
  const isSame = before !== undefined && before.models.join('\n') === models.join('\n');
  if (isSame && now - before.at < DATED_AFTER_MS) return;
  const others = lists.filter((list) => list !== before);
  const stored = { v: 1, lists: [{ directory, at: now, models }, ...others].slice(0, DIRECTORIES_MAX) };
  const place = await ensureStateHome(home);
  // What is not kept is listed again when OpenCode starts.
  if (place.ok) await writeFileAtomic(join(home, FILE), `${JSON.stringify(stored)}\n`);
}

/** What OpenCode listed last in a directory; null when nothing is kept of it, or not readable. */
export async function keptModels(home: string, directory: string): Promise<KeptModels | null> {
  return (await read(home)).find((list) => list.directory === directory) ?? null;
}

const read = async (home: string): Promise<z.infer<typeof List>[]> =>
  (await readPrivateJson(join(home, FILE), MAX_BYTES, Stored))?.lists ?? [];
