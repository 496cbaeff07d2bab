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

/** Events unknown to older apps, with the welcome's flag that accepts them. */
const UNKNOWN_ONCE: Readonly<Record<string, keyof Words>> = {
  'headroom.seen': 'takesHeadroom',
  'money.counted': 'takesHeadroom',
  'headroom.counted': 'takesCounted',
  'attempt.silent': 'takesWaiting',
  'attempt.answering': 'takesWaiting',
  'session.waiting': 'takesWaiting',
};

type Words = Partial<Pick<AppLink['welcome'], 'takesHeadroom' | 'takesCounted' | 'takesWaiting'>>;

/** An app ends the connection for an unknown event. */
export function isTakenBy(welcome: Words, type: string): boolean {
  const word = Object.hasOwn(UNKNOWN_ONCE, type) ? UNKNOWN_ONCE[type] : undefined;
  return word === undefined || welcome[word] === true;
}

export type Identity = Omit<Extract<Hello['peer'], { role: 'companion' }>, 'role' | 'takes'>;

export type Tell = Readonly<{ refused(message: string): void; unsendable(message: string): void }>;

/** Never delays a decision, never keeps OpenCode alive. */
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
    heedCouncils(link: AppLink): void;
  }>,
  identity: Identity,
  tell: Tell,
): KeptConnection {
  const home = stateHome();
  // An OpenCode started for a run is no project of the user.
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

/** Sends all messages on each connection: no journal stores them. */
function tellBook(link: AppLink, book: Book): void {
  for (const note of book.all()) link.send(note);
  link.onClose(book.onNote((entry) => void link.send(entry)));
}

/** A directory may be open twice. */
export type ConfigReaders = ReadonlyMap<string, ReadonlySet<() => void>>;

function heedConfig(link: AppLink, readers: ConfigReaders): void {
  link.onMessage((message) => {
    if (message.type === 'config.changed') for (const read of readers.get(message.directory) ?? []) read();
  });
}

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
  `An event (${type}) cannot be sent to the app: ${reason.slice(0, REASON_MAX_CHARS)}. OpenCode is not affected; the panel does not show the event.`;

/** Far below the limit that ends the connection. */
const BEHIND_MAX_BYTES = 1_048_576;
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
  const send = ({ seq, at, event }: JournalEntry): boolean => {
    const giveUp = (reason: string): boolean => {
      journal.unsendable(seq);
      tell.unsendable(unsendableText(event.type, reason));
      return true;
    };
    // Older apps do without.
    if (!isTakenBy(link.welcome, event.type)) return true;
    // The app would end the connection for an invalid event.
    const checked = CompanionEvent.safeParse(link.welcome.takesLogin ? event : inOlderWords(event));
    if (!checked.success) return giveUp(prettifyError(checked.error));
    const ageMs = Math.max(0, brain.now() - at);
    const dropped = journal.dropped();
    const sent = link.send({ type: 'event', seq, ageMs, sentAt: Date.now(), dropped, event: checked.data });
    return sent.ok || (sent.code === 'unsendable' && giveUp(sent.reason));
  };
  const pending = new Map<string, (isGranted: boolean) => void>();
  brain.borrowFrom(
    (model) =>
      new Promise((resolve) => {
        const id = String(nextId++);
        pending.set(id, resolve);
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
      pending.get(message.id)?.(message.granted);
      pending.delete(message.id);
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
      // The next connection sends the rest.
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
    for (const decideAlone of pending.values()) decideAlone(true);
    clearTimeout(timer);
  });
  sendRest();
}
