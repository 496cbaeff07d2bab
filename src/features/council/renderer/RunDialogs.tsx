import { useState } from 'react';
import { Dialog } from '../../../renderer/components/Dialog';
import { Tick } from '../../../renderer/pages/settings/parts';
import { councilPageTexts } from '../../../texts';
import type { CouncilRunRow } from '../contract/council-run';
import { aboutRun } from '../wording/council-run-words';
import { useRunActs } from './use-council';

type Props = Readonly<{ row: CouncilRunRow; onDone: () => void; onEnd: () => void }>;

export function StopDialog({ row, onDone, onEnd }: Props) {
  const texts = councilPageTexts().stop;
  const { say } = useRunActs(row.run);
  const { within, report, final } = texts.lines;
  const stop = async () => {
    if (await say({ kind: 'stop' }, texts.done)) onDone();
  };
  return (
    <Dialog
      title={texts.title}
      action={texts.action}
      consequences={[within, report, final]}
      onAct={() => void stop()}
      onEnd={onEnd}
    />
  );
}

export function RemoveDialog({ row, onDone, onEnd }: Props) {
  const texts = councilPageTexts().remove;
  const { remove } = useRunActs(row.run);
  const [isWhole, setWhole] = useState(false);
  const { gone, sessions, stay } = texts.lines;
  const act = async () => {
    if (await remove(isWhole)) onDone();
  };
  return (
    <Dialog
      title={texts.title}
      action={texts.action}
      consequences={[gone, isWhole ? sessions : stay]}
      onAct={() => void act()}
      onEnd={onEnd}
    >
      <p>{aboutRun(row)}</p>
      <Tick label={texts.sessions} isOn={isWhole} onTurn={setWhole} />
    </Dialog>
  );
}
