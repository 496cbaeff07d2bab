import type { TuiLine } from './messages';

/** The used part of OpenCode's terminal plugin API. Observed on 1.18.33. */
export type TuiApi = Readonly<{
  state: Readonly<{ path: Readonly<{ directory: string }> }>;
  client: Readonly<{ tui: Readonly<{ publish(call: Published): Promise<unknown> }> }>;
  event: Readonly<{ on(type: string, handler: (event: BusEvent) => void): () => void }>;
  /** Reactive. */
  route: Readonly<{ current: Readonly<{ name: string; params?: Readonly<Record<string, unknown>> }> }>;
  slots: Readonly<{ register(plugin: Readonly<{ order: number; slots: Slots }>): string }>;
  lifecycle: Readonly<{ onDispose(end: () => void): void }>;
}>;

type Published = Readonly<{
  directory: string;
  body: Readonly<{ type: 'tui.command.execute'; properties: Readonly<{ command: string }> }>;
}>;
/** Untrusted. */
export type BusEvent = Readonly<{ properties?: Readonly<{ command?: unknown }> }>;
type Slots = Readonly<Record<string, (context: SlotContext) => unknown>>;

export type SlotContext = Readonly<{ theme: Readonly<{ current: Theme }> }>;
export type Theme = Readonly<Record<'textMuted' | 'warning' | 'error', unknown>>;

export const COLOURS: Readonly<Record<TuiLine['tone'], keyof Theme>> = {
  well: 'textMuted',
  away: 'warning',
  out: 'error',
};
