import { isAbsolute } from 'node:path';
import type { Outcome } from '../../../node/base/failure';
import type { Environment } from '../../../node/base/state-home';
import { findIn, pathFolders } from '../../../node/opencode/binary';

export async function findGit(env: Environment): Promise<Outcome<{ git: string }>> {
  const [git] = await findIn(pathFolders(env).filter(isAbsolute), ['git']);
  if (git !== undefined) return { ok: true, git };
  return { ok: false, reason: 'A council needs git to read repositories, but there is none on the PATH. Install git.' };
}
