import { basename } from 'node:path';
import { type ConfigSources, type HostModels, mergedConfig, NO_HOST, resolveScope } from '../../../core/config';
import { isTakenOut } from '../../../engine/tools';
import { failureText, type Outcome } from '../../../node/base/failure';
import { keptModels, latestModels } from '../../../node/base/kept-models';
import { statOrNull } from '../../../node/base/look';
import type { Environment } from '../../../node/base/state-home';
import { configPaths } from '../../../node/config/config-files';
import { loadConfig } from '../../../node/config/config-reader';
import { type Found, openHealthFile } from '../../../node/data/health-file';
import { councilSettings } from '../core/settings';
import { type Settings, type Speaker, settingsWithout } from '../rules/base/settings';
import type { Hero } from '../rules/cast/heroes';
import { defaultPartyOf, rosterFor } from '../rules/cast/roster';
import { type Estimate, estimate } from '../rules/money/estimate';
import { type Address, readAddress } from '../rules/process/address';
import { type Input, isAddress, route } from '../rules/process/route';
import { cleanText } from '../rules/said/clean';
import type { RunSetup } from '../rules/state/events';
import { type Fetching, withClone } from './clone';
import { type Copied, copyRepository, overviewOf } from './copy';
import { findGit } from './git';
import { openJournal } from './journal';
import {
  cloneFolder,
  copyFolder,
  createRun,
  emptyFolder,
  nameRun,
  type Place,
  removeOldRuns,
  removeRun,
  takeRun,
} from './run-folder';

export type Wanted = Readonly<{
  input: Input;
  directory: string;
  env: Environment;
  home: string;
  /** The requesting session; null starts an OpenCode. */
  askedIn: string | null;
  models?: HostModels;
  maxCost?: number;
}>;

export type Plan = Readonly<{
  wanted: Wanted;
  /** May hold a login: never stored, displayed or logged. */
  address: Address | null;
  settings: Settings;
  roster: readonly Hero[];
  estimate: Estimate;
  resets: RunSetup['resets'];
  leftOut: readonly Speaker[];
  hasMetrics: boolean;
}>;

/** Writes nothing and calls no model. */
export async function planRun(wanted: Wanted): Promise<Outcome<{ plan: Plan }>> {
  const { input, directory, env, home, maxCost } = wanted;
  const address = addressIn(input);
  const refused = await objectionTo(input, env);
  if (refused !== null) return { ok: false, reason: refused };
  const played = route(input);
  if (played === null) return { ok: false, reason: NOTHING_ASKED };
  if (input.isDeep && played.cast === 'heroes') return { ok: false, reason: NOT_DEEPER };
  const { sources } = await loadConfig(configPaths(directory, env));
  const hostModels = wanted.models ?? (await keptModels(home, directory)) ?? (await latestModels(home));
  // Only the user decides which models may read the code, so a project's chains are ignored.
  const { config } = resolveScope({ global: sources.global, project: null }, hostModels ?? NO_HOST);
  const wrong = problemsIn(sources);
  if (wrong.length > 0) return { ok: false, reason: wrong.join('\n') };
  const section = mergedConfig(sources).council;
  const made = councilSettings(section, {
    catalogue: hostModels?.catalogue ?? {},
    models: hostModels?.models ?? null,
    defaultModel: hostModels?.defaultModel ?? null,
    chains: Object.values(config.agents).flatMap(({ chain }) => chain),
  });
  if ('problems' in made) return { ok: false, reason: made.problems.join('\n') };
  const found = await openHealthFile(home, () => undefined).news();
  const taken = new Map(found?.words?.manual);
  const isOut = (model: string): boolean => isTakenOut(taken.get(model), Date.now());
  const { settings: left, leftOut } = settingsWithout(made.settings, isOut);
  if (left === null)
    return {
      ok: false,
      reason: `No speaker is available. On hold: ${leftOut.map(({ model }) => model).join(', ')}.`,
    };
  const settings = maxCost === undefined ? left : { ...left, maxCost };
  return {
    ok: true,
    plan: {
      wanted: address === null ? wanted : { ...wanted, input: { ...input, repo: address.url } },
      address,
      settings,
      roster: rosterFor(played.cast, made.heroes),
      estimate: estimate(
        settings,
        { party: defaultPartyOf(played.cast).length, process: played.process, hasRepository: input.repo !== null },
        hostModels?.catalogue ?? {},
      ),
      resets: resetsOf(found, settings),
      leftOut,
      hasMetrics: section?.observability?.enable_metrics === true,
    },
  };
}

/** Without the section `council`, other models would read the repository than intended. */
function problemsIn({ global }: ConfigSources): readonly string[] {
  const problems = (global?.problems ?? []).filter(
    ({ severity, message }) => severity === 'error' || /\bcouncil\b/.test(message),
  );
  return problems.map(({ path, line, column, message }) => {
    const place = [path, line, column].filter((part) => part !== null).join(':');
    return `${place}: ${message}`;
  });
}

const NOTHING_ASKED = 'Name a repository, such as --repo ., or describe a problem.';

const NOT_DEEPER = '--deep applies only to a problem. Add one, or omit --deep.';

async function objectionTo(input: Input, env: Environment): Promise<string | null> {
  if (input.repo === null) return null;
  if (isAddress(input.repo)) return await objectionToAddress(input.repo, env);
  const info = await statOrNull(input.repo);
  if (info === null) return `There is no folder ${input.repo}.`;
  if (!info.isDirectory()) return `${input.repo} is not a folder. Name the folder that contains it.`;
  return await gitObjection(env);
}

async function objectionToAddress(repo: string, env: Environment): Promise<string | null> {
  const read = readAddress(repo);
  return 'problem' in read ? read.problem : await gitObjection(env);
}

async function gitObjection(env: Environment): Promise<string | null> {
  const found = await findGit(env);
  return found.ok ? null : found.reason;
}

function addressIn({ repo }: Input): Address | null {
  const read = repo !== null && isAddress(repo) ? readAddress(repo) : null;
  return read !== null && 'address' in read ? read.address : null;
}

/** Limits of all processes, in Unix ms. Sends no request. */
function resetsOf(found: Found | null, { speakers }: Settings): RunSetup['resets'] {
  const limits = new Map(found?.health.models.map(([model, { limit }]) => [model, limit]));
  return Object.fromEntries(
    speakers.flatMap(({ name, model }) => {
      const limit = limits.get(model);
      return limit?.source === 'provider' ? [[name, limit.until] as const] : [];
    }),
  );
}

export type Making = Pick<Fetching, 'signal' | 'onBytes' | 'limits'> &
  Readonly<{
    /** Called before anything is copied or fetched. */
    onNamed?(run: string): void;
  }>;

export async function makeRun(plan: Plan, making: Making = {}): Promise<Outcome<{ place: Place }>> {
  const { wanted, settings, roster, resets, hasMetrics, address } = plan;
  const { home, input, directory, askedIn } = wanted;
  const now = new Date();
  await removeOldRuns(home, now.getTime());
  const run = nameRun(now, Math.random());
  const isOwn = askedIn === null;
  const repo = input.repo === null ? null : copyFolder(home, run);
  const place: Place = {
    v: 1,
    run,
    repo,
    source: input.repo,
    isOwn,
    askedIn,
    hasMetrics,
    createdAt: now.getTime(),
    directory: isOwn ? emptyFolder(home, run) : directory,
  };
  try {
    const made = await createRun(home, place);
    if (!made.ok) return made;
    making.onNamed?.(run);
    const copied = repo === null || input.repo === null ? null : await copyOf(plan, run, making);
    const isEmpty = copied?.ok === true && copied.files.length === 0;
    const isStopped = making.signal?.aborted === true;
    if (copied?.ok === false || isEmpty || isStopped) {
      await removeRun(home, run);
      if (copied?.ok === false) return copied;
      return { ok: false, reason: isStopped ? STOPPED : `There are no readable files in ${input.repo}.` };
    }
    const journal = await openJournal(home, run);
    const name = address?.name ?? (input.repo && basename(input.repo));
    const setup: RunSetup = {
      run,
      settings,
      roster,
      resets,
      overview: overviewOf(copied?.files ?? []),
      secrets: copied?.secrets.slice(0, SECRETS_MAX),
      // Name only, not the folder.
      input: { ...input, problem: input.problem && cleanText(input.problem), repo: name },
    };
    await journal.append({ v: 1, at: now.getTime(), event: { type: 'run.begun', setup } });
    await journal.close();
    return { ok: true, place };
  } catch (error) {
    await removeRun(home, run);
    return { ok: false, reason: `The run could not be started: ${failureText(error)}.` };
  }
}

const SECRETS_MAX = 200;
const STOPPED = 'It was stopped. Nothing was started.';

/** Holds the run, because cleanup skips taken runs. */
async function copyOf({ wanted, address }: Plan, run: string, making: Making): Promise<Outcome<Copied>> {
  const { home, input, env } = wanted;
  const copy = copyFolder(home, run);
  const taken = await takeRun(home, run);
  if (!taken.ok) return taken;
  try {
    const copying = { ...making, env };
    if (address === null) return await copyRepository(input.repo ?? '', copy, copying);
    const folder = cloneFolder(home, run);
    return await withClone({ ...copying, address, folder }, (files) => copyRepository(files, copy, copying));
  } finally {
    await taken.release();
  }
}
