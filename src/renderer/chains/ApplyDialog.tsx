import { useState } from 'react';
import { agentLabel, leadChangeSentence, type QueryInput } from '../../contract';
import { chainTexts } from '../../texts';
import { type Answered, useAnswer } from '../asked';
import { Dialog } from '../components/Dialog';
import { Diff } from '../components/Diff';
import { usePanel } from '../panel';
import { told } from '../told';

/** What is said of it where it is not the chain editor that asks. */
type Words = Pick<ReturnType<typeof chainTexts>['apply'], 'action' | 'consequence' | 'written' | 'undone'>;
type Props = Readonly<{
  /** The project whose chain it is; null for the user's own file. */
  directory: string | null;
  agent: string;
  models: readonly string[];
  words?: Words;
  /** The file has been written, or put back, or was found changed. */
  onTried: () => void;
  onEnd: () => void;
}>;

/** Shows the exact change of the file, and makes it: what is written is what was shown, or nothing. */
export function ApplyDialog({ directory, agent, models, words = chainTexts().apply, onTried, onEnd }: Props) {
  const panel = usePanel();
  const [change] = useState<QueryInput<'chains.preview'>>(() => ({
    ...{ directory, agent, models: [...models] },
    ...{ scope: null, create: true },
  }));
  const asked = useAnswer('chains.preview', change, JSON.stringify(change));
  const preview = asked.answer?.ok ? asked.answer : null;
  const subject = agentLabel(agent);
  const takeBack = async (receipt: string) => {
    await told(panel, panel.api.ask('setup.undo', { receipt }), { subject, text: words.undone });
    onTried();
  };
  const apply = async () => {
    if (!preview) return;
    await told(panel, panel.api.ask('chains.apply', { ...change, seen: preview.seen }), {
      ...{ subject, text: words.written },
      undo: ({ receipt }) => (receipt === null ? null : () => void takeBack(receipt)),
    });
    onTried();
  };
  return (
    <Dialog
      title={chainTexts().apply.title(subject)}
      action={words.action}
      consequences={[...(preview?.leads ?? []).map(leadChangeSentence), consequenceOf(asked, words)]}
      isDisabled={!preview || preview.diff === ''}
      onAct={() => void apply()}
      onEnd={onEnd}
    >
      {preview && preview.diff !== '' && (
        <>
          <p className="small path">{preview.path}</p>
          <Diff text={preview.diff} />
        </>
      )}
    </Dialog>
  );
}

function consequenceOf({ answer, problem }: Answered<'chains.preview'>, words: Words): string {
  const said = chainTexts().apply;
  if (problem !== null) return problem;
  if (!answer) return said.working;
  if (!answer.ok) return answer.reason;
  return answer.diff === '' ? said.same : words.consequence;
}
