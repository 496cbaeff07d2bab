import type { TuiLine } from './messages';

/** The used part of OpenCode 2's terminal plugin API. Seen on 2.0.15. */
export type TuiContext = Readonly<{
  /** Absent for the default project. */
  location?: Readonly<{ directory?: string }>;
  data: Readonly<{
    /** Events of every project; reconnects automatically. */
    on(type: string, handler: (event: TuiEvent) => void): () => void;
    location: Readonly<{ default(): Readonly<{ directory?: string }> }>;
  }>;
  client: Readonly<{
    /** Rejects without a companion. */
    rpc(definition: unknown): Readonly<Record<string, Ask | undefined>>;
  }>;
  /** Read each time: the user may change the theme. */
  theme: Readonly<{ text: Readonly<{ muted: unknown; feedback: Readonly<Record<'warning' | 'error', Shade>> }> }>;
  ui: Readonly<{
    slot(place: Readonly<{ append: string; render: (input: Readonly<{ sessionID?: string }>) => unknown }>): () => void;
    toast: Readonly<{
      show(toast: Readonly<{ title: string; message: string; variant: string; duration: number }>): void;
    }>;
  }>;
}>;

type Shade = Readonly<{ base: unknown }>;
type Ask = (input: unknown, options: Readonly<{ location: Readonly<{ directory: string }> }>) => Promise<unknown>;
export type TuiEvent = Readonly<{ location?: Readonly<{ directory?: string }>; data?: unknown }>;

export function colour2({ theme: { text } }: TuiContext, tone: TuiLine['tone']): unknown {
  if (tone === 'well') return text.muted;
  return tone === 'away' ? text.feedback.warning.base : text.feedback.error.base;
}
