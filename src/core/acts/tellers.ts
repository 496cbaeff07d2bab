import { remember } from '../../engine/tools';
import type { Projection, TakenStep } from '../base/projection';

/** The OpenCode process that last reported each conversation. */
export type Tellers = Projection<Pick<TakenStep, 'event' | 'source'>> &
  Readonly<{
    of(session: string): string | null;
  }>;

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
