import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { mkdir, rm, SEAL_VARIABLE, sealTo } from '../node/base/disk';
import { type Environment, isPipe, socketAddress } from '../node/base/state-home';
import { homeFolders, sandboxEnvironment } from '../node/opencode';
import type { Closers } from './closers';

/** A demo writes only inside this folder. */
export type DemoPlace = Readonly<{
  root: string;
  home: string;
  ours: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
}>;

/**
 * Creates the folder of a demo, and seals this process to it until the demo closes. Drops variables of `around` that
 * name the user's files.
 * @throws the system's error.
 */
export async function openPlace(closers: Closers, around: Environment): Promise<DemoPlace> {
  const root = await realpath(await mkdtemp(join(await shortTemporaryFolder(), 'understudy-')));
  // Lifted last: no cleanup may write elsewhere.
  closers.add(sealTo(root));
  const removeNow = (): void => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeNow);
  closers.add(async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.off('exit', removeNow);
  });
  const [home, temporary] = [join(root, 'u'), join(root, 'tmp')];
  // OpenCode unpacks libraries into the temporary folder and leaves them.
  await mkdir(temporary);
  const ours = {
    UNDERSTUDY_HOME: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    [SEAL_VARIABLE]: root,
  };
  return { root, home, ours, env: { ...sandboxEnvironment(homeFolders(join(root, 'home')), around), ...ours } };
}

/**
 * Returns `/tmp` if a socket below the temporary folder would have too long a name: it would move elsewhere, where a
 * sandboxed OpenCode does not look.
 */
async function shortTemporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir());
  const home = join(folder, 'understudy-123456', 'u');
  const address = socketAddress(home, '');
  return isPipe(address) || dirname(address) === home ? folder : '/tmp';
}
