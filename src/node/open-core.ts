import { join } from 'node:path';
import * as z from 'zod';
import type { Handlers, PanelHost, PushData, PushName, QueryName } from '../contract';
import { answer, NO_FLEET, pushes, queries } from '../contract';
import { listen } from '../core/base/listen';
import { LogRecord } from '../core/base/record';
import { type Companion, type Core, createCore } from '../core/core';
import type { RankingPort } from '../core/ports/ranking';
import { liveFigures, liveHistory } from '../core/ranking/live';
import type { AppMessage, Hello } from '../protocol';
import { PLAYS_COUNCIL, PROTOCOL_VERSION, VIEWER_LINE_BYTES } from '../protocol';
import { writeFileAtomic } from './base/atomic-file';
import { nodeClock } from './base/clock';
import { rm } from './base/disk';
import { failureText } from './base/failure';
import { isAlive } from './base/is-alive';
import { readPrivateJson } from './base/private-folder';
import { shippedBeside } from './base/shipped';
import { ensureSocketFolder, ensureStateHome, socketAddress, stateHome } from './base/state-home';
import { ensureToken, readToken } from './base/token';
import { inTime } from './base/within';
import { watchConfig } from './config/config-rows';
import { keepingIn, openPreferences, readKeeping } from './config/preferences';
import { openLaterDesk } from './council/later-desk';
import { openTalks, type Talks } from './council/talks';
import { seeBudgets } from './data/budgets-seen';
import { createData } from './data/data';
import { openEventLog } from './data/event-log';
import { learnedFrom } from './data/health-file';
import { keepHealth } from './data/health-keeper';
import { clearLeftovers } from './data/leftovers';
import { readOnDisk } from './data/on-disk';
import { logPath } from './data/own-data';
import { writeSessionReports } from './data/session-reports';
import { keepStatusLine } from './data/status-line';
import { joinAsApp } from './fleet/app-fleet';
import type { KeptFleet } from './fleet/keep-fleet';
import { createDemoChild } from './opencode/demo-child';
import { createModelProbe } from './opencode/model-probe';
import { createRankingPort } from './ranking/port';
import { updateCompanion } from './setup/install';
import { seeMoves } from './setup/moves-seen';
import { createSetup } from './setup/setup';
import type { AppLink } from './socket/app-link';
import { type Asker, createAsker } from './socket/asker';
import { latest } from './socket/latest';
import type { Peer } from './socket/peer';
import { connectToApp } from './socket/socket-client';
import { listenForPeers } from './socket/socket-server';
import { openStore, storePath } from './store/open-store';
import { noBook } from './store/ranking-book';

export type OpenOptions = Readonly<{
  version: string;
  runtime: string;
  env: NodeJS.ProcessEnv;
  /** The built companion, when it does not lie beside this program. */
  companion?: string;
  /** What runs the command line, when it does not lie beside this program. */
  commandLine?: readonly [string, ...string[]];
  /** This core is the demo's own: it asks no model outside, and has no demo beside it. */
  isDemo?: boolean;
  /** Nobody speaks to the demo's core but a recording. */
  isRecorded?: boolean;
}>;

/** The core of this user, in this process or in another. */
export type OpenedCore = Readonly<{
  /** `owner`: this process is the core. `viewer`: another process holds the socket, `host` speaks to it. */
  role: 'owner' | 'viewer';
  host: PanelHost;
  /** URL of a panel that another process already serves, when known and alive. */
  otherPanelUrl: string | null;
  /** Publishes the URL of the panel this process serves, for later shells; removed on close. */
  announcePanel(url: string): Promise<void>;
  /** The machine may have slept. */
  woken(): void;
  /** A newer version lies ready to be started: people are told once. */
  updateReady(version: string): void;
  /** Whether a newer version wrote the history, so that it is only shown. */
  isReadOnly: boolean;
  close(): Promise<void>;
}>;

/**
 * Opens the core of this user, or attaches to the one that already runs.
 *
 * @throws Error with a message for people when neither is possible.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the wiring: what is opened, in the order in which it must be
export async function openCore(options: OpenOptions): Promise<OpenedCore> {
  const home = stateHome(options.env);
  const prepared = await prepare(home);
  const { news } = await readOnDisk(home);
  const log = openEventLog<LogRecord>({
    path: logPath(home),
    parse: (value) => LogRecord.safeParse(value).data ?? null,
    onWritten: (written) => core?.written(written),
    onLost: (records) => core?.givenUp(records),
    onFault: (error) =>
      core?.noteHistory(`${logPath(home)} cannot be written: ${failureText(error)}. It is kept, and tried again.`),
    onRecovered: (lost) =>
      core?.noteHistory(
        `${logPath(home)} is written again. ${lost === 0 ? 'Nothing was lost.' : `The oldest ${lost} of what waited is lost.`}`,
      ),
  });
  let core: Core | null = null;
  let fleet: KeptFleet | null = null;
  const talks = openTalks();
  const early: Peer[] = [];
  const listening = await listenForPeers({
    address: prepared.address,
    token: prepared.token,
    onPeer: (peer) =>
      core && fleet ? serve(core, peer, { version: options.version, talks, lease: fleet.lease }) : early.push(peer),
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
  // Whoever holds the socket is the one writer of both.
  const { keeping, notice: unread } = await readKeeping(home);
  const tell = (told: string): void => core?.noteHistory(told);
  const { store, notice, isNewer } = await openStore({ path: storePath(home), beforeWrite: log.flush, keeping, tell });
  const { records } = await log.readAll();
  const { version, runtime, env, isDemo = false, isRecorded = false } = options;
  const shipped = { ...shippedBeside(import.meta.dirname), ...options };
  const demo = createDemoChild({ commandLine: shipped.commandLine, env });
  const place = { env, home, source: shipped.companion };
  // Of what cannot be written the setup says that it is another.
  await updateCompanion({ ...place, directory: null });
  const setup = createSetup({ ...place, tell });
  let kept = keeping;
  const preferences = openPreferences(home, (now) => {
    kept = keepingIn(now);
    store?.keepAs(kept);
    void fleet?.reread();
  });
  const settle = async (): Promise<string | null> => {
    const kept = await inTime(log.flush(), SETTLE_MS, LATE);
    return kept.ok ? null : kept.reason;
  };
  const clock = nodeClock();
  const data = createData({ home, env: options.env, log, store, why: notice, keeping: () => kept });
  const probe = isDemo ? {} : { probe: createModelProbe(env) };
  const book = store?.ranking ?? noBook(notice ?? 'No history is kept.');
  const live: RankingPort['live'] = async (agent, sinceMs) =>
    store === null
      ? new Map()
      : liveFigures((await liveHistory({ agent, sinceMs, untilMs: clock.wall() }, { store, clock })).rows);
  const ranking = createRankingPort({ ...place, book, live, ...probe });
  // The demo plays its own, and none of the user's.
  const council = isDemo ? null : openLaterDesk({ home, env, companion: shipped.companion, version, talk: talks.ask });
  const opened = createCore(
    {
      ...{ clock, log: { ...log, settle }, store, setup, preferences, data, ranking, random: Math.random },
      ...probe,
      ...(isDemo ? {} : { demo }),
      ...(council ? { council } : {}),
      fleet: { status: () => fleet?.status() ?? NO_FLEET },
      onStep: (_, { type }) => {
        if (type !== 'fleet.heard') fleet?.look();
      },
    },
    { version, runtime, ...(isDemo ? { isDemo } : {}), ...(isRecorded ? { isRecorded } : {}) },
  );
  opened.replay(records);
  // Who found it out and lives on tells it all again, and it would count twice.
  const isLearned = news !== null && !news.by.some(isAlive);
  if (isLearned) opened.learned(learnedFrom(news, clock));
  // Until the log has it, the file it was learned from is all that has.
  const mayReplace = async (): Promise<boolean> => !isLearned || (await log.flush()).ok;
  for (const told of [unread, notice]) if (told !== null) opened.noteHistory(told);
  core = opened;
  const tellUsed = { budgets: opened.toldBudgets, limits: opened.toldCounted };
  const budgets = seeBudgets(opened.host, { home, env, clock }, tellUsed);
  fleet = joinAsApp(opened, { home, env, clock, version, onMoney: budgets.look });
  const asked = { version, talks, lease: fleet.lease };
  for (const peer of early) serve(opened, peer, asked);
  const config = watchConfig(opened, options.env);
  const health = keepHealth(opened, { home, clock, mayReplace, warn: (message) => opened.noteHistory(message) });
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
      await council?.close();
      fleet?.close();
      moves.close();
      await budgets.close();
      await line.close();
      await health.close();
      opened.dispose();
      await Promise.all([listening.close(), config.close(), retract(home), demo.close()]);
      await written();
      await store?.close();
      await log.close();
    },
  };
}

/** How long a person waits to hear that what they did is on the disk, in ms. */
const SETTLE_MS = 2_000;
const LATE = { ok: false, reason: `the disk has not answered within ${SETTLE_MS / 1_000} s` } as const;

/** What the system refuses at the start is most often a disk without room, or a folder that may only be read. */
const unwritableText = (home: string): string =>
  `Understudy writes to ${home}: see that the disk has room and the folder is yours to write, or choose another UNDERSTUDY_HOME.`;

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

type Serving = Readonly<{
  version: string;
  talks: Talks;
  /** Whether this machine may make the one probe of a model, of all machines that share its account. */
  lease: KeptFleet['lease'];
}>;

/** Serves one accepted peer until it leaves. */
function serve(core: Core, peer: Peer, { version, talks, lease }: Serving): void {
  const who = peer.hello.peer;
  if (who.role !== 'companion') {
    serveViewer(core, peer, version);
    return;
  }
  const talking = talks.join({ pid: who.pid, takes: who.takes, send: peer.send });
  if (who.takes?.includes(PLAYS_COUNCIL)) peer.send(welcome(version, null));
  else serveCompanion(core, peer, { version, who, lease });
  peer.onMessage(talking.hear);
  peer.onClose(talking.left);
}

const welcome = (version: string, haveSeq: number | null): AppMessage => ({
  type: 'welcome',
  protocol: PROTOCOL_VERSION,
  app: version,
  haveSeq,
  takesTitles: true,
  takesHeadroom: true,
  takesCounted: true,
});

function serveCompanion(
  core: Core,
  peer: Peer,
  about: Readonly<{ version: string; who: Companion; lease: KeptFleet['lease'] }>,
): void {
  const { instance, epoch, pid, opencode, plugin } = about.who;
  peer.send(welcome(about.version, core.connected({ instance, epoch, pid, opencode, plugin })));
  const sync = (): void => {
    if (core.isBehind(instance)) peer.send({ type: 'sync', ...core.syncFor(instance) } as AppMessage);
  };
  let ackSeq: number | null = null;
  const acknowledge = (): void => {
    const seq = core.keptOf(instance);
    if (seq === null || seq === ackSeq) return;
    ackSeq = seq;
    peer.send({ type: 'acknowledged', seq });
  };
  const grant = async ({ id, model }: Readonly<{ id: string; model: string }>): Promise<void> => {
    // Other machines first: what is granted here keeps everybody else of this machine from it.
    const granted = (await about.lease(model)) && core.lease(instance, model);
    peer.send({ type: 'lease.answer', id, granted });
  };
  acknowledge();
  const stops = [
    core.onWritten(acknowledge),
    core.onHealth(sync),
    core.onAct((event) => void peer.send({ type: 'act', event })),
    core.drills.onAsk(({ instance: to, ...asked }) => {
      if (to === instance) peer.send({ type: 'drill.ask', ...asked });
    }),
  ];
  peer.onMessage((message) => {
    if (message.type === 'event') core.told(instance, message);
    if (message.type === 'session.titles') core.titled(message);
    if (message.type === 'headers.unknown') core.toldHeaders(message);
    if (message.type === 'synced') core.taken(instance, message.rev);
    if (message.type === 'drill.answer') core.drills.ended(instance, message.id, message.outcome);
    if (message.type === 'lease.request') void grant(message);
  });
  peer.onClose(() => {
    for (const stop of stops) stop();
    core.lost(instance);
  });
}

/** Bytes a viewer may be behind before it misses snapshots; it gets the newest of those once it has read what came before. */
const VIEWER_BEHIND_BYTES = 1_048_576;

const tooLongText = (reason: string): string =>
  `The answer is too long to be sent to another program: ${reason}. The panel of the running Understudy shows it.`;

function serveViewer(core: Core, peer: Peer, version: string): void {
  peer.send(welcome(version, null));
  const snapshots = latest<unknown>({
    intervalMs: 0,
    isReady: () => peer.queuedBytes() < VIEWER_BEHIND_BYTES,
    send: (data) => peer.send({ type: 'push', name: 'snapshot', data }),
  });
  const stop = core.host.subscribe((name, data) => {
    if (name === 'snapshot') snapshots.offer(data);
    else peer.send({ type: 'push', name, data });
  });
  peer.onDrained(snapshots.poke);
  peer.onMessage((message) => {
    if (message.type !== 'ask') return;
    void answer(core.host.handlers, message.name, message.input).then((result) => {
      const id = message.id;
      if (!result.ok) return peer.send({ type: 'answer', id, ok: false, reason: result.reason.slice(0, 500) });
      const sent = peer.send({ type: 'answer', id, ok: true, value: result.value });
      // Whoever asked waits for a word.
      return sent.ok ? sent : peer.send({ type: 'answer', id, ok: false, reason: tooLongText(sent.reason) });
    });
  });
  peer.onClose(() => {
    stop();
    snapshots.close();
  });
}

/** Attaches to the running core as a viewer; null when none runs. */
export async function attachCore(options: OpenOptions): Promise<OpenedCore | null> {
  const home = stateHome(options.env);
  const hello: Hello['peer'] = { role: 'viewer', name: options.runtime, lineBytes: VIEWER_LINE_BYTES };
  const result = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello,
    keepsProcessAlive: true,
    limits: { maxLineBytes: VIEWER_LINE_BYTES },
  });
  if (!result.ok) {
    if (result.code === 'absent') return null;
    throw new Error(result.message);
  }
  return viewerOf(result.link, await announcedUrl(home), home);
}

/** Handlers that ask the core, and check what it says as the core checks what it is asked. */
function relayed(ask: Asker): Handlers {
  const handlers = Object.entries(queries).map(([name, { output }]) => [
    name,
    async (input: unknown) => output.parse(await ask(name as QueryName, input)),
  ]);
  // The one cast: TypeScript cannot tie a looped name to its own handler; the schemas check both sides.
  return Object.fromEntries(handlers) as Handlers;
}

function viewerOf(link: AppLink, otherPanelUrl: string | null, home: string): OpenedCore {
  const listeners = new Set<<P extends PushName>(name: P, data: PushData<P>) => void>();
  const hearPush = (name: string, data: unknown): void => {
    if (!Object.hasOwn(pushes, name)) return;
    const known = name as PushName;
    const parsed = pushes[known].safeParse(data);
    if (parsed.success) for (const listener of listeners) listener(known, parsed.data);
  };
  const ask = createAsker(link);
  link.onMessage((message) => {
    if (message.type === 'push') hearPush(message.name, message.data);
  });
  let announced = false;
  return {
    role: 'viewer',
    otherPanelUrl,
    host: {
      handlers: relayed(ask),
      subscribe: (listener) => listen(listeners, listener),
    },
    // Sleep, notices and history are the owner's.
    woken: () => {},
    updateReady: () => {},
    isReadOnly: false,
    async announcePanel(url) {
      announced = true;
      await announce(home, url);
    },
    async close() {
      link.close();
      if (announced) await retract(home);
    },
  };
}

const panelFile = (home: string): string => join(home, 'panel.json');

async function announce(home: string, url: string): Promise<void> {
  const written = await writeFileAtomic(panelFile(home), JSON.stringify({ url, pid: process.pid }));
  if (!written.ok) throw new Error(written.reason);
}

/** Takes back our own announcement, never another process's. */
async function retract(home: string): Promise<void> {
  const announced = await readAnnouncement(home);
  if (announced?.pid === process.pid) await rm(panelFile(home), { force: true });
}

const Announcement = z.object({ url: z.string(), pid: z.int().positive() });
const ANNOUNCEMENT_BYTES = 10_000;

const readAnnouncement = (home: string): Promise<z.infer<typeof Announcement> | null> =>
  readPrivateJson(panelFile(home), ANNOUNCEMENT_BYTES, Announcement);

/** The announced panel, if its process still lives. */
async function announcedUrl(home: string): Promise<string | null> {
  const announced = await readAnnouncement(home);
  if (!announced || announced.pid === process.pid) return null;
  try {
    process.kill(announced.pid, 0);
    return announced.url;
  } catch {
    return null;
  }
}
