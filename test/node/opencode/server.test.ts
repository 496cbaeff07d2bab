import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, runOpencode, type Sandbox, startOpencode } from '../../../src/node/opencode';

/** Node stands in for OpenCode: `node serve …` runs the project's file called "serve". */
const binary = { path: process.execPath, version: '0.0.0' };

const roots: string[] = [];

async function sandboxWithServer(program: string, name = 'serve'): Promise<Sandbox> {
  const root = await mkdtemp(join(tmpdir(), 'understudy-server-'));
  roots.push(root);
  return createSandbox({ root, git: false, files: { [name]: program } });
}

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true });
});

/** True while a process with this id exists. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('given a server that ends at its start', () => {
  it('when it is started, then the error carries the exit code and the last output', async () => {
    const sandbox = await sandboxWithServer('console.error("no such database"); process.exit(3);');

    await expect(startOpencode({ binary, sandbox })).rejects.toThrow(/exit 3[\s\S]*no such database/);
  });
});

describe('given a port that another process takes before the server listens', () => {
  it('when the server ends, then it is started on another port', async () => {
    const sandbox = await sandboxWithServer(`
      const { existsSync, writeFileSync } = require('node:fs');
      const { spawn } = require('node:child_process');
      const port = Number(process.argv.at(-1));
      if (existsSync('taken')) {
        console.log('listening on http://127.0.0.1:' + port);
        setInterval(() => {}, 1000);
      } else {
        const program = "require('node:net').createServer().listen(" + port + ", '127.0.0.1', () => console.log('taken'))";
        const other = spawn(process.execPath, ['-e', program], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
        other.stdout.once('data', () => {
          writeFileSync('taken', JSON.stringify({ pid: other.pid, port }));
          process.exit(1);
        });
      }
    `);
    const server = await startOpencode({ binary, sandbox });
    const taken = JSON.parse(await readFile(join(sandbox.directory, 'taken'), 'utf8'));
    process.kill(taken.pid, 'SIGKILL');
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:(2\d|3[012])\d{3}$/);
    expect(server.url).not.toContain(`:${taken.port}`);
    await server.stop();
  });
});

describe('given a server that never says that it listens', () => {
  it('when the limit of 1 s is over, then the error carries the limit and the last output', async () => {
    const sandbox = await sandboxWithServer('console.log("still warming up"); setInterval(() => {}, 1000);');

    await expect(startOpencode({ binary, sandbox, startLimitMs: 1_000 })).rejects.toThrow(
      /within 1 s[\s\S]*still warming up/,
    );
  });

  it('when the start is given up, then it rejects with the reason given', async () => {
    const sandbox = await sandboxWithServer('setInterval(() => {}, 1000);');
    const giveUp = new AbortController();
    const start = startOpencode({ binary, sandbox, signal: giveUp.signal });

    giveUp.abort(new Error('the user left'));

    await expect(start).rejects.toThrow('the user left');
  });
});

describe('given a run that ends', () => {
  it('when it has printed its answer, then that and its exit code are returned', async () => {
    const sandbox = await sandboxWithServer('console.log(process.argv.slice(2).join()); process.exit(4);', 'run');
    const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory: sandbox.directory, args: ['a', 'b'] });
    expect([exitCode, stdout]).toEqual([4, 'a,b\n']);
  });
});

describe('given a command that does not exist', () => {
  it('when it is started, then the error names it', async () => {
    const sandbox = await sandboxWithServer('');
    const missing = { path: join(sandbox.root, 'missing-opencode'), version: '0.0.0' };

    await expect(startOpencode({ binary: missing, sandbox })).rejects.toThrow('missing-opencode');
  });
});

describe.skipIf(process.platform === 'win32')('given a server that started a process of its own', () => {
  it('when it is stopped, then both are gone', async () => {
    const sandbox = await sandboxWithServer(`
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log('child ' + child.pid);
      console.log('listening on http://127.0.0.1:1');
    `);
    const server = await startOpencode({ binary, sandbox });
    const childPid = Number(/child (\d+)/.exec(server.stdout())?.[1]);
    expect(isAlive(childPid)).toBe(true);

    const exit = await server.stop(200);

    expect({ exit, server: isAlive(server.pid) }).toEqual({
      exit: { exitCode: null, signal: 'SIGKILL' },
      server: false,
    });
    // The orphan is reaped by init a moment after it was killed.
    await expect.poll(() => isAlive(childPid)).toBe(false);
  });
});
