import type { ServerResponse } from 'node:http';
import { onPush, type PanelHost } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { latest } from '../node/socket/latest';
import { presentSnapshot } from './present-snapshot';
import { snapshotSender } from './snapshot-sender';

/** How often a stream may carry a push, and how often it says that it is alive. */
export type StreamTiming = Readonly<{ pushIntervalMs: number; heartbeatMs: number }>;

/**
 * Carries the host's pushes over one server-sent-events response: the present snapshot first, then at most one every
 * interval, always the newest; a reader that is too slow skips snapshots, it never queues them.
 *
 * @returns a function that ends the stream.
 */
export function streamEvents(host: PanelHost, response: ServerResponse, timing: StreamTiming): () => void {
  const { send } = snapshotSender((name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  const snapshots = latest<Snapshot>({
    intervalMs: timing.pushIntervalMs,
    isReady: () => !response.writableNeedDrain,
    send,
  });
  let hasPushed = false;
  const stops = [
    onPush(host, 'snapshot', (data) => {
      hasPushed = true;
      snapshots.offer(data);
    }),
    // Each of them counts: what is shown is taken away by a later one.
    onPush(host, 'notice', (notice) => response.write(`event: notice\ndata: ${JSON.stringify(notice)}\n\n`)),
  ];
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': alive\n\n');
  }, timing.heartbeatMs);
  heartbeat.unref();
  const end = (): void => {
    clearInterval(heartbeat);
    snapshots.close();
    for (const stop of stops) stop();
    response.end();
  };
  response.on('drain', snapshots.poke);
  response.on('close', end);
  response.write(': connected\n\n');
  void presentSnapshot(host).then((first) => {
    // A push that came while the host was asked is newer than its answer.
    if (first !== null && !hasPushed && !response.writableEnded) snapshots.offer(first);
  });
  return end;
}
