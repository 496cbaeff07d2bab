import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { checkServer } from '../../../src/features/fleet/node/doctor';
import { findFreePort } from '../../../src/node/opencode';
import { eventually } from '../../support/eventually';
import { canReach, redis } from '../../support/redis';

const PASSWORD = 'a word # and 2 spaces';

/** What the compose file has its server begin with, on a real one that is called as in that image. @returns its port. */
async function beginAsComposed(): Promise<number> {
  if (typeof redis === 'string') throw new Error(redis);
  const text = await readFile(join(import.meta.dirname, '../../../resources/compose/compose.yaml'), 'utf8');
  const { services } = parse(text) as { services: { valkey: { command: string[] } } };
  const [shell = '', option = '', script = ''] = services.valkey.command;
  const folder = await mkdtemp(join(tmpdir(), 'understudy-composed-'));
  await symlink(redis.path, join(folder, 'valkey-server'));
  const port = await findFreePort();
  const own = script.replaceAll('$$', '$').replace('valkey-server', `valkey-server --port ${port} --bind 127.0.0.1`);
  const child = spawn(shell, [option, own], {
    cwd: folder,
    env: {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      REDISCLI_AUTH: PASSWORD,
      ...(redis.libraries ? { LD_LIBRARY_PATH: redis.libraries } : {}),
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    // As `docker compose stop` has it: whoever is told to end is the server itself, and does.
    expect(await ended).toEqual([0, null]);
    await rm(folder, { recursive: true, force: true });
  });
  await eventually(() => canReach(port));
  return port;
}

const identityAt = (port: number, password?: string) => ({
  ...{
    team: 'trial',
    secret: 's'.repeat(43),
    id: '0123456789abcdef',
    name: 'one',
    ignored: [],
    share: [],
    version: null,
  },
  address: { host: '127.0.0.1', port, isTls: false, ...(password === undefined ? {} : { password }) },
});

describe.skipIf(typeof redis === 'string')('given the server of the compose file', () => {
  it('when the doctor looks at it, then it does all that a fleet asks of it, and lets in nobody without the password', async () => {
    const port = await beginAsComposed();
    const [well, none, wrong] = await Promise.all([
      checkServer(identityAt(port, PASSWORD), new Map()),
      checkServer(identityAt(port), new Map()),
      checkServer(identityAt(port, 'another'), new Map()),
    ]);
    expect(well.map(({ isWell }) => isWell)).toEqual([true, true, true, true, true]);
    expect([none, wrong].map((checks) => checks.every(({ isWell }) => isWell))).toEqual([false, false]);
  });
});
