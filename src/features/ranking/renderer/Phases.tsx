import { useRef } from 'react';
import { rankingPageTexts, rankingTexts } from '../../../texts';
import { PHASES, phaseOf, type Run } from '../contract/ranking';
import { runRows } from '../wording/ranking-words';
import { KeyField } from './Begin';
import type { Ranking } from './use-ranking';

type Props = Readonly<{ run: Run; ranking: Ranking; onRefused: (why: string | null) => void }>;

export function Phases({ run, ranking, onRefused }: Props) {
  const texts = rankingPageTexts().proposal;
  const { act, isGoing } = ranking;
  const key = useRef<HTMLInputElement>(null);
  const now = phaseOf(run);
  const isOpen = now !== null && run.phases[now].state === 'open';
  // Internal phases end at once; only external requests take time.
  const isShown = (isGoing && run.wants.length > 0) || (isOpen && now !== 'review');
  const wantsKey = isOpen && now === 'artificial_analysis';
  const goOn = async () => {
    const typed = key.current?.value.trim() || null;
    if (key.current) key.current.value = '';
    onRefused(await act({ type: 'go', key: typed }));
  };
  return (
    <details className="rk-phases" open={isShown || undefined}>
      <summary>
        {texts.phases}{' '}
        <span className="cap" role="status">
          {now === null ? rankingTexts().phaseStates.done : summaryOf(run, isGoing)}
        </span>
      </summary>
      <ol>
        {runRows(run).map(([phase, state, says], place) => (
          <li key={phase} className={`ph ph-${run.phases[PHASES[place] ?? 'review'].state}`}>
            <b>{phase}</b>
            <span className="cap">{state}</span>
            <span className="small">{says}</span>
          </li>
        ))}
      </ol>
      {wantsKey && <KeyField field={key} />}
      {(isGoing || (isOpen && now !== 'review')) && (
        <p className="rk-acts">
          <button className="btn btn-sm" type="button" onClick={() => void goOn()}>
            {texts.goOn}
          </button>
          {isGoing && (
            <button className="btn btn-sm" type="button" onClick={() => void act({ type: 'stop' }).then(onRefused)}>
              {texts.stop}
            </button>
          )}
        </p>
      )}
    </details>
  );
}

function summaryOf(run: Run, isGoing: boolean): string {
  const texts = rankingPageTexts().proposal;
  const now = phaseOf(run);
  if (isGoing || now === null) return texts.onItsWay;
  return texts.waits(rankingTexts().phases[now]);
}
