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

export type OpenedCore = Readonly<{
  /** `viewer`: another process is the core, and `host` calls it. */
  role: 'owner' | 'viewer';
  host: PanelHost;
  /** Served by another live process. */
  otherPanelUrl: string | null;
  /** For later shells; removed on close. */
  announcePanel(url: string): Promise<void>;
  /** The machine may have slept. */
  woken(): void;
  /** A newer version is ready to start; notifies the user once. */
  updateReady(version: string): void;
  /** A newer version wrote the history. */
  isReadOnly: boolean;
  close(): Promise<void>;
}>;

type AttachOptions = Readonly<{ env: NodeJS.ProcessEnv; runtime: string }>;

/** Null without a running core. */
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

/** Validates the core's output, as the core validates their input. */
function relayed(ask: Asker): Handlers {
  registerFeatures();
  const handlers = Object.entries(queries).map(([name, { output }]) => [
    name,
    async (input: unknown) => output.parse(await ask(name as QueryName, input)),
  ]);
  // TypeScript cannot relate a looked-up name to its handler; the schemas check both sides.
  return Object.fromEntries(handlers) as Handlers;
}

function viewerOf(link: AppLink, otherPanelUrl: string | null, home: string): OpenedCore {
  const listeners = new Set<<P extends PushName>(name: P, data: PushData<P>) => void>();
  const hearPush = (name: string, data: unknown): void => {
    if (!Object.hasOwn(pushes, name)) return;
    const pushName = name as PushName;
    const parsed = pushes[pushName].safeParse(data);
    if (parsed.success) for (const listener of listeners) listener(pushName, parsed.data);
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
