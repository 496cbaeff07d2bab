import type { QueryInput, QueryOutput } from '../../../contract/contract';
import { shellTexts } from '../../../texts';
import { reasonOf } from '../../app/asked';
import type { Panel } from '../../app/panel';
import { notifyResult } from '../../app/told';

export type Edit = QueryInput<'config.preview'>;
export type Preview = QueryOutput<'config.preview'> & { ok: true };
export type Refusal = Extract<QueryOutput<'config.preview'>, { ok: false }>;

export const previewOf = ({ api }: Panel, edit: Edit): Promise<Preview | Refusal> =>
  api
    .ask('config.preview', edit)
    .catch((error: unknown): Refusal => ({ ok: false, reason: reasonOf(error), fields: [] }));

/** Ten seconds to undo. @param onWritten called after both. */
export async function writeConfig(
  panel: Panel,
  edit: QueryInput<'config.apply'>,
  done: string,
  onWritten: () => void,
  refused = shellTexts().notice.refused,
): Promise<void> {
  const takeBack = async (receipt: string): Promise<void> => {
    const request = panel.api.ask('setup.undo', { receipt });
    if (await notifyResult(panel, request, { text: shellTexts().notice.undone })) onWritten();
  };
  const written = await notifyResult(panel, panel.api.ask('config.apply', edit), {
    text: done,
    refused,
    undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
  });
  if (written) onWritten();
}
