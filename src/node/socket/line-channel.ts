import type { Socket } from 'node:net';
import { MAX_LINE_BYTES } from '../../protocol';
import type { LineReader } from '../../protocol/framing';
import { createLineReader, encodeLine } from '../../protocol/framing';
import type { RateLimit } from './rate-limit';
import { createRateLimit } from './rate-limit';

export type ChannelLimits = Readonly<{
  /** Lines taken at once after a quiet time; beyond that `linesPerSecond`, and the sender has to wait. */
  burstLines: number;
  linesPerSecond: number;
  /** A line must be whole this long after its first byte. */
  lineDeadlineMs: number;
  /** Unsent bytes after which a peer that does not read is dropped. */
  maxQueuedBytes: number;
  /** Longest line that is taken, in bytes. */
  maxLineBytes: number;
}>;

export const DEFAULT_CHANNEL_LIMITS: ChannelLimits = {
  burstLines: 2_000,
  linesPerSecond: 2_000,
  lineDeadlineMs: 10_000,
  maxQueuedBytes: 8 * 1_048_576,
  maxLineBytes: MAX_LINE_BYTES,
};

/** What became of a message: `gone`, nobody is there any more; `unsendable`, it is too long or nothing that can be said. */
export type Sent = Readonly<{ ok: true }> | Readonly<{ ok: false; code: 'gone' | 'unsendable'; reason: string }>;

/** Why a connection ended. */
export type ChannelEnd = 'closed_here' | 'closed_there' | 'line_too_long' | 'line_too_slow' | 'does_not_read';

export type ChannelOptions = Readonly<{
  limits: ChannelLimits;
  /** The message that tells a peer which limit it broke, if it is told at all. */
  lastWords?: (end: ChannelEnd) => unknown;
  /** Called once, after the last line was delivered. */
  onEnd: (end: ChannelEnd) => void;
}>;

/** Whoever does not take our last words in this time does not get them. */
const FAREWELL_MS = 500;
/** So many of the longest lines may wait for a side that takes longer ones than usual. */
const LONG_LINES_QUEUED = 4;

/** Lines over one socket, with every limit held. Nothing here throws, and no timer keeps a process alive. */
export class LineChannel {
  readonly #socket: Socket;
  readonly #options: ChannelOptions;
  readonly #rate: RateLimit;
  readonly #reader: LineReader;
  #queue: string[] = [];
  #listener: ((line: string) => void) | null = null;
  #end: ChannelEnd | null = null;
  #isSocketClosed = false;
  #isDelivering = false;
  #isTooLong = false;
  #sendsBytes = MAX_LINE_BYTES;
  #lineTimer: NodeJS.Timeout | undefined;
  #rateTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rate = createRateLimit(options.limits.burstLines, options.limits.linesPerSecond);
    this.#reader = createLineReader({
      maxBytes: options.limits.maxLineBytes,
      onLine: (line) => {
        this.#queue.push(line);
        this.#stopLineTimer();
      },
      onOverflow: () => {
        this.#isTooLong = true;
      },
    });
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    // silent: 'close' follows and ends the connection
    socket.on('error', () => undefined);
    socket.on('close', () => this.#whenClosed());
    socket.pause();
  }

  /** The other side takes lines up to so many bytes. */
  sendUpTo(lineBytes: number): void {
    this.#sendsBytes = Math.max(MAX_LINE_BYTES, lineBytes);
  }

  /** Queues one message; refused when it is too long, the channel has ended or the other side does not read. */
  send(message: unknown): Sent {
    if (this.#end !== null || this.#isSocketClosed) return { ok: false, code: 'gone', reason: 'closed' };
    const encoded = encodeLine(message, this.#sendsBytes);
    if (!encoded.ok) return { ...encoded, code: 'unsendable' };
    this.#socket.write(encoded.line);
    const isLong = this.#sendsBytes > MAX_LINE_BYTES;
    const queueBytes = Math.max(this.#options.limits.maxQueuedBytes, isLong ? LONG_LINES_QUEUED * this.#sendsBytes : 0);
    if (this.#socket.writableLength <= queueBytes) return { ok: true };
    this.#finish('does_not_read');
    this.#socket.destroy();
    return { ok: false, code: 'gone', reason: 'the other side does not read' };
  }

  /** Sets who hears lines. Until then, and while it is null, the socket is not read and nothing is lost. */
  setLineListener(listener: ((line: string) => void) | null): void {
    this.#listener = listener;
    if (this.#end === null) this.#deliver();
  }

  /** Calls back each time the other side has taken all there was. */
  onDrained(listener: () => void): void {
    this.#socket.on('drain', listener);
  }

  /** Bytes the other side has not taken yet. */
  queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Ends the channel, after these last words if there are any; lines not yet delivered are dropped. */
  end(lastMessage?: unknown): void {
    this.#endAs('closed_here', lastMessage);
  }

  #take(chunk: Buffer): void {
    if (this.#end !== null) return;
    this.#reader.push(chunk);
    this.#deliver();
  }

  /** Delivers what may be delivered now; what may not leaves the socket unread, so that the sender feels it. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    let next = 0;
    while (this.#listener !== null && next < this.#queue.length && this.#end === null && this.#mayDeliver()) {
      const line = this.#queue[next] ?? '';
      next += 1;
      this.#listener(line);
    }
    this.#queue = this.#queue.slice(next);
    this.#isDelivering = false;
    if (this.#end !== null) return;
    if (this.#queue.length > 0 || this.#listener === null) this.#pause();
    else this.#readOn();
  }

  #mayDeliver(): boolean {
    // What a peer said before it left is at most one chunk: it need not wait.
    const waitMs = this.#isSocketClosed ? 0 : this.#rate.take(performance.now());
    if (waitMs === 0) return true;
    clearTimeout(this.#rateTimer);
    this.#rateTimer = setTimeout(() => this.#deliver(), waitMs).unref();
    return false;
  }

  #pause(): void {
    this.#socket.pause();
    this.#stopLineTimer();
  }

  #readOn(): void {
    if (this.#isTooLong) {
      this.#breakOff('line_too_long');
      return;
    }
    if (this.#isSocketClosed) {
      this.#settle();
      return;
    }
    if (this.#reader.hasPartialLine() && this.#lineTimer === undefined) {
      const { lineDeadlineMs } = this.#options.limits;
      this.#lineTimer = setTimeout(() => this.#breakOff('line_too_slow'), lineDeadlineMs).unref();
    }
    this.#socket.resume();
  }

  #breakOff(end: ChannelEnd): void {
    this.#endAs(end, this.#options.lastWords?.(end));
  }

  #endAs(end: ChannelEnd, lastMessage: unknown): void {
    if (this.#end !== null) return;
    if (lastMessage !== undefined) this.send(lastMessage);
    this.#finish(end);
    if (this.#isSocketClosed) {
      this.#settle();
      return;
    }
    // Unread input would turn our farewell into a reset.
    this.#socket.resume();
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
  }

  #whenClosed(): void {
    this.#isSocketClosed = true;
    if (this.#end === null) this.#deliver();
    else this.#settle();
  }

  #settle(): void {
    this.#finish('closed_there');
    this.#options.onEnd(this.#end ?? 'closed_there');
  }

  #finish(end: ChannelEnd): void {
    this.#end ??= end;
    this.#stopLineTimer();
    clearTimeout(this.#rateTimer);
    this.#reader.stop();
    this.#queue = [];
  }

  #stopLineTimer(): void {
    clearTimeout(this.#lineTimer);
    this.#lineTimer = undefined;
  }
}
