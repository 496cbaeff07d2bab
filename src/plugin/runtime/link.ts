import { prettifyError } from 'zod';
import type { CompanionFleet } from '../../features/fleet/plugin/fleet';
import { isAppointed } from '../../node/base/council-runs';
import { socketAddress, stateHome } from '../../node/base/state-home';
import { readToken } from '../../node/base/token';
import type { AppLink } from '../../node/socket/app-link';
import { type KeptConnection, keepConnected } from '../../node/socket/keep-connected';
import {
  asEngineHealth,
  CompanionEvent,
  type DrillOutcome,
  type Hello,
  inOlderWords,
  PLAYS_COUNCIL,
  TAKES_CONFIG,
  TAKES_COUNCIL,
  TAKES_LOGIN,
  transitMs,
} from '../../protocol';
import type { Brain, Lender } from '../base/brain';
import type { JournalEntry } from '../base/journal';
import type { Sharing } from '../stores/shared-health';
import type { Titles } from '../stores/titles';
import type { UnknownHeaders } from '../stores/unknown-headers';
import type { RunDrill } from './host';

/** What older apps do not take, and by which word of theirs a newer one does. */
const UNKNOWN_ONCE: Readonly<Record<string, keyof Words>> = {
  'headroom.seen': 'takesHeadroom',
  'money.counted': 'takesHeadroom',
  'headroom.counted': 'takesCounted',
  'attempt.silent': 'takesWaiting',
  'attempt.answering': 'takesWaiting',
  'session.waiting': 'takesWaiting',
};

type Words = Partial<Pick<AppLink['welcome'], 'takesHeadroom' | 'takesCounted' | 'takesWaiting'>>;

/** Whether an app takes events of a type, by its first word: it would end the connection for one that it does not know. */
export function isTakenBy(welcome: Words, type: string): boolean {
  const word = Object.hasOwn(UNKNOWN_ONCE, type) ? UNKNOWN_ONCE[type] : undefined;
  return word === undefined || welcome[word] === true;
}

export type Identity = Omit<Extract<Hello['peer'], { role: 'companion' }>, 'role' | 'takes'>;

/** Who hears why the app does not hear of this process, or not of all that happens in it. */
export type Tell = Readonly<{ refused(message: string): void; unsendable(message: string): void }>;

/**
 * Keeps this process in touch with the app, whenever there is one: hands over what happened while it was away, then
 * each event as it happens, and takes in the app's view of health. Never delays a decision, never keeps OpenCode alive.
 */
export function linkToApp(
  {
    brain,
    sharing,
    fleet,
    drills,
    readers,
    titles,
    headers,
    heedCouncils,
  }: Readonly<{
    brain: Brain;
    sharing: Sharing;
    fleet: CompanionFleet;
    drills: ReadonlyMap<string, RunDrill>;
    readers: ConfigReaders;
    titles: Titles;
    headers: UnknownHeaders;
    /** Answers the app's questions about councils. */
    heedCouncils(link: AppLink): void;
  }>,
  identity: Identity,
  tell: Tell,
): KeptConnection {
  const home = stateHome();
  // An OpenCode that was started for a run is no project of the user's.
  const isApart = isAppointed();
  return keepConnected({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: {
      role: 'companion',
      ...identity,
      takes: [TAKES_LOGIN, TAKES_COUNCIL, TAKES_CONFIG, ...(isApart ? [PLAYS_COUNCIL] : [])],
    },
    onLink(link) {
      sharing.join();
      link.onClose(sharing.resume);
      fleet.join();
      link.onClose(fleet.resume);
      heedCouncils(link);
      if (isApart) return;
      follow(brain, link, { onView: sharing.told, alone: fleet.lease, tell });
      heedDrills(link, drills);
      heedConfig(link, readers);
      if (link.welcome.takesTitles) tellBook(link, titles);
      if (link.welcome.takesHeadroom) tellBook(link, headers);
    },
    onFailure: (failure) => {
      if (failure.code === 'refused') tell.refused(failure.message);
    },
  });
}

type Book = Titles | UnknownHeaders;

/** Tells an app what a book holds, and what is noted in it. No journal holds that: what an app misses it is told anew. */
function tellBook(link: AppLink, book: Book): void {
  for (const told of book.all()) link.send(told);
  link.onClose(book.onNote((told) => void link.send(told)));
}

/** By directory, who reads its files at once: a directory may be open twice. */
export type ConfigReaders = ReadonlyMap<string, ReadonlySet<() => void>>;

function heedConfig(link: AppLink, readers: ConfigReaders): void {
  link.onMessage((message) => {
    if (message.type === 'config.changed') for (const read of readers.get(message.directory) ?? []) read();
  });
}

/** Makes each drill the app asks for, and tells how it came out. */
function heedDrills(link: AppLink, drills: ReadonlyMap<string, RunDrill>): void {
  link.onMessage((message) => {
    if (message.type !== 'drill.ask') return;
    const { id, directory, agent } = message;
    const gone: DrillOutcome = { ok: false, reason: `OpenCode has closed ${directory}` };
    void Promise.resolve(drills.get(directory)?.(agent) ?? gone).then((outcome) =>
      link.send({ type: 'drill.answer', id, outcome }),
    );
  });
}

const REASON_MAX_CHARS = 300;

const unsendableText = (type: string, reason: string): string =>
  `The app cannot be told of an event (${type}): ${reason.slice(0, REASON_MAX_CHARS)}. OpenCode goes on as ever; the panel does not show it.`;

/** Bytes the app may be behind before the rest of the journal waits; far below what would cost us the connection. */
const BEHIND_MAX_BYTES = 1_048_576;
/** How soon an app that was behind is looked at again, in ms. */
const LOOK_AGAIN_MS = 25;

type Around = Readonly<{
  onView: () => void;
  alone: Lender;
  tell: Tell;
}>;

function follow(brain: Brain, link: AppLink, { onView, alone, tell }: Around): void {
  const { journal } = brain;
  let sentSeq = link.welcome.haveSeq ?? 0;
  journal.met(sentSeq);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;
  /** @returns whether the connection still stands. */
  const send = ({ seq, at, event }: JournalEntry): boolean => {
    const giveUp = (reason: string): boolean => {
      journal.unsendable(seq);
      tell.unsendable(unsendableText(event.type, reason));
      return true;
    };
    // An older app does without.
    if (!isTakenBy(link.welcome, event.type)) return true;
    // What would not pass the schema on the other side would only cost us the connection.
    const checked = CompanionEvent.safeParse(link.welcome.takesLogin ? event : inOlderWords(event));
    if (!checked.success) return giveUp(prettifyError(checked.error));
    const ageMs = Math.max(0, brain.now() - at);
    const dropped = journal.dropped();
    const sent = link.send({ type: 'event', seq, ageMs, sentAt: Date.now(), dropped, event: checked.data });
    return sent.ok || (sent.code === 'unsendable' && giveUp(sent.reason));
  };
  const asked = new Map<string, (isGranted: boolean) => void>();
  brain.borrowFrom(
    (model) =>
      new Promise((resolve) => {
        const id = String(nextId++);
        asked.set(id, resolve);
        if (!link.send({ type: 'lease.request', id, model }).ok) resolve(true);
      }),
  );
  link.onMessage((message) => {
    if (message.type === 'sync') {
      const { health, seenSeq, rev, sentAt } = message;
      if (brain.sync(asEngineHealth(health), seenSeq, transitMs(sentAt, Date.now()))) {
        onView();
        link.send({ type: 'synced', rev });
      }
    }
    if (message.type === 'acknowledged') journal.acknowledged(message.seq);
    if (message.type === 'act') brain.act(message.event);
    if (message.type === 'lease.answer') {
      asked.get(message.id)?.(message.granted);
      asked.delete(message.id);
    }
  });
  const sendRest = (): void => {
    timer = undefined;
    for (const entry of brain.since(sentSeq)) {
      if (link.queuedBytes() > BEHIND_MAX_BYTES) {
        timer = setTimeout(sendRest, LOOK_AGAIN_MS);
        timer.unref();
        return;
      }
      // What a lost connection did not take is told over the next one.
      if (!send(entry)) return;
      sentSeq = entry.seq;
    }
  };
  const stop = brain.onEntry(() => {
    if (timer === undefined) sendRest();
  });
  link.onClose(() => {
    stop();
    brain.borrowFrom(alone);
    for (const decideAlone of asked.values()) decideAlone(true);
    clearTimeout(timer);
  });
  sendRest();
}
