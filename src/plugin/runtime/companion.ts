import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { countAs, countTogether, type InternalErrors, internalErrors } from '../../core/base/internal-errors';
import { createKindReader, type KindReader } from '../../core/base/kind-reader';
import {
  type ConfigProblem,
  DEFAULTS,
  EVERY_PROVIDER,
  type HostModels,
  NO_HOST,
  type ResolvedScope,
  resolveScope,
  sourcesInOrder,
} from '../../core/config';
import { type AskedWhom, type ReadWindows, windowsIn, windowsInEvent } from '../../core/headroom/read-windows';
import { createUsageBook, type UsageBook } from '../../core/history/usage';
import { builtInProviderMaps } from '../../core/providers/built-in-providers';
import { accountSent } from '../../core/providers/credential';
import { mergeMaps } from '../../core/providers/providers';
import { createWaitReader, type WaitReader } from '../../core/providers/wait-reader';
import { providerOf, unaccounted } from '../../engine';
import { serverTime } from '../../engine/tools';
import { heedCouncils } from '../../features/council/plugin/talking';
import { type CompanionFleet, joinAsCompanion } from '../../features/fleet/plugin/fleet';
import { nodeClock } from '../../node/base/clock';
import { isAppointed } from '../../node/base/council-runs';
import { keepModels } from '../../node/base/kept-models';
import { stateHome } from '../../node/base/state-home';
import { keptPaths } from '../../node/config/config-files';
import { STILL_COUNTS } from '../../node/config/config-part';
import { type LoadedConfig, openConfig } from '../../node/config/config-reader';
import { type AccountBooks, openAccountBooks } from '../../node/data/account-books';
import { type StoredErrorsOf, storeErrors } from '../../node/data/internal-errors-file';
import { clearLeftovers } from '../../node/data/leftovers';
import { buildOf } from '../../node/setup/host-abilities';
import { markUsed } from '../../node/setup/parts-folder';
import type { KeptConnection } from '../../node/socket/keep-connected';
import { type Brain, createBrain } from '../base/brain';
import { counting, countingNow } from '../base/counting';
import { type Budgets, keepBudgets } from '../stores/budgets';
import { type FallbackLogs, openFallbackLogs } from '../stores/fallback-logs';
import { openSessionReports, type SessionReports } from '../stores/session-reports';
import { type Sharing, shareHealth } from '../stores/shared-health';
import { createSpendBook, type SpendBook } from '../stores/spend';
import { createTitles, type Titles } from '../stores/titles';
import { createUnknownHeaders, type UnknownHeaders } from '../stores/unknown-headers';
import { type FirstTokens, watchFirstTokens } from './first-tokens';
import type { Asked, Companion, Host, Limits, RunDrill } from './host';
import { linkToApp } from './link';
import { giveNotices } from './notices';
import { openSelfCheck, type SelfCheck } from './self-check';
import { trackUserPrompts, type UserPrompts } from './user-prompts';

declare const __UNDERSTUDY_VERSION__: string;
const VERSION = typeof __UNDERSTUDY_VERSION__ === 'string' ? __UNDERSTUDY_VERSION__ : '0.0.0';

/** State of all directories: health belongs to the user, not to a project. */
type Process = Readonly<{
  instance: string;
  brain: Brain;
  usage: UsageBook;
  spend: SpendBook;
  budgets: Budgets;
  sharing: Sharing;
  fleet: CompanionFleet;
  accounts: Promise<AccountBooks>;
  selfCheck: SelfCheck;
  logs: FallbackLogs;
  reports: SessionReports;
  titles: Titles;
  headers: UnknownHeaders;
  firstTokens: FirstTokens;
  userPrompts: UserPrompts;
  drills: Map<string, RunDrill>;
  readers: Map<string, Set<() => void>>;
  /** Newest last: only the newest host of a directory shows notices. */
  serving: Map<string, Host[]>;
  errors: StoredErrorsOf;
  counted: InternalErrors;
}>;

/** Maximum age within a turn of other processes' news, and of the configuration. */
const [NEWS_MS, LOOK_MS] = [250, 1_000];

const PASSING_THROUGH =
  'Understudy had five internal errors within a minute and stays inactive until you restart OpenCode. Run "understudy doctor" to see the reason.';

/** OpenCode 2 loads this file again for each location. */
const processes = globalThis as unknown as Record<symbol, Process | undefined>;

function processCompanion(host: Host): Process {
  const key = Symbol.for(`understudy ${VERSION} ${stateHome()}`);
  const existing = processes[key];
  const shared = existing ? completed(existing) : openProcess(host);
  processes[key] = shared;
  countTogether(shared.counted);
  return shared;
}

/** An earlier build of this version may lack these fields. */
const completed = (process: Process): Process => {
  const { firstTokens, userPrompts, readers, brain }: Partial<Process> & Pick<Process, 'brain'> = process;
  if (firstTokens && userPrompts && readers) return process;
  return {
    ...process,
    firstTokens: firstTokens ?? watchFirstTokens(brain),
    userPrompts: userPrompts ?? trackUserPrompts(brain),
    readers: readers ?? new Map(),
  };
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the wiring
function openProcess(host: Host): Process {
  const epoch = randomBytes(6).toString('hex');
  const instance = `${process.pid}-${epoch}`;
  const brain = createBrain(undefined, undefined, epoch);
  const home = stateHome();
  const errors = storeErrors(home, { role: 'companion', version: VERSION });
  const serving: Process['serving'] = new Map();
  brain.breaker.onOpen(({ place }) => {
    const newest = [...serving.values()].flat().at(-1) ?? host;
    newest.warn(PASSING_THROUGH);
    errors.passesThrough(place);
  });
  void clearLeftovers(home);
  const sharing = shareHealth(brain, { home, warn: host.warn });
  const accounts = openAccountBooks(home, host.warn);
  const fleet = joinAsCompanion({ brain, books: accounts, version: VERSION, onEnded: sharing.ended, warn: host.warn });
  const drills: Process['drills'] = new Map();
  const readers: Process['readers'] = new Map();
  const titles = createTitles();
  const headers = createUnknownHeaders();
  let connection: KeptConnection | null = null;
  const version = host.version();
  // Do not wait: the link gets earlier entries from the journal.
  void version
    .then((opencode) => {
      connection = linkToApp(
        { brain, sharing, fleet, drills, readers, titles, headers, heedCouncils },
        { instance, epoch, pid: process.pid, opencode, plugin: VERSION },
        { refused: once(host.warn), unsendable: once(host.warn) },
      );
    })
    .catch(countAs('link'));
  markUsed(import.meta.url, home);
  const build = buildOf(fileURLToPath(import.meta.url), process.execPath);
  // Sessions of a council are shielded from the effects that a check looks for.
  const selfCheck = openSelfCheck({ home, plugin: VERSION, version, build, tell: host.warn, isApart: isAppointed() });
  const usage = createUsageBook();
  const spend = createSpendBook();
  const budgets = keepBudgets(brain, { home, instance, spendOf: spend.next, warn: host.warn });
  brain.onEntry(({ event }) => {
    // Flush before the process exits with the turn, or its cost is lost.
    if (event.type === 'session.idle') void budgets.flush().then(fleet.flush);
    if (event.type !== 'usage.recorded') return;
    usage.add({ ...event, position: null });
    spend.add(event);
  });
  const logs = openFallbackLogs(brain, host.warn);
  const reports = openSessionReports(brain, {
    version: VERSION,
    env: process.env,
    schedule: nodeClock().schedule,
    hasApp: () => (connection?.link() ?? null) !== null,
    warn: host.warn,
  });
  return {
    instance,
    brain,
    usage,
    spend,
    budgets,
    sharing,
    fleet,
    accounts,
    selfCheck,
    logs,
    reports,
    titles,
    headers,
    drills,
    readers,
    serving,
    errors,
    firstTokens: watchFirstTokens(brain),
    userPrompts: trackUserPrompts(brain),
    counted: internalErrors(),
  };
}

/** A retrying sender would repeat the message every few seconds. */
function once(warn: (message: string) => void): (message: string) => void {
  let hasWarned = false;
  return (message) => {
    if (!hasWarned) warn(message);
    hasWarned = true;
  };
}

/** Opens one directory. Without a valid configuration OpenCode works unchanged. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export async function openCompanion(host: Host): Promise<Companion> {
  const { instance, brain, usage, spend, sharing, selfCheck, logs, reports, titles, drills, serving, ...shared } =
    processCompanion(host);
  let isOpen = true;
  const [reader, accounts] = await Promise.all([openConfig(keptPaths(host.directory, stateHome())), shared.accounts]);
  let models: HostModels = NO_HOST;
  let resolved: ResolvedScope | null = null;
  let toldConfig: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let refreshedAt = lookedAt;
  let toldProblem = '';
  let readKind: KindReader = () => null;
  let readWait: WaitReader = () => null;

  let drill: RunDrill | null = null;
  let keeping = Promise.resolve();
  let isSettled = false;
  const { breaker } = brain;
  const isArmedNow = (): boolean => isArmed(resolved) && !breaker.isOpen();

  const apply = (): void => {
    const loaded = reader.loaded();
    const { maps: userMaps } = loaded;
    const scope = resolveScope(loaded.sources, models);
    resolved = hasConfig(loaded) ? scope : null;
    const users = scope.ownWordsOnly ? userMaps.own : userMaps.maps;
    const maps = () => mergeMaps(builtInProviderMaps(), users);
    logs.follow(host.directory, scope.config.enabled && scope.logging.isEnabled ? scope.logging : null);
    reports.follow(host.directory, resolved?.triage ?? null);
    shared.budgets.follow(host.directory, scope.repriced);
    // For sessions titled before titles were allowed.
    if (titles.allow(host.directory, scope.showsTitles) && scope.showsTitles)
      void host.titles?.().then((found) => titles.note(host.directory, found));
    readKind = createKindReader(maps, scope.patterns);
    readWait = createWaitReader(maps, () => Intl.DateTimeFormat().resolvedOptions().timeZone);
    const problem = errorText(scope.problems) || (userMaps.problems[0] ?? '');
    if (problem !== '' && problem !== toldProblem) host.warn(problem);
    toldProblem = problem;
    const hasOwnWords = users.length > userMaps.own.length;
    const apart = hasOwnWords ? [EVERY_PROVIDER] : scope.apart;
    // If the project influences all health, accounts make no difference.
    const others = apart.includes(EVERY_PROVIDER) ? {} : accounts.booksOf(host.directory);
    const own = bookOf(loaded.name ?? host.directory);
    const books = { ...others, ...Object.fromEntries(apart.map((provider) => [provider, own])) };
    const withBooks = Object.keys(books).length === 0 ? scope.config : { ...scope.config, books };
    // Also unconfigured or with the breaker open: the panel shows such projects and offers chains.
    const config = resolved && !breaker.isOpen() ? withBooks : { ...scope.config, enabled: false };
    const text = JSON.stringify(config);
    if (text === toldConfig) return;
    toldConfig = text;
    brain.tell({ type: 'scope.configured', directory: host.directory, config });
  };

  const readNow = (): void =>
    void counting('config.look', async () => {
      if (!breaker.isOpen() && (await reader.refresh()) && isOpen) apply();
    });
  const readers = shared.readers.get(host.directory) ?? new Set();
  shared.readers.set(host.directory, readers.add(readNow));

  reader.onLater(() => {
    if (isOpen) apply();
  });
  const endBreaker = breaker.onOpen(() => {
    if (isOpen && toldConfig !== null) apply();
  });

  // Unconfigured directories read the partitions later.
  const endBooks = accounts.follow(host.directory, () => {
    if (toldConfig !== null) apply();
  });

  const tellLimits = ({ attempt, model }: Asked, read: (request: AskedWhom) => ReadWindows): void => {
    if (resolved?.config.headroom?.act === 'off' || !isArmedNow()) return;
    const provider = unaccounted(providerOf(model));
    // An error in headers must not fail the request.
    const { windows, unknown } = countingNow('limits.read', () => read({ provider, seenAt: Date.now() })) ?? {
      windows: [],
      unknown: [],
    };
    shared.headers.note(provider, unknown);
    if (windows.length > 0) brain.tell({ type: 'headroom.seen', attempt, directory: host.directory, model, windows });
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
    firstTokens: shared.firstTokens,
    userPrompts: shared.userPrompts,
    selfCheck,
    configure({ listing, isKept = false, ...next }) {
      models = next;
      apply();
      if (next.models && !isKept) keeping = keepModels(stateHome(), host.directory, { ...next, listing });
      if (next.catalogue) shared.budgets.list(host.directory, next.catalogue);
      // OpenCode responds once it lists its models.
      if (next.models && !isSettled && host.stepsOf) {
        const { stepsOf } = host;
        void counting('budgets.settle', () => shared.budgets.settleLost(host.directory, stepsOf));
      }
      isSettled ||= next.models !== undefined;
      // Loaded early, so that the first switch does not wait.
      if (isArmed(resolved)) setImmediate(builtInProviderMaps).unref();
    },
    async refresh(isTurns = false) {
      if (breaker.isOpen()) return false;
      shared.fleet.refresh();
      const now = brain.now();
      if (isTurns && now - refreshedAt < NEWS_MS) return isArmedNow();
      const others = [sharing.refresh(), accounts.refresh(), shared.budgets.refresh()];
      const isFresh = isTurns && now - lookedAt < LOOK_MS;
      const [isChanged] = await Promise.all([isFresh ? false : reader.refresh(), ...others]);
      if (!isFresh) lookedAt = now;
      refreshedAt = now;
      if (isChanged && isOpen) apply();
      return isArmedNow();
    },
    isArmed: isArmedNow,
    noteAsked(model, sent) {
      const account = accountSent(sent);
      if (account === null) return undefined;
      const isNew = accounts.noteAsked(host.directory, providerOf(model), account);
      return isNew ? shared.fleet.meet() : undefined;
    },
    named({ model, agent }, evidence) {
      if (evidence.observed) return evidence;
      const provider = providerOf(model);
      const seen = { seenAt: Date.now(), ...evidence };
      const hintMs = seen.hintMs ?? readWait(provider, seen);
      return { ...seen, ...(hintMs === null ? {} : { hintMs }), ...readKind(provider, seen, agent) };
    },
    heardLimits: (request, headers) =>
      tellLimits(request, (whom) => {
        const all = [...headers];
        const [, date] = all.find(([name]) => name.toLowerCase() === 'date') ?? [];
        return windowsIn(all, { ...whom, seenAt: serverTime(date, whom.seenAt) });
      }),
    heardLimitsIn: (request, event) => tellLimits(request, (whom) => windowsInEvent(event, whom)),
    spendOf: spend.next,
    limits: (): Limits => ({
      firstTokenTimeoutMs: resolved?.firstTokenTimeoutMs ?? DEFAULTS.firstTokenTimeoutMs,
      stallTimeoutMs: resolved?.stallTimeoutMs ?? DEFAULTS.stallTimeoutMs,
    }),
    titled: (session, title) => titles.note(host.directory, [{ session, title }]),
    onDrill(run) {
      drill = run;
      drills.set(host.directory, run);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      endNotices();
      endBreaker();
      endBooks();
      readers.delete(readNow);
      hosts.splice(hosts.indexOf(host), 1);
      // A newer instance of the directory may have replaced it.
      if (drills.get(host.directory) === drill) drills.delete(host.directory);
      const isLast = hosts.length === 0;
      if (isLast) {
        brain.tell({ type: 'scope.closed', directory: host.directory });
        titles.allow(host.directory, false);
        logs.follow(host.directory, null);
        shared.budgets.follow(host.directory, null);
      }
      const left = isLast ? reports.leave(host.directory) : undefined;
      // The fleet reads spending from the ledger.
      const spent = shared.budgets.flush().then(shared.fleet.flush);
      await Promise.all([left, logs.flush(), sharing.flush(), spent, keeping, shared.errors.flush()]);
    },
  };
}

const bookOf = (place: string): string => createHash('sha256').update(place).digest('hex').slice(0, 12);

const hasConfig = ({ sources }: LoadedConfig): boolean => sourcesInOrder(sources).some(({ config }) => config !== null);

const isArmed = (resolved: ResolvedScope | null): boolean => resolved?.config.enabled === true;

/** Warned about: a chain does not work as written. */
const NOTABLE: readonly ConfigProblem['code'][] = ['model.unknown', 'account.unknown', 'project.late'];

/** Empty if nothing is broken. */
function errorText(problems: readonly ConfigProblem[]): string {
  const notable = problems.find(({ code }) => NOTABLE.includes(code));
  const broken = problems.find((problem) => problem.severity === 'error');
  if (!broken)
    return notable?.code === 'project.late' ? `${notable.path}: ${notable.message}` : (notable?.message ?? '');
  const place = [broken.path, broken.line, broken.column].filter((part) => part !== null).join(':');
  const isKept = broken.message.endsWith(STILL_COUNTS);
  return `${place}: ${broken.message}${isKept ? '' : ' This file is ignored until it is fixed.'}`;
}
