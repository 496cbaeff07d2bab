import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { eventually } from './eventually';
import { writeProgram } from './write-program';

const NOBODYS = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' } as const;
const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];

export type Remote = Readonly<{
  path: string;
  git(args: readonly string[], input?: string): string;
}>;

/** Creates a repository of files and links; the callback can change it before the commit. */
export function makeRemote(
  path: string,
  files: Readonly<Record<string, string | Buffer>>,
  links: Readonly<Record<string, string>> = {},
  more: (remote: Remote) => void = () => undefined,
): Remote {
  mkdirSync(path, { recursive: true });
  const remote: Remote = {
    path,
    git: (args, input) =>
      execFileSync('git', [...WHO, ...args], {
        ...{ cwd: path, encoding: 'utf8', input: input ?? '', stdio: ['pipe', 'pipe', 'ignore'] },
        env: { ...process.env, ...NOBODYS },
      }).trim(),
  };
  remote.git(['init', '--quiet', '--initial-branch=main']);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(path, name));
  remote.git(['add', '--all', '--force']);
  more(remote);
  remote.git(['commit', '--quiet', '--allow-empty', '--message', 'Start']);
  return remote;
}

/** Commits a tree that cannot be checked in normally. */
export function commitTree({ git }: Remote, tree: string): void {
  git(['update-ref', 'HEAD', git(['commit-tree', tree, '-m', 'Odd'])]);
}

/**
 * Replaces ssh: runs the remote command with an environment that has nothing of the caller.
 * @param slow writes its process id to that file, passes on about so many bytes, and then hangs.
 * @returns the environment that git needs.
 */
export function sshStandIn(
  folder: string,
  slow: Readonly<{ afterBytes: number; pidFile: string }> | null = null,
): Readonly<Record<string, string>> {
  const program = join(folder, slow === null ? 'ssh' : 'slow-ssh');
  const far = `env -i PATH="$PATH" HOME=/nonexistent sh -c "$last"`;
  const slowly = slow && `${far} | (dd bs=4096 count=${Math.ceil(slow.afterBytes / 4_096)}; sleep 600) 2>/dev/null`;
  const serve = slow === null ? `exec ${far}` : `echo $$ > '${slow.pidFile}'\n${slowly}`;
  writeProgram(program, `#!/bin/sh\nfor last; do :; done\n${serve}\n`);
  return { GIT_SSH_COMMAND: `'${program}'`, GIT_SSH_VARIANT: 'simple' };
}

export const untilReached = (pidFile: string): Promise<number> =>
  eventually(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8'))) as Promise<number>;

export type GitServer = Readonly<{
  url: string;
  env: Readonly<Record<string, string>>;
  requests: readonly string[];
  close(): Promise<void>;
}>;

/** Answers a request with a fault; null leaves it to git. */
export type Instead = (request: IncomingMessage, response: ServerResponse) => 'done' | null;

/** Generated at once; RSA searches for primes. */
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

export const canServe = spawnSync('openssl', ['version']).status === 0;

export async function startGitServer(folder: string, instead: Instead = () => null): Promise<GitServer> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', ...CURVE, '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...named];
  execFileSync('openssl', made, { stdio: 'ignore' });
  const requests: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (instead(request, response) === null) void answer(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    env: { GIT_SSL_CAINFO: cert },
    requests,
    close: () => closed(server),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Answers a request with `git http-backend`. */
async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
  const cgi = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...{ PATH: process.env.PATH, ...NOBODYS, GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: '1' },
      ...{ PATH_INFO: pathname, QUERY_STRING: search.slice(1), REQUEST_METHOD: request.method },
      ...{ CONTENT_TYPE: request.headers['content-type'] ?? '', REMOTE_ADDR: '127.0.0.1' },
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(cgi.stdin);
  cgi.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  cgi.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(cgi, 'close');
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  const headers = all.subarray(0, Math.max(end, 0)).toString().split('\r\n');
  for (const header of headers) {
    const [name = '', value = ''] = header.split(/:\s*/, 2);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else if (name !== '') response.setHeader(name, value);
  }
  response.end(all.subarray(end + 4));
}

/** A PATH folder with git as its only program. */
export function gitFolder(root: string): string {
  const folder = join(root, 'only-git');
  mkdirSync(folder);
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(folder, 'git'));
  return folder;
}
