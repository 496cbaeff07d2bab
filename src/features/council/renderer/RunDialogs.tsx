import { useState } from 'react';
import { Dialog } from '../../../renderer/components/Dialog';
import { Tick } from '../../../renderer/pages/settings/parts';
import { councilPageTexts } from '../../../texts';
import type { CouncilRunRow } from '../contract/council-run';
import { aboutRun } from '../wording/council-run-words';
import { useRunActs } from './use-council';

type Props = Readonly<{ row: CouncilRunRow; onDone: () => void; onEnd: () => void }>;

export function StopDialog({ row, onDone, onEnd }: Props) {
  const said = councilPageTexts().stop;
  const { say } = useRunActs(row.run);
  const { within, report, final } = said.lines;
  const stop = async () => {
    if (await say({ kind: 'stop' }, said.done)) onDone();
  };
  return (
    <Dialog
      title={said.title}
      action={said.action}
      consequences={[within, report, final]}
      onAct={() => void stop()}
      onEnd={onEnd}
    />
  );
}

export function RemoveDialog({ row, onDone, onEnd }: Props) {
  const said = councilPageTexts().remove;
  const { remove } = useRunActs(row.run);
  const [isWhole, setWhole] = useState(false);
  const { gone, sessions, stay } = said.lines;
  const act = async () => {
    if (await remove(isWhole)) onDone();
  };
  return (
    <Dialog
      title={said.title}
      action={said.action}
      consequences={[gone, isWhole ? sessions : stay]}
      onAct={() => void act()}
      onEnd={onEnd}
    >
      <p>{aboutRun(row)}</p>
      <Tick label={said.sessions} isOn={isWhole} onTurn={setWhole} />
    </Dialog>
  );
}
