import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const hasOpenssl: boolean = await execute('openssl', ['version']).then(
  () => true,
  () => false,
);
if (!hasOpenssl) console.warn('The tests of encrypted connections are left out: there is no openssl');

export type Certificates = Readonly<{ ca: string; cert: string; key: string; readCa(): Promise<string> }>;

/**
 * Creates an authority and a server certificate.
 * @param names subject names in OpenSSL syntax. @param days validity.
 */
export async function drawCertificates(
  onDone: (clear: () => Promise<void>) => void,
  { names = 'IP:127.0.0.1', days = 2 }: Readonly<{ names?: string; days?: number }> = {},
): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-tls-'));
  onDone(() => rm(folder, { recursive: true, force: true }));
  const run = (command: string): Promise<unknown> => execute('openssl', command.split(' '), { cwd: folder });
  const drawn = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await writeFile(join(folder, 'names'), `subjectAltName=${names}`);
  await run(`req -x509 ${drawn} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority`);
  await run(`req ${drawn} -keyout server.key -out server.csr -subj /CN=server`);
  const signed = '-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names';
  await run(`x509 -req -in server.csr ${signed} -days ${days} -out server.pem`);
  const ca = join(folder, 'ca.pem');
  return {
    ...{ ca, cert: join(folder, 'server.pem'), key: join(folder, 'server.key') },
    readCa: () => readFile(ca, 'utf8'),
  };
}

export const encryptedBy = ({ cert, key }: Certificates): readonly string[] => [
  ...['--tls-cert-file', cert],
  ...['--tls-key-file', key],
  ...['--tls-auth-clients', 'no'],
];
