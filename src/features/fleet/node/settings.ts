import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { FleetPreferences } from '../../../contract/preferences';
import type { Outcome } from '../../../node/base/failure';
import { ensurePrivateFolder, readPrivateFile } from '../../../node/base/private-folder';
import { readText } from '../../../node/base/read-text';
import { ensureToken } from '../../../node/base/token';
import { readPreferences } from '../../../node/config/preferences';
import type { FleetMarks } from '../../../node/data/account-books';
import type { Missing } from '../contract/fleet';
import type { FleetIdentity } from './link';
import { accountMark, secretMark } from './seal';

/** Never sent to the server. */
export const fleetSecretPath = (home: string): string => join(home, 'fleet-secret');
/** Used if no environment variable is configured. */
export const fleetPasswordPath = (home: string): string => join(home, 'fleet-password');
const idPath = (home: string): string => join(home, 'fleet-id');

const SECRET_SHAPE = /^[\w-]{32,200}$/;
const ID_DIGITS = 16;
const MAX_BYTES = 1_000;
/** Fits all certificates of a system. */
const CA_MAX_BYTES = 1_000_000;
const DEFAULT_PORT = 6_379;

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const isSecret = (text: string): boolean => SECRET_SHAPE.test(text);

export type FleetFound =
  | Readonly<{ kind: 'off' }>
  | Readonly<{ kind: 'unready'; missing: Missing }>
  | Readonly<{ kind: 'ready'; identity: FleetIdentity; marks: FleetMarks }>;

export const isUnread = (found: Readonly<{ kind: string; missing?: Missing }>): boolean =>
  found.missing?.what === 'preferences';

/** Never rejects. */
export async function readFleet(home: string, env: NodeJS.ProcessEnv, version: string): Promise<FleetFound> {
  const { preferences, problem } = await readPreferences(home);
  if (problem !== null) return unready({ what: 'preferences', why: problem });
  return await fleetOf(preferences.fleet, { home, env, version });
}

export async function fleetOf(
  { url, team, name, username, passwordEnv, ca, ignored, share }: FleetPreferences,
  { home, env, version }: Readonly<{ home: string; env: NodeJS.ProcessEnv; version: string }>,
): Promise<FleetFound> {
  if (url === null) return { kind: 'off' };
  if (team === '') return unready({ what: 'team' });
  const at = fleetSecretPath(home);
  const secret = await readPrivateFile(at, MAX_BYTES);
  if (!secret.ok)
    return unready({ what: secret.code === 'missing' ? 'secret' : 'secretUnread', team, at, why: secret.reason });
  const text = secret.text.trim();
  if (!isSecret(text)) return unready({ what: 'secretOdd', at });
  const password = await passwordOf(passwordEnv, { home, env });
  if ('what' in password) return unready(password);
  const id = await ensureId(home);
  if (!id.ok) return unready({ what: 'id', why: id.reason });
  const { hostname, port, protocol } = new URL(url);
  const isTls = protocol === 'rediss:';
  const authority = await authorityOf(isTls ? ca : null);
  if ('what' in authority) return unready(authority);
  const address = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || DEFAULT_PORT),
    isTls,
    ...(authority.text === null ? {} : { ca: authority.text }),
    ...(username === null ? {} : { username }),
    ...(password.text === null ? {} : { password: password.text }),
  };
  return {
    kind: 'ready',
    identity: {
      team,
      secret: text,
      version,
      id: id.text,
      name: name || `machine-${id.text.slice(0, 4)}`,
      address,
      ignored,
      share,
    },
    marks: { by: secretMark(text), markOf: (account) => accountMark(text, account) },
  };
}

type Lack = Pick<Missing, 'what'> & Partial<Missing>;
const unready = (lack: Lack): FleetFound => ({ kind: 'unready', missing: { team: '', at: '', why: '', ...lack } });

type Read = Readonly<{ text: string | null }> | Lack;

async function passwordOf(
  variable: string | null,
  { home, env }: Readonly<{ home: string; env: NodeJS.ProcessEnv }>,
): Promise<Read> {
  if (variable !== null) {
    const { [variable]: text } = env;
    return text ? { text } : { what: 'variable', at: variable };
  }
  const file = await readPrivateFile(fleetPasswordPath(home), MAX_BYTES);
  if (file.ok) return { text: file.text.trim() };
  return file.code === 'missing' ? { text: null } : { what: 'passwordUnread', why: file.reason };
}

/** The first entry must be a certificate. */
async function authorityOf(path: string | null): Promise<Read> {
  if (path === null) return { text: null };
  const file = await readText(path, CA_MAX_BYTES);
  if (file.kind === 'missing') return { what: 'authority', at: path };
  if (file.kind === 'unreadable') return { what: 'authorityUnread', at: path, why: file.reason };
  try {
    new X509Certificate(file.text);
    return { text: file.text };
  } catch {
    // silent: the status reports that the file is no certificate
    return { what: 'certificate', at: path };
  }
}

/** Random, so that it reveals nothing about the machine. */
async function ensureId(home: string): Promise<Outcome<{ text: string }>> {
  const folder = await ensurePrivateFolder(home);
  if (!folder.ok) return folder;
  const drawn = await ensureToken(home, idPath(home));
  return drawn.ok
    ? { ok: true, text: createHash('sha256').update(drawn.token).digest('hex').slice(0, ID_DIGITS) }
    : drawn;
}
