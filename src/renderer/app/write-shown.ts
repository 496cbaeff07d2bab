import type { QueryInput } from '../../contract/contract';
import type { Panel } from './panel';
import { told } from './told';

type Shown = Readonly<{
  change: QueryInput<'chains.preview'>;
  seen: string | null;
  subject: string;
  /** What is said once it is written, and once it is taken back. */
  done: string;
  undone: string;
  /** The file has been written, or put back, or was found changed. */
  onTried: () => void;
  /** It has been taken back. */
  onUndone?: () => void;
}>;

/** Writes a change of a chain that was shown, and offers the way back. @returns whether it was written. */
export async function writeShown(
  panel: Panel,
  { change, seen, subject, done, undone, onTried, onUndone }: Shown,
): Promise<boolean> {
  const takeBack = async (receipt: string) => {
    await told(panel, panel.api.ask('setup.undo', { receipt }), { subject, text: undone });
    onUndone?.();
    onTried();
  };
  const written = await told(panel, panel.api.ask('chains.apply', { ...change, seen }), {
    subject,
    text: done,
    undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
  });
  onTried();
  return written !== null;
}
