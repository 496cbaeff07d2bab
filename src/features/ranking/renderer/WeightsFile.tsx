import { type ChangeEvent, useRef } from 'react';
import { reasonOf } from '../../../renderer/app/asked';
import { usePanel } from '../../../renderer/app/panel';
import { saveFile } from '../../../renderer/app/save-file';
import { notifyResult } from '../../../renderer/app/told';
import { rankingPageTexts } from '../../../texts';

const NAME = 'bench_calc.json';

export function WeightsFile({ onTaken }: Readonly<{ onTaken: () => void }>) {
  const panel = usePanel();
  const texts = rankingPageTexts().weights;
  const file = useRef<HTMLInputElement>(null);
  const ask = (text: string | null) => panel.api.ask('rank.weights', { text });
  const save = async () => {
    const answer = await ask(null).catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
    if (answer.ok) saveFile(NAME, [answer.text], 'application/json');
    else panel.notices.tell({ text: answer.reason, isRefusal: true, undo: null });
  };
  const take = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? [];
    if (!chosen) return;
    const text = await chosen.text();
    if (file.current) file.current.value = '';
    if (await notifyResult(panel, ask(text), { text: texts.fileDone(chosen.name) })) onTaken();
  };
  return (
    <p className="rk-acts rk-file">
      <button className="btn btn-sm" type="button" onClick={() => void save()}>
        {texts.saveFile}
      </button>
      <input
        className="sr"
        type="file"
        accept=".json"
        tabIndex={-1}
        aria-hidden="true"
        ref={file}
        onChange={(event) => void take(event)}
      />
      <button className="btn btn-sm" type="button" onClick={() => file.current?.click()}>
        {texts.takeFile}
      </button>
    </p>
  );
}
