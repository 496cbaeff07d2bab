import { useId } from 'react';
import type { QuestionRow } from '../../../contract/snapshot';
import { nowTexts } from '../../../texts';
import { questionPhrase } from '../../../wording/act-words';
import { counted } from '../../../wording/wording';
import { useActs } from '../../app/acts';
import { TimeLeft } from '../../components/Countdown';
import { Icon } from '../../components/Icon';

export function QuestionBar({ questions }: Readonly<{ questions: readonly QuestionRow[] }>) {
  const [open, ...waiting] = questions;
  return open ? <OpenQuestion key={open.id} question={open} waiting={waiting.length} /> : null;
}

function OpenQuestion({ question, waiting }: Readonly<{ question: QuestionRow; waiting: number }>) {
  const id = useId();
  const { act } = useActs();
  const texts = nowTexts().question;
  const { title, lede } = questionPhrase(question);
  const answer = (yes: boolean) => {
    const text = (yes ? texts.yesSaid : texts.noSaid)(question.agent);
    void act({ type: 'question.answered', question: question.id, yes }, { text });
  };
  return (
    <section className="ask" aria-labelledby={id}>
      <Icon name="ask" />
      <div className="ask-text">
        <h2 id={id}>{title}</h2>
        <p className="small">
          {lede}
          {waiting > 0 && texts.more(counted(waiting, 'question'))}
        </p>
      </div>
      {question.skippedAt !== null && (
        <div className="ask-when">
          <b>
            <TimeLeft until={question.skippedAt} />
          </b>
          <span className="cap">{texts.unanswered}</span>
        </div>
      )}
      <div className="ask-act">
        <button className="btn btn-main" type="button" onClick={() => answer(true)} aria-describedby={id}>
          {texts.yes}
        </button>
        <button className="btn" type="button" onClick={() => answer(false)} aria-describedby={id}>
          {texts.no}
        </button>
      </div>
    </section>
  );
}
