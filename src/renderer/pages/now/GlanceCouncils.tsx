import { useId } from 'react';
import type { QueryInput } from '../../../contract/contract';
import type { Snapshot } from '../../../contract/snapshot';
import type { CouncilRunRow } from '../../../features/council/contract/council-run';
import {
  councilFound,
  councilName,
  councilQuestion,
  councilSpent,
  councilStanding,
  councilsNear,
} from '../../../features/council/wording/council-words';
import { councilNewsTexts, nowTexts } from '../../../texts';
import { useActs } from '../../app/acts';
import { hrefOf } from '../../app/routes';
import { SectionTitle } from '../../components/SectionTitle';

export function GlanceCouncils({ snapshot }: Readonly<{ snapshot: Snapshot }>) {
  const id = useId();
  const near = councilsNear(snapshot);
  if (near.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionTitle id={id} title={councilNewsTexts().title} />
      <ul className="card">
        {near.map((row) => (
          <Council key={row.run} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Council({ row }: Readonly<{ row: CouncilRunRow }>) {
  const { run, question } = row;
  return (
    <li className="glance-agent">
      <div className="glance-agent-name">
        <a className="link" href={hrefOf('council', run)} title={councilName(row)}>
          {councilName(row)}
        </a>
        <span className="cap">{councilStanding(row)}</span>
      </div>
      <p className="small muted">{[councilFound(row), councilSpent(row)].join(' · ')}</p>
      {question !== null && <Question row={row} question={question} />}
    </li>
  );
}

type Asked = Readonly<{ row: CouncilRunRow; question: NonNullable<CouncilRunRow['question']> }>;

function Question({ row, question }: Asked) {
  const id = useId();
  const { say } = useActs();
  const texts = nowTexts().question;
  const answer = (yes: boolean): void => {
    const word: QueryInput<'council.say'>['word'] = { kind: 'answer', yes, question: question.id };
    void say({ run: row.run, word }, { text: councilNewsTexts().answered(councilName(row)) });
  };
  return (
    <div className="glance-ask">
      <p className="small" id={id}>
        {councilQuestion(question)}
      </p>
      <button className="btn btn-sm btn-main" type="button" onClick={() => answer(true)} aria-describedby={id}>
        {texts.yes}
      </button>
      <button className="btn btn-sm" type="button" onClick={() => answer(false)} aria-describedby={id}>
        {texts.no}
      </button>
    </div>
  );
}
