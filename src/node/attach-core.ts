import {
  type Handlers,
  type PanelHost,
  type PushData,
  type PushName,
  pushes,
  type QueryName,
  queries,
} from '../contract/contract';
import { registerFeatures } from '../contract/feature-queries';
import { listen } from '../core/base/listen';
import type { Hello } from '../protocol';
import { VIEWER_LINE_BYTES } from '../protocol';
import { announce, announcedUrl, retract } from './announced-panel';
import { socketAddress, stateHome } from './base/state-home';
import { readToken } from './base/token';
import type { AppLink } from './socket/app-link';
import { type Asker, createAsker } from './socket/asker';
import { connectToApp } from './socket/socket-client';

/** The core of this user, in this or another process. */
export type OpenedCore = Readonly<{
  /** `owner`: this process is the core. `viewer`: another process holds the socket, and `host` calls it. */
  role: 'owner' | 'viewer';
  host: PanelHost;
  /** URL of a panel that another live process serves, if any. */
  otherPanelUrl: string | null;
  /** Publishes the URL of this process's panel for later shells; removed on close. */
  announcePanel(url: string): Promise<void>;
  /** Call it when the machine may have slept. */
  woken(): void;
  /** Call it when a newer version is ready to start; notifies the user once. */
  updateReady(version: string): void;
  /** A newer version wrote the history, so that it is read-only. */
  isReadOnly: boolean;
  close(): Promise<void>;
}>;

/** Name of the viewer, and the environment that locates the core. */
type AttachOptions = Readonly<{ env: NodeJS.ProcessEnv; runtime: string }>;

/** Attaches to the running core as a viewer; null without one. */
export async function attachCore({ env, runtime }: AttachOptions): Promise<OpenedCore | null> {
  const home = stateHome(env);
  const hello: Hello['peer'] = { role: 'viewer', name: runtime, lineBytes: VIEWER_LINE_BYTES };
  const result = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello,
    keepsProcessAlive: true,
    limits: { maxLineBytes: VIEWER_LINE_BYTES },
  });
  if (!result.ok) {
    if (result.code === 'absent') return null;
    throw new Error(result.message);
  }
  return viewerOf(result.link, await announcedUrl(home), home);
}

/** Returns handlers that query the core and validate its output, as the core validates their input. */
function relayed(ask: Asker): Handlers {
  registerFeatures();
  const handlers = Object.entries(queries).map(([name, { output }]) => [
    name,
    async (input: unknown) => output.parse(await ask(name as QueryName, input)),
  ]);
  // The only cast: TypeScript cannot relate a looked-up name to its handler; the schemas check both sides.
  return Object.fromEntries(handlers) as Handlers;
}

function viewerOf(link: AppLink, otherPanelUrl: string | null, home: string): OpenedCore {
  const listeners = new Set<<P extends PushName>(name: P, data: PushData<P>) => void>();
  const hearPush = (name: string, data: unknown): void => {
    if (!Object.hasOwn(pushes, name)) return;
    const known = name as PushName;
    const parsed = pushes[known].safeParse(data);
    if (parsed.success) for (const listener of listeners) listener(known, parsed.data);
  };
  const ask = createAsker(link);
  link.onMessage((message) => {
    if (message.type === 'push') hearPush(message.name, message.data);
  });
  let announced = false;
  return {
    role: 'viewer',
    otherPanelUrl,
    host: {
      handlers: relayed(ask),
      subscribe: (listener) => listen(listeners, listener),
    },
    // The owner handles sleep, notices and history.
    woken: () => {},
    updateReady: () => {},
    isReadOnly: false,
    async announcePanel(url) {
      announced = true;
      await announce(home, url);
    },
    async close() {
      link.close();
      if (announced) await retract(home);
    },
  };
}
