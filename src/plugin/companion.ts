import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { builtInProviderMaps } from '../core/built-in-providers';
import {
  type ConfigProblem,
  DEFAULTS,
  type HostModels,
  NO_HOST,
  type ResolvedScope,
  resolveScope,
  sourcesInOrder,
} from '../core/config';
import { createKindReader, type KindReader } from '../core/kind-reader';
import { mergeMaps } from '../core/providers';
import { createUsageBook, type UsageBook } from '../core/usage';
import { providerOf } from '../engine';
import { nodeClock } from '../node/clock';
import { configChangedSince, configPaths, type LoadedConfig, loadConfig } from '../node/config-files';
import { buildOf } from '../node/host-abilities';
import type { KeptConnection } from '../node/keep-connected';
import { keepModels } from '../node/kept-models';
import { type LoadedMaps, loadProviderMaps } from '../node/provider-maps';
import { stateHome } from '../node/state-home';
import { type Brain, createBrain } from './brain';
import { type FallbackLogs, openFallbackLogs } from './fallback-logs';
import type { Companion, Host, Limits, RunDrill } from './host';
import { linkToApp } from './link';
import { giveNotices } from './notices';
import { openSelfCheck, type SelfCheck } from './self-check';
import { openSessionReports, type SessionReports } from './session-reports';
import { type Sharing, shareHealth } from './shared-health';

declare const __UNDERSTUDY_VERSION__: string;
const VERSION = typeof __UNDERSTUDY_VERSION__ === 'string' ? __UNDERSTUDY_VERSION__ : '0.0.0';

/** One engine and one link for all directories of this OpenCode process: health is the user's, not a project's. */
type Process = Readonly<{
  instance: string;
  brain: Brain;
  usage: UsageBook;
  sharing: Sharing;
  selfCheck: SelfCheck;
  logs: FallbackLogs;
  reports: SessionReports;
  /** Who makes a drill, by directory. */
  drills: Map<string, RunDrill>;
  /** Who serves each directory, the newest last: where there are two, one of them tells what happens. */
  serving: Map<string, Host[]>;
}>;

/** OpenCode 2 loads this file anew for every location: what a process has once is kept where all of them find it. */
const processes = globalThis as unknown as Record<symbol, Process | undefined>;

function processCompanion(host: Host): Process {
  const key = Symbol.for(`understudy ${VERSION} ${stateHome()}`);
  const shared = processes[key] ?? openProcess(host);
  processes[key] = shared;
  return shared;
}

function openProcess(host: Host): Process {
  const epoch = randomBytes(6).toString('hex');
  const instance = `${process.pid}-${epoch}`;
  const brain = createBrain(undefined, undefined, epoch);
  const home = stateHome();
  const sharing = shareHealth(brain, { home, warn: host.warn });
  const drills: Process['drills'] = new Map();
  let hasWarned = false;
  let kept: KeptConnection | null = null;
  const version = host.version();
  // Nobody waits for the version: what happens before the link stands is handed over with it.
  void version.then(
    (opencode) => {
      kept = linkToApp(
        { brain, sharing, drills },
        { instance, epoch, pid: process.pid, opencode, plugin: VERSION },
        (message) => {
          if (!hasWarned) host.warn(message);
          hasWarned = true;
        },
      );
    },
    () => undefined,
  );
  const build = buildOf(fileURLToPath(import.meta.url), process.execPath);
  const selfCheck = openSelfCheck({ home, plugin: VERSION, version, build, tell: host.warn });
  const usage = createUsageBook();
  brain.onEntry(({ event }) => {
    if (event.type === 'usage.recorded') usage.add({ ...event, position: null });
  });
  const logs = openFallbackLogs(brain, host.warn);
  const reports = openSessionReports(brain, {
    version: VERSION,
    env: process.env,
    schedule: nodeClock().schedule,
    hasApp: () => (kept?.link() ?? null) !== null,
    warn: host.warn,
  });
  return { instance, brain, usage, sharing, selfCheck, logs, reports, drills, serving: new Map() };
}

/** Opens the companion of one directory. A missing or broken configuration leaves OpenCode as it is. */
export async function openCompanion(host: Host): Promise<Companion> {
  const { instance, brain, usage, sharing, selfCheck, logs, reports, drills, serving } = processCompanion(host);
  const paths = configPaths(host.directory);
  let loaded: LoadedConfig = await loadConfig(paths);
  let models: HostModels = NO_HOST;
  let resolved: ResolvedScope | null = null;
  let toldConfig: string | null = null;
  let toldProblem = '';
  let userMaps: LoadedMaps = await loadProviderMaps(paths);
  let readKind: KindReader = () => null;

  let drill: RunDrill | null = null;
  let keeping = Promise.resolve();

  const apply = (): void => {
    const scope = resolveScope(loaded.sources, models);
    resolved = hasConfig(loaded) ? scope : null;
    const maps = scope.ownWordsOnly ? userMaps.own : userMaps.maps;
    logs.follow(host.directory, scope.config.enabled && scope.logging.isEnabled ? scope.logging : null);
    reports.follow(host.directory, resolved?.triage ?? null);
    readKind = createKindReader(() => mergeMaps(builtInProviderMaps(), maps), scope.patterns);
    const problem = errorText(scope.problems) || (userMaps.problems[0] ?? '');
    if (problem !== '' && problem !== toldProblem) host.warn(problem);
    toldProblem = problem;
    const text = JSON.stringify(resolved?.config ?? null);
    // Also of a directory without a configuration: the panel shows which projects are open, and offers them chains.
    if (text === toldConfig) return;
    toldConfig = text;
    const config = resolved?.config ?? { ...scope.config, enabled: false };
    brain.tell({ type: 'scope.configured', directory: host.directory, config });
  };

  const hosts = serving.get(host.directory) ?? [];
  serving.set(host.directory, hosts);
  hosts.push(host);
  const endNotices = giveNotices(brain, {
    directory: host.directory,
    tell: (notice) => {
      if (hosts.at(-1) === host) host.notify(notice);
    },
  });

  return {
    instance,
    brain,
    usage,
    selfCheck,
    configure(next) {
      models = next;
      apply();
      if (next.models) keeping = keepModels(stateHome(), host.directory, next);
      // The maps are checked once, some 15 ms: not in the way of the first switch.
      if (isArmed(resolved)) setImmediate(builtInProviderMaps).unref();
    },
    async refresh() {
      const [isChanged] = await Promise.all([configChangedSince(loaded), sharing.refresh()]);
      if (isChanged) {
        loaded = await loadConfig(paths, loaded);
        userMaps = await loadProviderMaps(paths);
        apply();
      }
      return isArmed(resolved);
    },
    isArmed: () => isArmed(resolved),
    named(model, evidence) {
      const reading = evidence.observed ? null : readKind(providerOf(model), evidence);
      return reading ? { ...evidence, ...reading } : evidence;
    },
    limits: (): Limits => ({
      firstTokenTimeoutMs: resolved?.firstTokenTimeoutMs ?? DEFAULTS.firstTokenTimeoutMs,
      stallTimeoutMs: resolved?.stallTimeoutMs ?? DEFAULTS.stallTimeoutMs,
    }),
    onDrill(run) {
      drill = run;
      drills.set(host.directory, run);
    },
    async close() {
      endNotices();
      hosts.splice(hosts.indexOf(host), 1);
      // A newer instance of the same directory may be there already.
      if (drills.get(host.directory) === drill) drills.delete(host.directory);
      brain.tell({ type: 'scope.closed', directory: host.directory });
      logs.follow(host.directory, null);
      await Promise.all([reports.leave(host.directory), logs.flush(), sharing.flush(), keeping]);
    },
  };
}

const hasConfig = ({ sources }: LoadedConfig): boolean => sourcesInOrder(sources).some(({ config }) => config !== null);

const isArmed = (resolved: ResolvedScope | null): boolean => resolved?.config.enabled === true;

/** The one warning a broken file is worth; smaller problems are the panel's to show. Empty when nothing is broken. */
function errorText(problems: readonly ConfigProblem[]): string {
  const unknown = problems.find((problem) => problem.code === 'model.unknown');
  const broken = problems.find((problem) => problem.severity === 'error');
  if (!broken) return unknown?.message ?? '';
  const place = [broken.path, broken.line, broken.column].filter((part) => part !== null).join(':');
  return `${place}: ${broken.message} This file is not in force until it is mended.`;
}
