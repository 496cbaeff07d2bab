import type { QueryInput, QueryOutput } from '../../../contract/contract';
import { reasonOf } from '../../app/asked';
import type { Panel } from '../../app/panel';
import { told } from '../../app/told';

export type Edit = QueryInput<'config.preview'>;
export type Preview = QueryOutput<'config.preview'> & { ok: true };
export type Refusal = Extract<QueryOutput<'config.preview'>, { ok: false }>;

export const previewOf = ({ api }: Panel, edit: Edit): Promise<Preview | Refusal> =>
  api
    .ask('config.preview', edit)
    .catch((error: unknown): Refusal => ({ ok: false, reason: reasonOf(error), fields: [] }));

/** What is said when a file is changed, when it is put back, and when it is not changed. */
type Words = Readonly<{ subject: string; done: string; isBack: string; refused: (why: string) => string }>;

/** Writes what was shown, with ten seconds to take it back. @param onWritten hears of both. */
export async function writeConfig(
  panel: Panel,
  edit: QueryInput<'config.apply'>,
  { subject, done, isBack, refused }: Words,
  onWritten: () => void,
): Promise<void> {
  const takeBack = async (receipt: string): Promise<void> => {
    const asked = panel.api.ask('setup.undo', { receipt });
    if (await told(panel, asked, { subject, text: isBack, refused })) onWritten();
  };
  const written = await told(panel, panel.api.ask('config.apply', edit), {
    subject,
    text: done,
    refused,
    undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
  });
  if (written) onWritten();
}
