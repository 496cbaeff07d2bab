import type { UserPrompt } from '../../engine';
import { get } from '../../engine/tools';
import type { Brain } from '../base/brain';

export type UserPrompts = Readonly<{
  opened(session: string, prompt: Readonly<{ id: string; what: UserPrompt }>): void;
  closed(session: string, id: string): void;
  /** A turn's end closes its prompts. */
  rested(session: string): void;
}>;

export function trackUserPrompts(brain: Pick<Brain, 'tell' | 'state'>): UserPrompts {
  const open = new Map<string, Map<string, UserPrompt>>();

  const report = (session: string): void => {
    const state = get(brain.state().sessions, session);
    const [first = null] = open.get(session)?.values() ?? [];
    if (state && first !== (state.waitsFor?.what ?? null)) brain.tell({ type: 'session.waiting', session, for: first });
  };
  return {
    opened(session, { id, what }) {
      const prompts = open.get(session) ?? new Map<string, UserPrompt>();
      open.set(session, prompts.set(id, what));
      report(session);
    },
    closed(session, id) {
      const prompts = open.get(session);
      if (!prompts?.delete(id)) return;
      if (prompts.size === 0) open.delete(session);
      report(session);
    },
    rested: (session) => void open.delete(session),
  };
}

/** Ignores prompts unless armed. */
export function openPrompt(
  companion: Readonly<{ isArmed(): boolean; userPrompts: UserPrompts }>,
  type: string,
  { sessionID, id }: Readonly<{ sessionID: string; id: string }>,
): void {
  const what = type === 'permission.asked' ? 'permission' : 'answer';
  if (companion.isArmed()) companion.userPrompts.opened(sessionID, { id, what });
}
