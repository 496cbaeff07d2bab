import { shellTexts } from '../../../texts';
import type { Panel } from '../../app/panel';
import { notifyResult } from '../../app/told';

type Outcome = Readonly<{ ok: true; files: readonly { receipt: string | null }[] } | { ok: false; reason: string }>;
type Wish = Readonly<{ text: string; onWritten: () => void }>;

export async function toldWrite(panel: Panel, request: Promise<Outcome>, { text, onWritten }: Wish): Promise<boolean> {
  const done = await notifyResult(panel, request, {
    text,
    undo: ({ files }) => {
      const receipts = files.flatMap(({ receipt }) => receipt ?? []);
      return receipts.length === 0 ? null : () => void takeBack(panel, receipts, onWritten);
    },
  });
  if (done) onWritten();
  return done !== null;
}

/** Latest first. */
export async function takeBack(panel: Panel, receipts: readonly string[], onWritten: () => void): Promise<void> {
  const undone = async (): Promise<Outcome> => {
    for (const receipt of receipts.toReversed()) {
      const answer = await panel.api.ask('setup.undo', { receipt });
      if (!answer.ok) return answer;
    }
    return { ok: true, files: [] };
  };
  await toldWrite(panel, undone(), { text: shellTexts().notice.undone, onWritten });
}
