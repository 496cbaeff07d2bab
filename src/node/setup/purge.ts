import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rm, rmdir } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { logPaths, OWN_LINE, OWN_RECORD } from '../base/log-paths';
import { namesOrNone } from '../base/look';
import { MAX_COMPARED_BYTES, readBytes } from '../base/read-text';
import { type Environment, machineIn, stateHome } from '../base/state-home';
import { configPaths } from '../config/config-files';
import { hasWritten, listReceipts, type Receipt } from '../config/config-journal';
import { openCodeFiles, type SetupPlace } from './install';
import { cacheFolders, packageFolders } from './packages';

/** `left`: why a path stays. */
export type PurgePlan = Readonly<{ paths: readonly string[]; left: readonly string[] }>;

/** Leaves files with foreign changes and folders that a person named. */
export async function planPurge(place: SetupPlace): Promise<PurgePlan> {
  const { env, home } = place;
  const paths = [...(await packageFolders(env)), ...(await ownLogs(env))];
  const left: string[] = [];
  const receipts = await listReceipts(home);
  const own = configPaths(null, env).global;
  for (const path of own.filter((one) => existsSync(one))) {
    if (isUnmixed(path, receipts) && (await hasWritten(home, path))) paths.push(path);
    else left.push(`${path} stays: it has changes that Understudy did not make.`);
  }
  const global = [...own, ...openCodeFiles(place)];
  for (const path of new Set(receipts.map((receipt) => receipt.path)))
    if (!global.includes(path) && existsSync(path)) left.push(`${path} stays: Understudy wrote in it for a project.`);
  if (!existsSync(home)) return { paths, left };
  if (home === stateHome({ ...env, UNDERSTUDY_HOME: undefined })) paths.push(home);
  else left.push(`${home} stays, because UNDERSTUDY_HOME names it: delete it yourself.`);
  return { paths, left };
}

/** @param receipts latest first. */
function isUnmixed(path: string, receipts: readonly Receipt[]): boolean {
  const own = receipts.filter((receipt) => receipt.path === path);
  const made = own.findIndex(({ before }) => before === null);
  return made >= 0 && own.slice(0, made).every(({ before }, at) => before === own[at + 1]?.after);
}

/** Another plugin may have created a log of that name. */
async function ownLogs(env: Environment): Promise<readonly string[]> {
  const folder = logFolder(env);
  const paths = (await namesOrNone(folder)).filter((name) => LOG.test(name)).map((name) => join(folder, name));
  const beginnings = await Promise.all(
    paths.map(async (path) => {
      const read = await readBytes(path, MAX_COMPARED_BYTES);
      return read.kind === 'bytes' ? read.bytes.toString('utf8', 0, BEGINNING_BYTES) : '';
    }),
  );
  return paths.filter((_, at) => {
    const beginning = beginnings[at] ?? '';
    return OWN_LINE.test(beginning) || beginning.startsWith(OWN_RECORD);
  });
}

const LOG = /^model-fallback\.(?:log|jsonl)(?:\.\d)?$/;
const BEGINNING_BYTES = 100;
const logFolder = (env: Environment): string => dirname(logPaths(null, '', machineIn(env)).text);

export async function purge({ paths }: Pick<PurgePlan, 'paths'>, env: Environment): Promise<Outcome> {
  try {
    for (const path of paths) await rm(path, { recursive: true, force: true });
    const emptied = [...cacheFolders(env), logFolder(env)].filter((folder) =>
      paths.some((path) => dirname(path) === folder),
    );
    // silent: a folder that is not empty stays
    for (const folder of emptied) await rmdir(folder).catch(() => undefined);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}
