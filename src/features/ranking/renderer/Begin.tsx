import { type FormEvent, useRef, useState } from 'react';
import { useAnswer } from '../../../renderer/app/asked';
import { OutLink } from '../../../renderer/components/OutLink';
import { Tick } from '../../../renderer/pages/settings/parts';
import { rankingPageTexts, rankingTexts, wordTexts } from '../../../texts';
import { ASKED_PHASES, type AskedPhase, type Cost } from '../contract/ranking';
import { costSentence, unableSentence } from '../wording/ranking-words';
import type { Ranking } from './use-ranking';

type Props = Readonly<{ ranking: Ranking; onRefused: (why: string | null) => void; onBegun: () => void }>;

export function Begin({ ranking, onRefused, onBegun }: Props) {
  const texts = rankingPageTexts().proposal;
  const { place, answer, isLive, run, act, isBusy, round } = ranking;
  const [wants, want] = useState<readonly AskedPhase[]>([]);
  const role = answer?.role ?? null;
  // The models to probe change with the ranked ones.
  const ranked = answer?.proposal?.models.filter(({ rank }) => rank !== null).length;
  const query = { ...place, role };
  const { answer: costs } = useAnswer('rank.costs', query, `${JSON.stringify(query)} ${ranked} ${round}`);
  const key = useRef<HTMLInputElement>(null);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = key.current?.value.trim() ?? '';
    if (key.current) key.current.value = '';
    const problem = await act({ type: 'start', role, isLive, wants: [...wants], key: typed === '' ? null : typed });
    onRefused(problem);
    if (problem === null) onBegun();
  };
  const needsKey = costs?.some((cost) => cost.needsKey) ?? false;
  return (
    <form className="rk-begin" onSubmit={(event) => void begin(event)}>
      <button
        className={run === null ? 'btn btn-main' : 'btn'}
        type="submit"
        aria-disabled={isBusy}
        disabled={answer?.proposal == null || !answer.keeping.ok}
      >
        {run === null ? texts.begin : texts.anew}
      </button>
      <details className="rk-outside">
        <summary>{texts.more}</summary>
        <ul className="ticks">
          {ASKED_PHASES.map((phase) => (
            <Asked
              key={phase}
              phase={phase}
              cost={costs?.find((one) => one.phase === phase)}
              isOn={wants.includes(phase)}
              onTurn={(isOn) => want(isOn ? [...wants, phase] : wants.filter((one) => one !== phase))}
            />
          ))}
        </ul>
        {needsKey && wants.includes('artificial_analysis') && <KeyField field={key} />}
      </details>
    </form>
  );
}

/** Uncontrolled: the key is read only when it is sent. */
export function KeyField({ field }: Readonly<{ field: React.RefObject<HTMLInputElement | null> }>) {
  const texts = rankingPageTexts().proposal;
  return (
    <div className="rk-key">
      <label className="rk-field">
        <span className="small">{texts.key}</span>
        <input className="field" type="password" autoComplete="off" spellCheck={false} maxLength={500} ref={field} />
        <span className="cap">{texts.keyHint}</span>
      </label>
      <OutLink link="artificialAnalysis" label={texts.getKey} />
    </div>
  );
}

type AskedProps = Readonly<{
  phase: AskedPhase;
  cost: Cost | undefined;
  isOn: boolean;
  onTurn: (isOn: boolean) => void;
}>;

function Asked({ phase, cost, isOn, onTurn }: AskedProps) {
  const hint = cost
    ? [costPhrase(cost), costSentence(cost), unableSentence(cost, false)].filter(Boolean).join(' · ')
    : '';
  return (
    <li>
      <Tick
        label={rankingTexts().phases[phase]}
        hint={hint}
        isOn={isOn}
        isDisabled={cost === undefined || cost.unable !== null}
        onTurn={onTurn}
      />
    </li>
  );
}

function costPhrase({ requests, dollars }: Cost): string {
  const texts = rankingPageTexts().proposal;
  const money = (amount: number): string => wordTexts().dollars(String(amount));
  const requestText = requests === null ? null : texts.requests(requests);
  if (dollars === null) return requestText ?? '';
  const paid = dollars.to === 0 ? texts.free : texts.dollars(money(dollars.from), money(dollars.to));
  return [requestText, paid].filter(Boolean).join(', ');
}
