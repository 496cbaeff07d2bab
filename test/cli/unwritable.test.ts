import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answer, type Handlers } from '../../src/contract/contract';
import { failureText } from '../../src/node/base/failure';
import { tempFolder } from '../node/temp-folder';
import { cliUser } from './real-cli';

const CHAINS = { 'config/opencode/model-fallback.json': '{ "agents": { "build": { "chain": ["a/1", "b/2"] } } }' };
/** A raw message of Node: a code, a colon, and the call. */
const RAW = /\bE[A-Z]{3,}: /;
const REASONS = {
  EACCES: 'is not accessible with your permissions; change them, or choose another folder',
  EBUSY: 'is in use by another program; close that program and try again',
  EDQUOT: 'is over your disk quota; free some space',
  EIO: 'is on a disk that reports an error; check the disk and its connection',
  ENOSPC: 'is on a full disk; free some space',
  EROFS: 'is on a read-only disk; make the disk writable, or choose another folder',
  ESTALE: 'is on a network drive that has lost its connection; connect the drive again',
};

/** A fault as Node reports it. */
const systemError = (code: string, syscall: string, path?: string): Error =>
  Object.assign(new Error(`${code}: raw text, ${syscall}${path === undefined ? '' : ` '${path}'`}`), {
    ...{ code, syscall, errno: -5 },
    ...(path === undefined ? {} : { path }),
  });

/** From now on the system refuses every folder and every file that would be written below this one. */
function refuseBelow(folder: string, code: string): void {
  const { mkdir, open, rename } = fs;
  const refused = (syscall: string, path: unknown): void => {
    if (String(path).startsWith(folder)) throw systemError(code, syscall, String(path));
  };
  Object.assign(fs, {
    mkdir: async (...all: Parameters<typeof mkdir>) => {
      refused('mkdir', all[0]);
      return await mkdir(...all);
    },
    open: async (...all: Parameters<typeof open>) => {
      if (typeof all[1] === 'string' && all[1] !== 'r') refused('open', all[0]);
      return await open(...all);
    },
    rename: async (...all: Parameters<typeof rename>) => {
      refused('rename', all[1]);
      await rename(...all);
    },
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { mkdir, open, rename });
    syncBuiltinESMExports();
  });
}

/** Commands that write to the state folder or to the configuration. */
const WRITING = [
  ['chains', 'set', 'build', 'c/3'],
  ['chains', 'remove', 'build'],
  ['config', 'set', 'history.detailDays', '60'],
  ['install', '--yes'],
  ['fleet', 'join', 'redis://127.0.0.1:9', '--team', 'acme', '--new'],
  ['chains', 'suggest', 'build', '--set-role', 'fixer'],
  ['config', 'trust', '--revoke'],
  ['data', 'bug-report'],
];

describe.each(Object.entries(REASONS))('given a disk that reports %s', (code, reason) => {
  it('when 8 commands write, then each refusal is one sentence with path, reason and remedy', async () => {
    const user = await cliUser(CHAINS);
    const root = dirname(user.home);
    refuseBelow(root, code);
    const refusals = [];
    for (const args of WRITING) {
      const { code: exit, said } = await user.run(args);
      expect(said, args.join(' ')).not.toMatch(RAW);
      if (exit !== 0 && said.includes(reason)) refusals.push(said);
    }
    expect(refusals[0]).toMatch(new RegExp(`~/\\S+ ${reason} \\(${code}\\)`));
    expect(refusals.length).toBeGreaterThanOrEqual(2);
  });

  it('when a handler of the panel throws it, then the refusal is that sentence; of an open file as well', async () => {
    const thrown = (error: Error) => ({ 'snapshot.get': () => Promise.reject(error) }) as unknown as Handlers;
    const refusal = async (error: Error) => (await answer(thrown(error), 'snapshot.get', null)) as { reason: string };
    const [named, open] = [systemError(code, 'mkdir', '/disk/u'), systemError(code, 'write')];
    expect((await refusal(named)).reason).toBe(`/disk/u ${reason} (${code})`);
    expect((await refusal(open)).reason).toBe(`The file ${reason} (${code})`);
    expect(failureText(systemError(code, 'open', '/disk/.x.1.0a.tmp'), '/disk/x')).toBe(`/disk/x ${reason} (${code})`);
  });
});

describe('given a state folder on a read-only disk', () => {
  it('when a chain is set, then the refusal names the folder, the reason and the remedy, and nothing changes', async ({
    skip,
  }) => {
    const disk = await tempFolder();
    const run = promisify(execFile);
    const isMade = await run('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k', 'tmpfs', disk]).then(
      () => true,
      () => false,
    );
    if (!isMade) return skip('no disk can be made here');
    onTestFinished(async () => void (await run('umount', ['-l', disk])));
    const user = await cliUser(CHAINS);
    for (const home of [join(disk, 'u'), join(disk, 'a', 'u')]) {
      const env = { ...user.env, UNDERSTUDY_HOME: home };
      const { code, said } = await user.run(['chains', 'set', 'build', 'c/3'], { env });
      const first = join(disk, home === join(disk, 'u') ? 'u' : 'a');
      expect([code, said]).toEqual([1, `~/config/opencode/model-fallback.json: ${first} ${REASONS.EROFS} (EROFS).`]);
    }
  });
});

describe('given errors that are no fault of the disk', () => {
  it('when a connection, a program or a plain error fails, then its own message stays', () => {
    const plain = new Error('no chain is there');
    const all = [systemError('ENOENT', 'connect', '/s'), systemError('EACCES', 'spawn opencode'), plain];
    expect(all.map((error) => failureText(error))).toEqual(all.map(({ message }) => message));
  });
});
