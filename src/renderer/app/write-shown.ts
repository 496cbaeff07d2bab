import type { QueryInput } from '../../contract/contract';
import { shellTexts } from '../../texts';
import type { Panel } from './panel';
import { notifyResult } from './told';

type Shown = Readonly<{
  change: QueryInput<'chains.preview'>;
  seen: string | null;
  done: string;
  /** The file was written, restored, or found changed. */
  onTried: () => void;
  onUndone?: () => void;
}>;

/** Writes a previewed chain change and offers undo. */
export async function writeShown(panel: Panel, { change, seen, done, onTried, onUndone }: Shown): Promise<boolean> {
  const takeBack = async (receipt: string) => {
    await notifyResult(panel, panel.api.ask('setup.undo', { receipt }), { text: shellTexts().notice.undone });
    onUndone?.();
    onTried();
  };
  const written = await notifyResult(panel, panel.api.ask('chains.apply', { ...change, seen }), {
    text: done,
    undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
  });
  onTried();
  return written !== null;
}
