import { useEffect, useState } from 'react';
import { agentLabel, type ChainRow, type QueryInput, type QueryOutput } from '../../contract';
import { chainTexts, shellTexts } from '../../texts';
import { Dialog } from '../components/Dialog';
import { Diff } from '../components/Diff';
import { type Panel, usePanel } from '../panel';

type Preview = QueryOutput<'chains.preview'>;
type Props = Readonly<{
  chain: ChainRow;
  models: readonly string[];
  /** The file has been written, or put back, or was found changed. */
  onTried: () => void;
  onEnd: () => void;
}>;

/** Shows the exact change of the file, and makes it: what is written is what was shown, or nothing. */
export function ApplyDialog({ chain, models, onTried, onEnd }: Props) {
  const panel = usePanel();
  const [change] = useState(() => ({
    ...{ directory: chain.directory, agent: chain.agent, models: [...models] },
    ...{ scope: null, create: true },
  }));
  const preview = usePreview(panel, change);
  const said = chainTexts().apply;
  const subject = agentLabel(chain.agent);
  const undo = (receipt: string) => async () => {
    const asked = panel.api.ask('setup.undo', { receipt });
    await told(panel, asked, { subject, text: said.undone });
    onTried();
  };
  const apply = async () => {
    if (!preview?.ok) return;
    const asked = panel.api.ask('chains.apply', { ...change, seen: preview.seen });
    await told(panel, asked, { subject, text: said.written, undo });
    onTried();
  };
  return (
    <Dialog
      title={said.title(subject)}
      action={said.action}
      consequences={consequencesOf(preview)}
      isDisabled={!preview?.ok || preview.diff === ''}
      onAct={() => void apply()}
      onEnd={onEnd}
    >
      {preview?.ok && preview.diff !== '' && (
        <>
          <p className="small path">{preview.path}</p>
          <Diff text={preview.diff} />
        </>
      )}
    </Dialog>
  );
}

/** The exact change; null while it is worked out. */
function usePreview({ api }: Panel, change: QueryInput<'chains.preview'>): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    let isOver = false;
    api
      .ask('chains.preview', change)
      .catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }))
      .then((answer) => isOver || setPreview(answer));
    return () => {
      isOver = true;
    };
  }, [api, change]);
  return preview;
}

function consequencesOf(preview: Preview | null): readonly string[] {
  const said = chainTexts().apply;
  if (!preview) return [said.working];
  if (!preview.ok) return [preview.reason];
  if (preview.diff === '') return [said.same];
  return [said.consequence];
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Written = QueryOutput<'chains.apply'>;

type Said = Readonly<{ subject: string; text: string; undo?: (receipt: string) => () => Promise<void> }>;

/** Tells what became of a write, with the way back where there is one. */
async function told({ notices }: Panel, asked: Promise<Written>, { subject, text, undo }: Said): Promise<void> {
  const answer = await asked.catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
  if (!answer.ok) {
    notices.tell({ subject, text: shellTexts().notice.refused(answer.reason), isRefusal: true, undo: null });
    return;
  }
  const takeBack = undo && answer.receipt !== null ? undo(answer.receipt) : null;
  notices.tell({ subject, text, isRefusal: false, undo: takeBack && (() => void takeBack()) });
}
