import { remember } from '../../engine/tools';
import type { Projection, TakenStep } from '../base/projection';

/** Which OpenCode process each conversation goes on in: whoever spoke of it last. */
export type Tellers = Projection<Pick<TakenStep, 'event' | 'source'>> &
  Readonly<{
    /** The instance; null where none has spoken of it, as far back as is remembered. */
    of(session: string): string | null;
  }>;

/** An empty list. */
export function createTellers(): Tellers {
  const bySession = new Map<string, string>();
  return {
    of: (session) => bySession.get(session) ?? null,
    hear({ event, source }) {
      if (source !== null && 'session' in event) remember(bySession, event.session, source);
    },
    forget: () => bySession.clear(),
  };
}
