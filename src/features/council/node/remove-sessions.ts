import { randomBytes } from 'node:crypto';
import { failureText, type Outcome } from '../../../node/base/failure';
import { type Environment, variablesOf } from '../../../node/base/state-home';
import { generationOf, type OpencodeBinary } from '../../../node/opencode/binary';
import { startServing } from '../../../node/opencode/server';
import { readJournal } from './journal';
import { emptyFolder, makeEmpty } from './run-folder';

const NOT_FOUND = 404;

async function sessionsOf(home: string, run: string): Promise<readonly string[]> {
  const opened = (await readJournal(home, run)).flatMap(({ event }) =>
    event.type === 'session.opened' ? [event.session] : [],
  );
  return [...new Set(opened)];
}

type Removing = Readonly<{ home: string; run: string; binary: OpencodeBinary; env: Environment }>;

/** @returns a refusal if a session remains. */
export async function removeSessions({ home, run, binary, env }: Removing): Promise<Outcome<{ removed: number }>> {
  const sessions = await sessionsOf(home, run);
  if (sessions.length === 0) return { ok: true, removed: 0 };
  const directory = emptyFolder(home, run);
  const password = randomBytes(24).toString('base64url');
  try {
    await makeEmpty(directory);
    const { child, url, headers } = await startServing({
      binary,
      sandbox: { directory, env: variablesOf(env) },
      // The generations use different names.
      env: { OPENCODE_PASSWORD: password, OPENCODE_SERVER_PASSWORD: password, PWD: directory },
    });
    try {
      const path = generationOf(binary) === 1 ? '/session' : '/api/session';
      for (const session of sessions) {
        const answer = await fetch(`${url}${path}/${session}`, { method: 'DELETE', headers });
        await answer.arrayBuffer();
        if (!answer.ok && answer.status !== NOT_FOUND)
          return { ok: false, reason: `OpenCode returned ${answer.status} when deleting ${session}` };
      }
      return { ok: true, removed: sessions.length };
    } finally {
      await child.stop();
    }
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}
