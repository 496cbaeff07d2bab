import { useEffect, useRef, useState } from 'react';
import type { WhatIfAnswer } from '../../../contract/what-if';
import { whatIfTexts } from '../../../texts';
import {
  cutPhrase,
  forecastPhrases,
  stallsPhrase,
  verdictPhrase,
  whatIfCaution,
  whatIfRows,
} from '../../../wording/what-if-words';
import { agentLabel } from '../../../wording/wording';
import { reasonOf } from '../../app/asked';
import { usePanel } from '../../app/panel';

type Props = Readonly<{ agent: string; models: readonly string[] }>;
/** A string is an error. */
type Played = Readonly<{ models: string; outcome: WhatIfAnswer | string | null }>;

export function WhatIf({ agent, models }: Props) {
  const { api } = usePanel();
  const [played, setPlayed] = useState<Played | null>(null);
  const texts = whatIfTexts();
  const key = models.join(' ');
  const outcome = played?.models === key ? played.outcome : undefined;
  const play = async () => {
    setPlayed({ models: key, outcome: null });
    const outcome = await api.ask('what-if.play', { agent, chain: [...models], policy: null }).catch(reasonOf);
    setPlayed((last) => (last?.models === key ? { models: key, outcome } : last));
  };
  return (
    <div className="draft-what-if">
      <button
        className="btn btn-sm"
        type="button"
        disabled={models.length === 0}
        aria-disabled={outcome === null}
        onClick={() => outcome === null || void play()}
      >
        {texts.ask}
      </button>
      <p className="small" role="status">
        {outcome === null ? texts.playing : sentenceOf(outcome)}
      </p>
      {typeof outcome === 'object' && outcome !== null && <Sides answer={outcome} agent={agent} />}
    </div>
  );
}

function sentenceOf(outcome: WhatIfAnswer | string | undefined): string | undefined {
  if (typeof outcome !== 'object') return outcome;
  return outcome.before.turns === 0 ? stallsPhrase(outcome) : `${stallsPhrase(outcome)} ${verdictPhrase(outcome)}`;
}

function Sides({ answer, agent }: Readonly<{ answer: WhatIfAnswer; agent: string }>) {
  const texts = whatIfTexts();
  const rows = whatIfRows(answer);
  const cut = cutPhrase(answer);
  const likely = forecastPhrases(answer).join(' ');
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="scroll" tabIndex={0} aria-label={texts.sides}>
        <table className="tbl">
          <thead>
            <tr>
              <td />
              {rows.map(([label]) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{texts.asItIs}</th>
              {rows.map(([label, before]) => (
                <td key={label}>{before}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">{texts.thisDraft}</th>
              {rows.map(([label, , after]) => (
                <td key={label}>{after}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
      {likely && <p className="small">{likely}</p>}
      {cut && <p className="small">{cut}</p>}
      <p className="small muted" ref={end}>
        {texts.note(agentLabel(agent), whatIfCaution())}
      </p>
    </>
  );
}
