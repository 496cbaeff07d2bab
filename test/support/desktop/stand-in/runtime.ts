import type { OnBeforeRequestListenerDetails } from 'electron';
import type { ElectronDouble } from '../../electron-double';
import type { Chromium } from './chromium';

type Handler = (event: unknown, ...given: unknown[]) => unknown;
type BeforeRequest = (details: OnBeforeRequestListenerDetails, decide: (verdict: { cancel?: boolean }) => void) => void;

export type Runtime = Readonly<{
  chromium(): Promise<Chromium>;
  mayLoad(address: string): Promise<boolean>;
  /** Serves a scheme of the shell; null for any other. */
  serve(address: string, method: string): Promise<Response | null>;
  invoke(
    channel: string,
    event: object,
    given: readonly unknown[],
  ): Promise<Readonly<{ value?: unknown; error?: string }>>;
}>;

export const runtimeOf = (
  { handlers, schemes, sessionRules }: ElectronDouble,
  chromium: Runtime['chromium'],
): Runtime => ({
  chromium,
  mayLoad(address) {
    const rule = sessionRules.beforeRequest as BeforeRequest | undefined;
    if (!rule) return Promise.resolve(true);
    return new Promise((resolve) => {
      rule({ url: address } as OnBeforeRequestListenerDetails, ({ cancel }) => resolve(cancel !== true));
    });
  },
  async serve(address, method) {
    const scheme = schemes.get(new URL(address).protocol.slice(0, -1));
    return scheme ? await scheme(new Request(address, { method })) : null;
  },
  async invoke(channel, event, given) {
    const handler = handlers.get(channel) as Handler | undefined;
    const remote = `Error invoking remote method '${channel}'`;
    if (!handler) return { error: `${remote}: Error: No handler registered for '${channel}'` };
    try {
      return { value: await handler(event, ...given) };
    } catch (error) {
      return { error: `${remote}: ${String(error)}` };
    }
  },
});
