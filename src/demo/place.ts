import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { mkdir, rm, SEAL_VARIABLE, sealTo } from '../node/base/disk';
import { type Environment, isPipe, socketAddress } from '../node/base/state-home';
import { homeFolders, sandboxEnvironment } from '../node/opencode';
import type { Closers } from './closers';

/** The one folder a demo lives in, and that nothing of it writes outside of. */
export type DemoPlace = Readonly<{
  root: string;
  /** State home of this demo's Understudy; the user's own is another. */
  home: string;
  /** What makes an OpenCode in a sandbox of this root a part of the demo: state home, temporary folder, seal. */
  ours: Readonly<Record<string, string>>;
  /** The environment of the demo's own Understudy: the home, the configuration and the data in it are the sandbox's. */
  env: Readonly<Record<string, string>>;
}>;

/**
 * Makes the folder of a demo, and seals this process to it until the demo is closed. Of the user's environment `around`
 * only what names no file of theirs is kept.
 *
 * @throws the system's error.
 */
export async function openPlace(closers: Closers, around: Environment): Promise<DemoPlace> {
  const root = await realpath(await mkdtemp(join(await shortTemporaryFolder(), 'understudy-')));
  // The last that is lifted: nothing on the way out may write elsewhere.
  closers.add(sealTo(root));
  const removeNow = (): void => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeNow);
  closers.add(async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.off('exit', removeNow);
  });
  const [home, temporary] = [join(root, 'u'), join(root, 'tmp')];
  // OpenCode unpacks libraries into the temporary folder and leaves them there.
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
 * The system's temporary folder, or `/tmp` where a socket below it would get too long a name: it would then lie
 * elsewhere, where a sandboxed OpenCode does not look.
 */
async function shortTemporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir());
  const home = join(folder, 'understudy-123456', 'u');
  const address = socketAddress(home, '');
  return isPipe(address) || dirname(address) === home ? folder : '/tmp';
}
