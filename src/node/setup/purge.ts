import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rm } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { logPaths, machineIn, OWN_LINE, OWN_RECORD } from '../base/log-paths';
import { namesOrNone } from '../base/look';
import { MAX_OPENCODE_BYTES, readText } from '../base/read-text';
import { configPaths } from '../config/config-files';
import { hasWritten, listReceipts } from '../config/config-journal';
import { isMade, type SetupPlace } from './install';
import { packageFolders } from './packages';

/** What a purge deletes, and a sentence for each thing that it leaves. */
export type PurgePlan = Readonly<{ paths: readonly string[]; left: readonly string[] }>;

/**
 * Lists what Understudy has put on this computer beside OpenCode's configuration: the state home, the chains of all
 * projects, and its package in OpenCode's caches. A file that a person wrote in, and a folder that a person named, stay.
 */
export async function planPurge({ env, home }: SetupPlace): Promise<PurgePlan> {
  const paths = [...(await packageFolders(env)), ...(await ownLogs(env))];
  const left: string[] = [];
  const receipts = await listReceipts(home);
  for (const path of configPaths(null, env).global.filter((one) => existsSync(one))) {
    if (isMade(path, receipts) && (await hasWritten(home, path))) paths.push(path);
    else left.push(`${path} stays: you have written in it.`);
  }
  if (env.UNDERSTUDY_HOME) left.push(`${home} stays, because UNDERSTUDY_HOME names it: delete it yourself.`);
  else if (existsSync(home)) paths.push(home);
  return { paths, left };
}

/** The logs of fallbacks in OpenCode's folder for data, and what was rotated. A log of that name that another plugin began is not ours. */
async function ownLogs(env: SetupPlace['env']): Promise<readonly string[]> {
  const folder = dirname(logPaths(null, '', machineIn(env)).text);
  const paths = (await namesOrNone(folder)).filter((name) => LOG.test(name)).map((name) => join(folder, name));
  const texts = await Promise.all(paths.map((path) => readText(path, MAX_OPENCODE_BYTES)));
  return paths.filter((_, at) => {
    const read = texts[at];
    return read?.kind === 'text' && (OWN_LINE.test(read.text) || read.text.startsWith(OWN_RECORD));
  });
}

const LOG = /^model-fallback\.(?:log|jsonl)(?:\.\d)?$/;

/** Deletes what a plan lists, and folders of OpenCode's that are empty then. */
export async function purge({ paths }: PurgePlan): Promise<Outcome> {
  try {
    for (const path of paths) await rm(path, { recursive: true, force: true });
    for (const folder of new Set(paths.map(dirname)))
      if (EMPTIED.includes(basename(folder)) && (await namesOrNone(folder)).length === 0)
        await rm(folder, { recursive: true, force: true });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** Folders in OpenCode's own that it makes for packages, and Understudy for logs. */
const EMPTIED: readonly string[] = ['packages', 'npm', 'logs'];
