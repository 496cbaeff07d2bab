import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setChain } from '../../src/core/edits';
import { applyWrite, planWrite, type WriteRequest } from '../../src/node/config/config-write';
import { tempFolder } from './temp-folder';

/** A file of a user's in a folder of its own, and a state home. */
export async function userFile(content: string | Uint8Array, name = 'model-fallback.json') {
  const [folder, home] = [await tempFolder(), await tempFolder()];
  const path = join(folder, name);
  await writeFile(path, content);
  return { folder, home, path };
}

/** Sets the chain of `build`. */
export const chainRequest = (
  path: string,
  models: readonly string[],
  change: Partial<WriteRequest> = {},
): WriteRequest => ({
  path,
  edit: (text) => setChain(text, 'build', models),
  actor: 'test',
  deed: `chains set build ${models.join(' ')}`,
  ...change,
});

/** Plans and applies; @returns the reason of a refusal, or null. */
export async function write(request: WriteRequest, home: string): Promise<string | null> {
  const planned = await planWrite(request);
  if (!planned.ok) return planned.reason;
  const written = await applyWrite(planned.plan, home);
  return written.ok ? null : written.reason;
}

/** Everything in a folder by name. */
export async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')])),
  );
}
