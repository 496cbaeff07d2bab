import { settingsTexts } from '../../../texts';
import { Dialog } from '../../components/Dialog';
import { Diff } from '../../components/Diff';
import type { Preview } from './write-config';

type Props = Readonly<{
  preview: Preview;
  onAct: () => void;
  onEnd: () => void;
}>;

export function ChangeDialog({ preview, onAct, onEnd }: Props) {
  const texts = settingsTexts().policy;
  const isSame = preview.diff === '';
  return (
    <Dialog
      title={texts.title}
      action={texts.action}
      consequences={[isSame ? texts.same : texts.consequence]}
      isDisabled={isSame}
      onAct={onAct}
      onEnd={onEnd}
    >
      <p className="small path">{preview.path}</p>
      {!isSame && <Diff text={preview.diff} />}
    </Dialog>
  );
}
