import type { AppLink } from './app-link';
import type { ConnectOptions, NotConnected } from './socket-client';
import { connectToApp } from './socket-client';

const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 5_000;
/** A link of this duration restarts the backoff. */
const GOOD_LINK_MS = 1_000;
/** Spreads attempts of companions that lost the same app. */
const JITTER = 0.2;

export type KeepConnectedOptions = ConnectOptions &
  Readonly<{
    /** Called before any later message is read. */
    onLink: (link: AppLink) => void;
    onFailure?: (failure: NotConnected) => void;
    backoff?: Readonly<{ baseMs: number; capMs: number }>;
  }>;

export type KeptConnection = Readonly<{
  link(): AppLink | null;
  /** Only the close of the current link follows. */
  stop(): void;
}>;

/** Retries with backoff; at its cap if the app refuses. Keeps the process alive only with `keepsProcessAlive`. */
export function keepConnected(options: KeepConnectedOptions): KeptConnection {
  const { baseMs, capMs } = options.backoff ?? { baseMs: BACKOFF_BASE_MS, capMs: BACKOFF_CAP_MS };
  let isStopped = false;
  let current: AppLink | null = null;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = baseMs;

  const again = () => {
    if (isStopped) return;
    const jitter = 1 + JITTER * (2 * Math.random() - 1);
    timer = setTimeout(() => void attempt(), waitMs * jitter);
    if (options.keepsProcessAlive !== true) timer.unref();
    waitMs = Math.min(capMs, waitMs * 2);
  };
  const attempt = async () => {
    const result = await connectToApp(options);
    if (isStopped) {
      if (result.ok) result.link.close();
      return;
    }
    if (result.ok) return hold(result.link);
    if (result.code === 'refused') waitMs = capMs;
    guard(() => options.onFailure?.(result));
    again();
  };
  const hold = (link: AppLink) => {
    const since = performance.now();
    current = link;
    link.onClose(() => {
      current = null;
      if (performance.now() - since >= GOOD_LINK_MS) waitMs = baseMs;
      again();
    });
    guard(() => options.onLink(link), link);
  };
  const guard = (action: () => void, link?: AppLink) => {
    try {
      action();
    } catch (error) {
      link?.close();
      options.onFault?.(error);
    }
  };
  void attempt();
  return {
    link: () => current,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      current?.close();
    },
  };
}
