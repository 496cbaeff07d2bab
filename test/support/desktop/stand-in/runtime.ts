import type { OnBeforeRequestListenerDetails } from 'electron';
import type { Chromium } from './chromium';

type Handler = (event: unknown, ...given: unknown[]) => unknown;
type BeforeRequest = (details: OnBeforeRequestListenerDetails, decide: (verdict: { cancel?: boolean }) => void) => void;

export type Runtime = Readonly<{
  chromium(): Promise<Chromium>;
  /** Asks the session's rule. */
  mayLoad(address: string): Promise<boolean>;
  /** Answers for a scheme of the shell's own; null for any other. */
  serve(address: string, method: string): Promise<Response | null>;
  invoke(
    channel: string,
    event: object,
    given: readonly unknown[],
  ): Promise<Readonly<{ value?: unknown; error?: string }>>;
}>;

/** What the shell has set up: whom it answers, what it serves and what it forbids. */
export class Rules {
  readonly handlers = new Map<string, Handler>();
  readonly schemes = new Map<string, (request: Request) => Response | Promise<Response>>();
  beforeRequest: BeforeRequest | null = null;

  mayLoad(address: string): Promise<boolean> {
    const rule = this.beforeRequest;
    if (!rule) return Promise.resolve(true);
    return new Promise((resolve) => {
      rule({ url: address } as OnBeforeRequestListenerDetails, ({ cancel }) => resolve(cancel !== true));
    });
  }
  async serve(address: string, method: string): Promise<Response | null> {
    const scheme = this.schemes.get(new URL(address).protocol.slice(0, -1));
    return scheme ? await scheme(new Request(address, { method })) : null;
  }
  async invoke(channel: string, event: object, given: readonly unknown[]) {
    const handler = this.handlers.get(channel);
    const remote = `Error invoking remote method '${channel}'`;
    if (!handler) return { error: `${remote}: Error: No handler registered for '${channel}'` };
    try {
      return { value: await handler(event, ...given) };
    } catch (error) {
      return { error: `${remote}: ${String(error)}` };
    }
  }
}
