import { entries } from '../engine/tools';
import { asEngineEvent, asEngineHealth, asHeardEvent, ScopeConfigured } from '../protocol';
import { eventOf } from './acts/acts';
import type { Behind } from './acts/behind';
import type { Instances } from './acts/instances';
import type { AppEvent, LogRecord } from './base/record';
import type { Books } from './history/books';
import { drillRow, plainRow, probeRow, resetRow } from './history/event-rows';
import type { History } from './history/history';
import type { SessionEnds } from './history/session-ends';
import type { Life } from './life';
import { isAtWork, type Notices } from './notices';
import type { Clock } from './ports/ports';

export type AppActParts = Readonly<{
  clock: Clock;
  life: Life;
  books: Books;
  history: History;
  instances: Instances;
  behind: Behind;
  ends: SessionEnds;
  notices: Notices;
  lostDrills(instance: string): void;
  changed(): void;
  memories: readonly Readonly<{ forget(): void }>[];
}>;

export type AppActs = Readonly<{
  record(event: AppEvent, at: number): void;
  /** Handles a disconnected companion. @param at in engine ms. */
  leave(instance: string, at: number, isSeen?: boolean): void;
  /** Keeps connected companions and the configuration of directories. @returns the first record of the new log. */
  beginAnew(): LogRecord;
}>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one line or two for each event of the app, around the same parts
export function createAppActs(parts: AppActParts): AppActs {
  const { clock, life, books, history, instances, behind, ends, notices, changed } = parts;

  const leave = (instance: string, at: number, isSeen = true): void => {
    const worked = instances.workedIn(instance);
    const left = worked.filter((place) => !instances.isOpenElsewhere(instance, place));
    const shared = worked.filter((place) => !left.includes(place));
    if (!instances.leave(instance, life.wallOf(at))) return;
    // During a replay, an OpenCode may still run: it reconnects and reports.
    if (!life.isReplaying()) notices.tell({ what: 'closed', directories: left });
    if (isAtWork(life.state(), left, at)) notices.tell({ what: 'lost' });
    parts.lostDrills(instance);
    behind.drop(instance);
    ends.gone(instance);
    if (isSeen) history.note(plainRow('instance.lost'), life.wallOf(at));
    for (const directory of left) ends.left(directory);
    for (const directory of shared) {
      // The remaining companion uses its own configuration, not the one that the last companion reported.
      const config = instances.configElsewhere(instance, directory);
      if (config) life.apply(asEngineEvent(config), at);
    }
    changed();
  };

  const record = (event: AppEvent, at: number): void => {
    // The first record of a new log is not appended to the old one.
    if (!life.isReplaying() && event.type !== 'data.erased') life.append({ at, from: null, event });
    take(event, at);
  };

  const take = (event: AppEvent, at: number): void => {
    const wall = life.wallOf(at);
    switch (event.type) {
      case 'instance.connected':
        instances.arrive(event, wall);
        ends.arrived(event.instance, at);
        behind.add(event.instance);
        notices.tell({ what: 'connected' });
        history.note(plainRow('instance.connected', { state: 'ready', detail: event.opencode }), wall);
        changed();
        break;
      case 'instance.lost':
        leave(event.instance, at);
        break;
      case 'health.reset':
        life.apply(event, at);
        history.note(resetRow(event), wall);
        break;
      case 'health.learned':
        life.apply({ type: 'health.synced', health: asEngineHealth(event.health) }, at);
        break;
      case 'person.acted':
        life.apply(eventOf(event), at);
        break;
      case 'fleet.heard':
        life.apply(asHeardEvent(event), at);
        break;
      case 'drill.ended':
        history.note(drillRow(event.result), wall);
        changed();
        break;
      case 'probe.ended':
        history.note(probeRow(event.model, event.result), wall);
        if (event.result.ok) notices.tell({ what: 'answered', model: event.model, of: null, lead: null });
        changed();
        break;
      case 'clock.read':
        if (event.movedMs !== 0) life.shift(event.movedMs);
        changed();
        break;
      case 'headroom.counted':
        life.apply(asEngineEvent(event), at);
        break;
      case 'tick':
      case 'host.resumed':
      case 'lease.requested':
        life.apply(event, at);
        break;
      case 'notice.told':
      case 'notice.read':
        notices.take(event, at);
        break;
      case 'data.erased':
        erased(event, at);
        history.note(plainRow('history.notice', { detail: 'Everything recorded before was deleted' }), wall);
        changed();
        break;
    }
  };

  /** Sequence numbers and directory configurations survive the deletion. */
  const erased = ({ heard: instancesHeard, scopes }: Extract<AppEvent, { type: 'data.erased' }>, at: number): void => {
    for (const { instance, seq, directories } of instancesHeard) {
      instances.remember(instance);
      instances.hear(instance, seq);
      if (life.isReplaying()) instances.keep(instance, seq);
      for (const directory of directories) instances.opened(instance, directory, null);
    }
    for (const scope of scopes) life.apply(asEngineEvent(scope), at);
  };

  return {
    record,
    leave,
    beginAnew() {
      const at = clock.now();
      const read = life.clockRead();
      const event: AppEvent = {
        type: 'data.erased',
        ...(read ? { clock: read } : {}),
        heard: instances.shown().flatMap((instance) => {
          const seq = instances.seenOf(instance);
          return seq === null ? [] : [{ instance, seq, directories: [...instances.directoriesOf(instance)] }];
        }),
        scopes: entries(life.state().scopes).map(([directory, config]) =>
          ScopeConfigured.parse({ type: 'scope.configured', directory, config }),
        ),
      };
      for (const memory of parts.memories) memory.forget();
      life.reset();
      behind.tell(null);
      const first: LogRecord = { v: 1, n: books.number(), at, from: null, event };
      record(event, at);
      return first;
    },
  };
}
