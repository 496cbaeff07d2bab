/** For builds without DOM and Node types. */
export type SignalSlice = Readonly<{
  aborted: boolean;
  reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}>;

/** The host's `AbortSignal` if any, for direct use with `fetch`. */
export type StopSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal extends SignalSlice } }
  ? Signal
  : SignalSlice;

export type StopController = Readonly<{ signal: StopSignal; abort(reason?: unknown): void }>;

declare const AbortController: new () => StopController;

export function stopController(): StopController {
  return new AbortController();
}

/** Hosts warn about more than ten listeners on a standard signal. */
export function innerController(): Readonly<{ signal: SignalSlice; abort(reason: unknown): void }> {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  return {
    signal,
    abort(reason) {
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Always something that can be thrown. */
export function reasonOf(signal: SignalSlice): unknown {
  return signal.reason ?? named('AbortError', 'The consult was stopped.');
}

export function reasonIn(signals: readonly SignalSlice[]): unknown {
  const stopped = signals.find(({ aborted }) => aborted);
  return stopped ? reasonOf(stopped) : null;
}

export function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
