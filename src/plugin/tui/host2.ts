import type { TuiLine } from './messages';

/** The slice of OpenCode 2's interface for terminal plugins that this part uses. Seen on 2.0.15. */
export type TuiContext = Readonly<{
  /** The project this terminal shows; absent while it shows the default one. */
  location?: Readonly<{ directory?: string }>;
  data: Readonly<{
    /** News of every project; the stream is opened again by itself. @returns what ends it. */
    on(type: string, handler: (event: TuiEvent) => void): () => void;
    location: Readonly<{ default(): Readonly<{ directory?: string }> }>;
  }>;
  client: Readonly<{
    /** Functions by name, each asked for one project. Rejects where nobody answers. */
    rpc(definition: unknown): Readonly<Record<string, Ask | undefined>>;
  }>;
  /** Read anew each time: a person may choose another one. */
  theme: Readonly<{ text: Readonly<{ muted: unknown; feedback: Readonly<Record<'warning' | 'error', Shade>> }> }>;
  ui: Readonly<{
    /** @returns what takes it away. */
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
