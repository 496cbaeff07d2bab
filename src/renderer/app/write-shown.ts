import type { QueryInput } from '../../contract/contract';
import { shellTexts } from '../../texts';
import type { Panel } from './panel';
import { told } from './told';

type Shown = Readonly<{
  change: QueryInput<'chains.preview'>;
  seen: string | null;
  /** Shown once it is written. */
  done: string;
  /** The file has been written, or put back, or was found changed. */
  onTried: () => void;
  /** It has been taken back. */
  onUndone?: () => void;
}>;

/** Writes a change of a chain that was shown, and offers the way back. @returns whether it was written. */
export async function writeShown(panel: Panel, { change, seen, done, onTried, onUndone }: Shown): Promise<boolean> {
  const takeBack = async (receipt: string) => {
    await told(panel, panel.api.ask('setup.undo', { receipt }), { text: shellTexts().notice.undone });
    onUndone?.();
    onTried();
  };
  const written = await told(panel, panel.api.ask('chains.apply', { ...change, seen }), {
    text: done,
    undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
  });
  onTried();
  return written !== null;
}
