import type { PanelHost } from '../contract/contract';
import { registerFeatures } from '../contract/feature-queries';
import type { RequestsSeen } from '../contract/requests-seen';
import type { ConfigRow, InstanceRow, Snapshot } from '../contract/snapshot';
import type { EngineEvent, EngineState } from '../engine';
import { NO_FLEET } from '../features/fleet/contract/no-fleet';
import {
  type CompanionEvent,
  FleetHeard,
  type HeadersUnknown,
  isHeardWindow,
  type RelayedAct,
  type SessionTitles,
} from '../protocol';
import { createBehind } from './acts/behind';
import { createChanges } from './acts/changes';
import { createDrills, type Drills } from './acts/drills';
import { createInstances } from './acts/instances';
import { createPeople } from './acts/people';
import { createProbes } from './acts/probes';
import { createTellers } from './acts/tellers';
import { createTitles } from './acts/titles';
import { createAppActs } from './app-acts';
import type { KindReader } from './base/kind-reader';
import { listen, tellEach } from './base/listen';
import { projectOf } from './base/project';
import type { TakenStep } from './base/projection';
import type { AppEvent, LogRecord } from './base/record';
import type { Counted } from './budget/ledger';
import { budgetRows } from './budget/rows';
import { type Companions, createCompanions } from './companions';
import { type CountedAccounts, countedEvent, isKnown } from './headroom/counted';
import { createUnknownHeaderBook } from './headroom/unknown-headers';
import { createBooks } from './history/books';
import { createEventFeed } from './history/event-feed';
import { plainRow } from './history/event-rows';
import { createHistory } from './history/history';
import { createInbox } from './history/inbox';
import { createPulse } from './history/pulse';
import { createReading } from './history/reading';
import { createSessionEnds } from './history/session-ends';
import { createUsageBook } from './history/usage';
import { createLife } from './life';
import { createNotices } from './notices';
import { createCouncilNews } from './notices/councils';
import { createSpared } from './other-machines/spared';
import { councilHandlers } from './ports/council';
import { dataHandlers } from './ports/data';
import { demoHandlers } from './ports/demo';
import type { CorePorts } from './ports/ports';
import { preferencesHandlers } from './ports/preferences';
import { noRankings } from './ports/ranking';
import { setupHandlers } from './ports/setup';
import { browserShell } from './ports/shell';
import { createPublisher } from './publisher';
import type { ScorecardDesk } from './scorecard/desk';
import { buildSnapshot, EVENTS_SHOWN } from './snapshot';
import { createWaitClock } from './waits';

export type { Companion } from './acts/instances';
export type { HealthSync } from './companions';

/** How turns move with these releases, if not in flight. */
export type Moves = Readonly<{ opencode: string; plugin: string; moves: 'again' | 'watch' }>;

export type Core = Companions &
  Readonly<{
    host: PanelHost;
    /** Replays earlier runs, oldest record first; must be called before anything else. */
    replay(records: Iterable<LogRecord>): void;
    noteHistory(notice: string): void;
    /** `readers` recognize the failures that the files name. */
    setConfig(rows: readonly ConfigRow[], readers?: readonly KindReader[]): void;
    titled(news: Pick<SessionTitles, 'directory' | 'titles'>): void;
    toldHeaders(unknownHeaders: Pick<HeadersUnknown, 'provider' | 'names'>): void;
    toldBudgets(counted: readonly Counted[]): void;
    /** Logged only while no companion is connected to report it. */
    toldCounted(accounts: CountedAccounts): void;
    /** Versions of OpenCode under which turns do not move in flight. */
    toldMoves(found: readonly Moves[]): void;
    toldRequests(seen: ReadonlyMap<string, RequestsSeen>): void;
    toldFleet(report: Extract<EngineEvent, { type: 'fleet.heard' }>): void;
    /** Requests in this run prevented by limits of other machines. */
    spared(): number;
    showTitles(directory: string, isAllowed: boolean): void;
    onAct(listener: (event: RelayedAct) => void): () => void;
    drills: Pick<Drills, 'onAsk' | 'ended'>;
    /** Emitted when companions should receive health. @returns a function that unsubscribes. */
    onHealth(listener: () => void): () => void;
    onSessionEnd(listener: (session: string, directory: string) => void): () => void;
    desk: ScorecardDesk;
    updateReady(version: string): void;
    flush(): void;
    /** Corrects wall-clock ends after the machine may have slept. */
    woken(): void;
    state(): EngineState;
    dispose(): void;
  }>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the wiring: what there is, in the order in which it is made
export function createCore(ports: CorePorts, app: Snapshot['app']): Core {
  registerFeatures();
  const { clock, log } = ports;
  const actListeners = new Set<(event: RelayedAct) => void>();
  const endListeners = new Set<(session: string, directory: string) => void>();
  let config: readonly ConfigRow[] = [];
  let settings = 0;
  let budgets: Snapshot['budgets'] = [];
  let moves: readonly Moves[] = [];
  let requests: ReadonlyMap<string, RequestsSeen> = new Map();

  const books = createBooks(clock, ports.store);
  const history = createHistory({ ...books, events: ports.store?.events ?? null });
  const inbox = createInbox();
  const pulse = createPulse();
  const usage = createUsageBook();
  const instances = createInstances(clock);
  const tellers = createTellers();
  const titles = createTitles();
  const headers = createUnknownHeaderBook();
  const behind = createBehind(instances.connected);

  const record = (event: AppEvent, at = clock.now()): void => acts.record(event, at);
  const life = createLife(ports, {
    books,
    record,
    took: (taken: TakenStep) => {
      behind.hear(taken);
      for (const projection of projections) projection.hear(taken);
      changed();
    },
    onWoken: () => notices.look(),
    rows: history.count,
  });
  const publisher = createPublisher((rev) => {
    // Read the clock once for the whole snapshot: the user may change the system clock meanwhile.
    const now = clock.now();
    return buildSnapshot({
      rev,
      now,
      app,
      config: [...config],
      settings,
      pulse,
      usage,
      requests,
      state: life.state(),
      wall: life.wallOf(now),
      wallOf: life.wallOf,
      connection: instances.connection(),
      instances: instances.rows().map(withMoves(moves)),
      tellerOf: tellers.of,
      titleOf: titles.of,
      events: history.rows(EVENTS_SHOWN),
      lastDrill: history.lastDrill(),
      unknownPhrases: inbox.count(),
      unknownHeaders: headers.rows(),
      unreadNotices: notices.unread(),
      budgets,
      urgentNotices: notices.urgent(),
      councils: [...(ports.council?.rows() ?? [])],
    });
  }, life.isReplaying);
  const { rev, changed, picture } = publisher;
  const fresh = (): Snapshot => {
    life.woken();
    return publisher.fresh();
  };

  const changes = createChanges(rev);
  const notices = createNotices({
    clock,
    preferences: ports.preferences ?? null,
    isDemo: app.isDemo ?? false,
    hasWritten: ports.setup?.hasWritten ?? null,
    isReplaying: life.isReplaying,
    record,
    onChange: changed,
    push: (data) => publisher.push('notice', data),
  });
  const reading = createReading({
    clock,
    log,
    store: ports.store,
    version: app.version,
    books,
    history,
    inbox,
    pulse,
    state: life.state,
    recent: () => fresh().sessions,
    titles,
  });
  const ends = createSessionEnds(clock, (session, directory) => {
    const { turns, fallbacksOut: fallbacks, cost } = reading.desk.report({ session }).overall;
    const figures = { turns: turns.total, fallbacks, cost: cost.total };
    notices.tell({ what: 'finished', session, project: projectOf(directory), ...figures });
    tellEach(endListeners, (listener) => listener(session, directory));
  });
  const waits = createWaitClock(clock, changed);
  const spared = createSpared();
  const projections = [tellers, changes, createEventFeed(history), inbox, notices, pulse, ends, waits, spared];

  const drills = createDrills(clock, {
    whereOpen: instances.whereOpen,
    tell: (result) => record({ type: 'drill.ended', result }),
  });
  const acts = createAppActs({
    clock,
    life,
    books,
    history,
    instances,
    behind,
    ends,
    notices,
    changed,
    lostDrills: (instance) => drills.lost(instance),
    memories: [books, usage, titles, headers, ...projections],
  });
  const { accept, ...companions } = createCompanions({
    clock,
    life,
    acts,
    books,
    history,
    usage,
    notices,
    instances,
    behind,
    changed,
  });
  const people = createPeople({
    now: clock.now,
    rev,
    changes,
    act: record,
    settle: log.settle,
    state: life.state,
    apply: life.apply,
    append: life.append,
    relay: (event) => tellEach(actListeners, (listener) => listener(event)),
  });
  const probe = createProbes({
    ask: ports.probe ?? null,
    models: () => fresh().models,
    projectOf: (model) =>
      picture().models.find((row) => row.model === model)?.apart?.[0] ??
      picture().chains.find(({ chain }) => chain.some((link) => link.model === model))?.directory ??
      null,
    hasChangedSince: (model, seen) => (changes.models.get(model) ?? 0) > seen,
    rev,
    tell: (model, result) => record({ type: 'probe.ended', model, result, actor: 'panel' }),
    bringBack: (model) => record({ type: 'health.reset', target: { model }, actor: 'panel' }),
  });
  const councilNews = createCouncilNews();
  const hearCouncils = (): void => {
    for (const happening of councilNews.hear(ports.council?.rows() ?? [])) notices.tell(happening);
    changed();
  };
  const deafen = ports.council?.onChange(hearCouncils);
  const newSettings = (): void => {
    settings++;
    notices.look();
    changed();
  };

  return {
    ...companions,
    host: {
      handlers: {
        'snapshot.get': fresh,
        ...reading.handlers,
        ...people,
        'drill.run': drills.run,
        ...dataHandlers(ports.data ?? null, { flush: books.flush, beginAnew: acts.beginAnew }),
        'model.probe': probe,
        ...(ports.ranking ?? noRankings)(clock),
        ...councilHandlers(ports.council ?? null),
        ...demoHandlers(ports.demo ?? null),
        'fleet.get': () => ports.fleet?.status() ?? NO_FLEET,
        ...browserShell(),
        ...notices.writing(setupHandlers(ports.setup ?? null, fresh)),
        ...preferencesHandlers(ports.preferences ?? null, newSettings),
        ...notices.handlers,
      },
      subscribe: publisher.onPush,
    },
    replay(records) {
      let lastAt = Number.NEGATIVE_INFINITY;
      life.replay(
        records,
        ({ at, from, event }) => {
          if (from) lastAt = Math.max(lastAt, at);
          if (from) accept(from.instance, { seq: from.seq, at, event: event as CompanionEvent });
          else record(event as AppEvent, at);
        },
        () => {
          // This app has ended, but OpenCode may not have: the state ends with the last event it reported.
          const at = lastAt === Number.NEGATIVE_INFINITY ? clock.now() : lastAt;
          for (const instance of instances.connected()) acts.leave(instance, at, false);
          notices.replayed();
        },
      );
    },
    noteHistory(notice) {
      history.note(plainRow('history.notice', { detail: notice }), clock.wall());
      changed();
    },
    setConfig(rows, readers = []) {
      config = rows;
      inbox.setReaders(readers);
      notices.configured(rows);
      newSettings();
    },
    titled(news) {
      if (titles.told(news)) changed();
    },
    toldHeaders(unknownHeaders) {
      if (headers.add(unknownHeaders.provider, unknownHeaders.names).length > 0) changed();
    },
    toldBudgets(counted) {
      budgets = budgetRows(counted);
      changed();
    },
    toldRequests(seen) {
      requests = seen;
      changed();
    },
    toldMoves(found) {
      moves = found;
      changed();
    },
    toldFleet(report) {
      // Apply only what the log can hold, so that a replay gives the same state.
      const windows = report.windows?.map(([account, all]) => [account, all.filter(isHeardWindow)] as const);
      const { data } = FleetHeard.safeParse({ ...report, ...(windows ? { windows } : {}) });
      if (data) life.heard(data);
    },
    spared: spared.count,
    toldCounted(accounts) {
      // A connected companion reports it before each request.
      const isTold = [...instances.connected()].length > 0 || isKnown(life.state(), accounts, clock.now());
      if (!isTold) record(countedEvent(accounts));
    },
    showTitles(directory, isAllowed) {
      if (titles.allow(directory, isAllowed)) changed();
    },
    onAct: (listener) => listen(actListeners, listener),
    drills,
    onHealth: publisher.onBefore,
    onSessionEnd: (listener) => listen(endListeners, listener),
    desk: reading.desk,
    updateReady: (version) => notices.tell({ what: 'update', version }),
    flush: books.flush,
    woken: life.woken,
    state: life.state,
    dispose() {
      life.settle();
      books.flush();
      ends.forget();
      waits.forget();
      deafen?.();
      notices.close();
      life.close();
      publisher.close();
      actListeners.clear();
    },
  };
}

const withMoves =
  (found: readonly Moves[]) =>
  (row: InstanceRow): InstanceRow => {
    const { moves } = found.find(({ opencode, plugin }) => opencode === row.opencode && plugin === row.plugin) ?? {};
    return moves === undefined ? row : { ...row, moves };
  };
