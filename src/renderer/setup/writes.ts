import { setupTexts } from '../../texts';
import { reasonOf } from '../asked';
import type { Panel } from '../panel';

type Outcome = Readonly<{ ok: true; files: readonly { receipt: string | null }[] } | { ok: false; reason: string }>;
type Wish = Readonly<{ subject: string; text: string; onWritten: () => void }>;

/** Tells what became of a write to a file of the user's, with the way back where there is one. */
export async function toldWrite(
  panel: Panel,
  asked: Promise<Outcome>,
  { subject, text, onWritten }: Wish,
): Promise<void> {
  const texts = setupTexts().connect;
  const outcome = await asked.catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
  if (!outcome.ok) {
    panel.notices.tell({ subject, text: texts.notChanged(outcome.reason), isRefusal: true, undo: null });
    return;
  }
  const receipts = outcome.files.flatMap(({ receipt }) => receipt ?? []);
  const undo = receipts.length === 0 ? null : () => void takeBack(panel, receipts, { subject, onWritten });
  panel.notices.tell({ subject, text, isRefusal: false, undo });
  onWritten();
}

/** Puts files back as they were before their writes, the latest first. */
export async function takeBack(panel: Panel, receipts: readonly string[], wish: Omit<Wish, 'text'>): Promise<void> {
  const undone = async (): Promise<Outcome> => {
    for (const receipt of receipts.toReversed()) {
      const answer = await panel.api.ask('setup.undo', { receipt });
      if (!answer.ok) return answer;
    }
    return { ok: true, files: [] };
  };
  await toldWrite(panel, undone(), { ...wish, text: setupTexts().connect.isBack });
}
