import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ReplyCheck } from './reply-check';

/** A fault destroys the socket. */
export class CheckedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #check: ReplyCheck;

  constructor(socket: Socket, check: ReplyCheck) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#check = check;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('end', () => this.push(null));
    // An encrypted socket may emit a second error.
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  #take(chunk: Uint8Array): void {
    if (this.destroyed) return;
    try {
      this.#check.take(chunk);
    } catch (fault) {
      this.destroy(fault as Error);
      return;
    }
    if (!this.push(chunk)) this.#socket.pause();
  }

  /** The library parses in a `data` listener; its errors must not end the process. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    try {
      return super.emit(event, ...values);
    } catch (error) {
      if (event !== 'data') throw error;
      this.destroy(error as Error);
      return true;
    }
  }

  override _read(): void {
    this.#socket.resume();
  }

  /** The library writes one command at a time. */
  override _write(chunk: Uint8Array, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#check.sent();
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  setNoDelay(): void {
    this.#socket.setNoDelay();
  }

  setKeepAlive(isOn: boolean, afterMs: number): void {
    this.#socket.setKeepAlive(isOn, afterMs);
  }

  unref(): void {
    this.#socket.unref();
  }
}
