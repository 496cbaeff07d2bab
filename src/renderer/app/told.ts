import { shellTexts } from '../../texts';
import { reasonOf } from './asked';
import type { Panel } from './panel';

type Outcome = Readonly<{ ok: true }> | Readonly<{ ok: false; reason: string }>;

type Said<Done> = Readonly<{
  text: string;
  refused?: (why: string) => string;
  /** Null if this change cannot be undone; absent if none can. */
  undo?: (done: Done) => (() => void) | null;
}>;

/** Reports the result as a notice. @returns null after an error. */
export async function notifyResult<Answer extends Outcome>(
  { notices }: Panel,
  request: Promise<Answer>,
  { text, refused = shellTexts().notice.refused, undo }: Said<Extract<Answer, { ok: true }>>,
): Promise<Extract<Answer, { ok: true }> | null> {
  const answer = await request.catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
  if (!answer.ok) {
    notices.tell({ text: refused(answer.reason), isRefusal: true, undo: null });
    return null;
  }
  const done = answer as Extract<Answer, { ok: true }>;
  notices.tell({ text, isRefusal: false, undo: undo?.(done) ?? null });
  return done;
}
