import { LogRecord } from '../core/base/record';
import { type Core, createCore } from '../core/core';
import { exportHealth } from '../engine/tools';
import { openLazyCouncilService } from '../features/council/node/lazy-service';
import { openTalks } from '../features/council/node/talks';
import { NO_FLEET } from '../features/fleet/contract/no-fleet';
import { joinAsApp } from '../features/fleet/node/app-fleet';
import type { KeptFleet } from '../features/fleet/node/keep-fleet';
import { createRankingDesk } from '../features/ranking/core/desk';
import { liveFigures, liveHistory } from '../features/ranking/core/live';
import type { RankingPort } from '../features/ranking/core/port';
import { createRankingPort } from '../features/ranking/node/port';
import { noBook, rankingBook } from '../features/ranking/node/ranking-book';
import { announce, retract } from './announced-panel';
import { attachCore, type OpenedCore } from './attach-core';
import { nodeClock } from './base/clock';
import { failureText } from './base/failure';
import { isAlive } from './base/is-alive';
import { shippedBeside } from './base/shipped';
import { ensureSocketFolder, ensureStateHome, socketAddress, stateHome } from './base/state-home';
import { ensureToken } from './base/token';
import { inTime } from './base/within';
import { openConfigChanges } from './config/config-changes';
import { watchConfig } from './config/config-rows';
import { keepingIn, openPreferences, readKeeping } from './config/preferences';
import { seeBudgets } from './data/budgets-seen';
import { createData } from './data/data';
import { openEventLog } from './data/event-log';
import { learnedFrom, withCountsOf } from './data/health-file';
import { keepHealth } from './data/health-keeper';
import { storeErrors } from './data/internal-errors-file';
import { clearLeftovers } from './data/leftovers';
import { readOnDisk } from './data/on-disk';
import { logPath } from './data/own-data';
import { writeSessionReports } from './data/session-reports';
import { keepStatusLine } from './data/status-line';
import { createDemoChild } from './opencode/demo-child';
import { createModelProbe } from './opencode/model-probe';
import { servePeer } from './serve-peers';
import { updateCompanion } from './setup/companion-files';
import { seeMoves } from './setup/moves-seen';
import { createSetup } from './setup/setup';
import type { Peer } from './socket/peer';
import { listenForPeers } from './socket/socket-server';
import { openStore, storePath } from './store/open-store';

export type OpenOptions = Readonly<{
  version: string;
  runtime: string;
  env: NodeJS.ProcessEnv;
  /** Default: beside this program. */
  companion?: string;
  /** Default: beside this program. */
  commandLine?: readonly [string, ...string[]];
  /** Calls no external model and starts no demo. */
  isDemo?: boolean;
  /** Only a recording connects to the demo's core. */
  isRecorded?: boolean;
}>;

/** Attaches to a running core. @throws Error with a message for people. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the wiring: what is opened, in the order in which it must be
export async function openCore(options: OpenOptions): Promise<OpenedCore> {
  const home = stateHome(options.env);
  const prepared = await prepare(home);
  const errors = storeErrors(home, { role: 'app', version: options.version });
  const { news } = await readOnDisk(home);
  const log = openEventLog<LogRecord>({
    path: logPath(home),
    parse: (value) => LogRecord.safeParse(value).data ?? null,
    onWritten: (written) => core?.written(written),
    onLost: (records) => core?.givenUp(records),
    onFault: (error) =>
      core?.noteHistory(
        `${logPath(home)} cannot be written: ${failureText(error)}. Records wait in memory and are retried.`,
      ),
    onRecovered: (lost) =>
      core?.noteHistory(
        `${logPath(home)} is written again. ${lost === 0 ? 'No record was lost.' : `The oldest ${lost} waiting records were lost.`}`,
      ),
  });
  let core: Core | null = null;
  let fleet: KeptFleet | null = null;
  let isClosing = false;
  let health: ReturnType<typeof keepHealth> | null = null;
  const talks = openTalks();
  const configChanges = openConfigChanges();
  const early: Peer[] = [];
  const serving = ({ lease }: KeptFleet) => ({
    version: options.version,
    talks,
    configChanges,
    lease,
    isClosing: () => isClosing,
  });
  const listening = await listenForPeers({
    address: prepared.address,
    token: prepared.token,
    onPeer: (peer) => (core && fleet ? servePeer(core, peer, serving(fleet)) : early.push(peer)),
    onIncompatible: ({ peer }) => core?.incompatible(peer?.role === 'companion' ? peer : null),
  });
  if (!listening.ok) {
    await log.close();
    if (listening.reason === 'failed') throw new Error(`${listening.message}. ${unwritableText(home)}`);
    if (listening.reason !== 'taken') throw new Error(listening.message);
    const attached = await attachCore(options);
    if (attached) return attached;
    throw new Error('Another Understudy is starting. Try again in a moment.');
  }
  await clearLeftovers(home);
  // The owner of the socket is the only writer of both.
  const { keeping, notice: unread } = await readKeeping(home);
  const tell = (message: string): void => core?.noteHistory(message);
  const { store, notice, isNewer } = await openStore({ path: storePath(home), beforeWrite: log.flush, keeping, tell });
  const { records, quarantined } = await log.readAll();
  const movedText = (aside: string): string =>
    `The event log was damaged. It was moved to ${aside}; ${logPath(home)} continues with the readable part.`;
  const { version, runtime, env, isDemo = false, isRecorded = false } = options;
  const shipped = { ...shippedBeside(import.meta.dirname), ...options };
  const demo = createDemoChild({ commandLine: shipped.commandLine, env });
  const place = { env, home, source: shipped.companion };
  // If this fails, the setup reports a companion of another version.
  await updateCompanion(place);
  const setup = createSetup({ ...place, tell });
  let retention = keeping;
  const preferences = openPreferences(home, (now) => {
    retention = keepingIn(now);
    store?.keepAs(retention);
    void fleet?.reread();
  });
  const settle = async (): Promise<string | null> => {
    const flushed = await inTime(log.flush(), SETTLE_MS, LATE);
    return flushed.ok ? null : flushed.reason;
  };
  const clock = nodeClock();
  const data = createData({ home, env: options.env, log, store, why: notice, keeping: () => retention });
  const probe = isDemo ? {} : { probe: createModelProbe(env) };
  const book = store ? rankingBook(store.file) : noBook(notice ?? 'No history is stored.');
  const live: RankingPort['live'] = async (agent, sinceMs) =>
    store === null
      ? new Map()
      : liveFigures((await liveHistory({ agent, sinceMs, untilMs: clock.wall() }, { store, clock })).rows);
  const port = createRankingPort({ ...place, book, live, ...probe });
  // The demo has its own councils.
  const council = isDemo
    ? null
    : openLazyCouncilService({ home, env, companion: shipped.companion, version, talk: talks.ask });
  const opened = createCore(
    {
      clock,
      log: { ...log, settle },
      store,
      setup,
      preferences,
      data,
      random: Math.random,
      ranking: (clock) => createRankingDesk({ port, ...clock }),
      ...probe,
      ...(isDemo ? {} : { demo }),
      ...(council ? { council } : {}),
      fleet: { status: () => fleet?.status() ?? NO_FLEET },
      onStep(before, { type }) {
        if (type === 'fleet.heard') health?.heard(before);
        else fleet?.look();
      },
    },
    { version, runtime, ...(isDemo ? { isDemo } : {}), ...(isRecorded ? { isRecorded } : {}) },
  );
  opened.replay(records);
  if (news !== null) {
    const learned = learnedFrom(news, clock);
    const own = () => exportHealth(opened.state(), clock.now());
    // A live process reports again what the log lacks, which would count twice.
    opened.learned(news.by.some(isAlive) ? withCountsOf(own(), learned) : learned);
  }
  // Keep the health file until the event log holds its contents.
  const mayReplace = async (): Promise<boolean> => news === null || (await log.flush()).ok;
  for (const report of [unread, ...quarantined.map(movedText), notice]) if (report !== null) opened.noteHistory(report);
  core = opened;
  const tellUsed = { budgets: opened.toldBudgets, limits: opened.toldCounted };
  const budgets = seeBudgets(opened.host, { home, env, clock }, tellUsed);
  fleet = joinAsApp(opened, { home, env, clock, version, onMoney: budgets.look });
  for (const peer of early) servePeer(opened, peer, serving(fleet));
  const config = watchConfig(opened, options.env, { onChange: configChanges.tell });
  health = keepHealth(opened, { home, clock, mayReplace, warn: (message) => opened.noteHistory(message) });
  const moves = seeMoves(opened, { home, clock });
  const line = keepStatusLine(opened.host, { home, clock });
  const written = writeSessionReports(opened, {
    triageOf: config.triageOf,
    env: options.env,
    home,
    wall: clock.wall,
    settle: async () => {
      opened.flush();
      await store?.flush();
    },
  });
  return {
    role: 'owner',
    host: core.host,
    otherPanelUrl: null,
    announcePanel: (url) => announce(home, url),
    woken: opened.woken,
    updateReady: opened.updateReady,
    isReadOnly: isNewer,
    async close() {
      isClosing = true;
      await council?.close();
      fleet?.close();
      moves.close();
      await budgets.close();
      await line.close();
      await health?.close();
      opened.dispose();
      await Promise.all([listening.close(), config.close(), retract(home), demo.close()]);
      await written();
      await store?.close();
      await log.close();
      await errors.flush();
    },
  };
}

/** A person waits for the disk. */
const SETTLE_MS = 2_000;
const LATE = { ok: false, reason: `the disk did not respond within ${SETTLE_MS / 1_000} s` } as const;

const unwritableText = (home: string): string =>
  `Check that the disk has free space and that you may write to ${home}, or choose another UNDERSTUDY_HOME.`;

async function prepare(home: string): Promise<Readonly<{ address: string; token: string }>> {
  const place = await ensureStateHome(home);
  if (!place.ok) throw new Error(place.reason);
  const token = await ensureToken(home);
  if (!token.ok) throw new Error(token.reason);
  const address = socketAddress(home, token.token);
  const folder = await ensureSocketFolder(address);
  if (!folder.ok) throw new Error(folder.reason);
  return { address, token: token.token };
}
