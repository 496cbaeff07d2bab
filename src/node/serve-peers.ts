import { answer } from '../contract/contract';
import type { Companion, Core } from '../core/core';
import type { Talks } from '../features/council/node/talks';
import type { KeptFleet } from '../features/fleet/node/keep-fleet';
import type { AppMessage } from '../protocol';
import { inOlderWords, PLAYS_COUNCIL, PROTOCOL_VERSION, TAKES_CONFIG, TAKES_LOGIN } from '../protocol';
import type { ConfigChanges } from './config/config-changes';
import { latest } from './socket/latest';
import type { Peer } from './socket/peer';

export type Serving = Readonly<{
  version: string;
  talks: Talks;
  configChanges: Pick<ConfigChanges, 'onTell'>;
  /** Leases the single probe of a model among machines that share its account. */
  lease: KeptFleet['lease'];
  /** Every connection ends with the app. */
  isClosing(): boolean;
}>;

export function servePeer(core: Core, peer: Peer, serving: Serving): void {
  const { version, talks } = serving;
  const who = peer.hello.peer;
  if (who.role !== 'companion') {
    serveViewer(core, peer, version);
    return;
  }
  const talking = talks.join({ pid: who.pid, takes: who.takes, send: peer.send });
  if (who.takes?.includes(PLAYS_COUNCIL)) peer.send(welcome(version, null));
  else serveCompanion(core, peer, { ...serving, who });
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
  takesLogin: true,
  takesWaiting: true,
});

function serveCompanion(
  core: Core,
  peer: Peer,
  about: Serving & Readonly<{ who: Companion & Readonly<{ takes?: readonly string[] | undefined }> }>,
): void {
  const { instance, epoch, pid, opencode, plugin } = about.who;
  peer.send(welcome(about.version, core.connected({ instance, epoch, pid, opencode, plugin })));
  const sync = (): void => {
    if (!core.isBehind(instance)) return;
    const message = { type: 'sync', ...core.syncFor(instance) } as AppMessage;
    peer.send(about.who.takes?.includes(TAKES_LOGIN) ? message : inOlderWords(message));
  };
  let ackSeq: number | null = null;
  const acknowledge = (): void => {
    const seq = core.keptOf(instance);
    if (seq === null || seq === ackSeq) return;
    ackSeq = seq;
    peer.send({ type: 'acknowledged', seq });
  };
  const grant = async ({ id, model }: Readonly<{ id: string; model: string }>): Promise<void> => {
    // Other machines first: a grant here blocks all other processes of this machine.
    const granted = (await about.lease(model)) && core.lease(instance, model);
    peer.send({ type: 'lease.answer', id, granted });
  };
  acknowledge();
  const stops = [
    core.onWritten(acknowledge),
    core.onHealth(sync),
    core.onAct((event) => void peer.send({ type: 'act', event })),
    about.configChanges.onTell((directory) => {
      if (about.who.takes?.includes(TAKES_CONFIG)) peer.send({ type: 'config.changed', directory });
    }),
    core.drills.onAsk(({ instance: to, ...request }) => {
      if (to === instance) peer.send({ type: 'drill.ask', ...request });
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
    // An app that ends does not end OpenCode.
    if (!about.isClosing()) core.lost(instance);
  });
}

/** A viewer that lags more misses snapshots, except the newest. */
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
      // The caller waits for an answer.
      return sent.ok ? sent : peer.send({ type: 'answer', id, ok: false, reason: tooLongText(sent.reason) });
    });
  });
  peer.onClose(() => {
    stop();
    snapshots.close();
  });
}
