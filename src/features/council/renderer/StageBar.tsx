import type { CSSProperties } from 'react';
import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import { stageCaption, stageLabel } from '../wording/council-page-words';

export function StageBar({ view: { stages, members, report } }: Readonly<{ view: CouncilView }>) {
  const texts = councilPageTexts().stageBar;
  const isStorm = report.activity !== 'code_review';
  return (
    <ol className="stages card" aria-label={texts.name} style={{ '--stages': stages.length } as CSSProperties}>
      {stages.map((stage, index) => (
        <li
          key={stage.id}
          className={`stage stage-${stage.state}`}
          aria-current={stage.state === 'now' ? 'step' : undefined}
        >
          <span className="stage-bar" aria-hidden="true">
            <i className="stage-bar-done" style={{ width: `${Math.round(100 * shareOf(stage))}%` }} />
          </span>
          <b className="stage-name">{texts.numbered(index + 1, stageLabel(stage.id))}</b>
          <span className="cap">
            <span className="sr">{texts[stage.state]}, </span>
            {stageCaption(stage, members, isStorm)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function shareOf({ state, done, of }: CouncilView['stages'][number]): number {
  if (state !== 'now') return state === 'done' ? 1 : 0;
  return of === 0 ? 0 : done / of;
}
