import type { ServerResponse } from 'node:http';
import { onPush, type PanelHost } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { latest } from '../node/socket/latest';
import { presentSnapshot } from './present-snapshot';
import { snapshotSender } from './snapshot-sender';

export type StreamTiming = Readonly<{ pushIntervalMs: number; heartbeatMs: number }>;

/**
 * Sends the host's pushes as server-sent events: the current snapshot, then at most one per interval. A slow reader
 * skips snapshots instead of queueing them.
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
    // No notice may be skipped: a later one removes what an earlier one displays.
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
    // A push during the request is newer than its response.
    if (first !== null && !hasPushed && !response.writableEnded) snapshots.offer(first);
  });
  return end;
}
