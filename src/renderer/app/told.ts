import { shellTexts } from '../../texts';
import { reasonOf } from './asked';
import type { Panel } from './panel';

type Outcome = Readonly<{ ok: true }> | Readonly<{ ok: false; reason: string }>;

type Said<Done> = Readonly<{
  text: string;
  refused?: (why: string) => string;
  /** Null where there is no way back this time; absent where there never is. */
  undo?: (done: Done) => (() => void) | null;
}>;

/** Tells what became of a change. @returns what the core answered; null when it was not made. */
export async function told<Answer extends Outcome>(
  { notices }: Panel,
  asked: Promise<Answer>,
  { text, refused = shellTexts().notice.refused, undo }: Said<Extract<Answer, { ok: true }>>,
): Promise<Extract<Answer, { ok: true }> | null> {
  const answer = await asked.catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
  if (!answer.ok) {
    notices.tell({ text: refused(answer.reason), isRefusal: true, undo: null });
    return null;
  }
  const done = answer as Extract<Answer, { ok: true }>;
  notices.tell({ text, isRefusal: false, undo: undo?.(done) ?? null });
  return done;
}
