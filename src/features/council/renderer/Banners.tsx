import { useId, useState } from 'react';
import { TimeLeft } from '../../../renderer/components/Countdown';
import { Icon, type IconName } from '../../../renderer/components/Icon';
import { Marked } from '../../../renderer/components/Marked';
import { councilPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { CouncilRunRow } from '../contract/council-run';
import { failureWords } from '../wording/council-page-words';
import { councilSpeaker, councilSpent } from '../wording/council-words';
import { useRunActs } from './use-council';

type Props = Readonly<{ row: CouncilRunRow; onStop: () => void }>;

export function Banners({ row, onStop }: Props) {
  const { question, state } = row;
  if (question) return <Question key={question.id} row={row} question={question} />;
  if (state === 'paused_for_user') return <Capped row={row} onStop={onStop} />;
  if (state === 'paused') return <AllOff row={row} onStop={onStop} />;
  return state === 'left' ? <Left row={row} /> : null;
}

type QuestionProps = Readonly<{ row: CouncilRunRow; question: NonNullable<CouncilRunRow['question']> }>;

function Question({ row, question }: QuestionProps) {
  const texts = councilPageTexts().question;
  const { say } = useRunActs(row.run);
  const id = useId();
  const name = councilSpeaker(question.speaker);
  const fallback = shortName(question.fallback);
  const answer = (yes: boolean) =>
    void say({ kind: 'answer', yes, question: question.id }, yes ? texts.yesSaid(name, fallback) : texts.noSaid(name));
  return (
    <section className="ask" aria-labelledby={id}>
      <Icon name="ask" />
      <div className="ask-text">
        <h2 id={id}>{texts.title(name, fallback)}</h2>
        <p className="small">
          {texts.why(shortName(question.model), failureWords(question.failure))}{' '}
          <Marked text={texts.later(question.speaker)} />
        </p>
      </div>
      <div className="ask-when">
        <b>
          <TimeLeft until={question.skipAt} />
        </b>
        <span className="cap">{texts.unanswered}</span>
      </div>
      <div className="ask-act">
        <button className="btn btn-main" type="button" aria-describedby={id} onClick={() => answer(true)}>
          {texts.yes}
        </button>
        <button className="btn" type="button" aria-describedby={id} onClick={() => answer(false)}>
          {texts.no}
        </button>
      </div>
    </section>
  );
}

function Capped({ row, onStop }: Props) {
  const texts = councilPageTexts().pause;
  const { say } = useRunActs(row.run);
  return (
    <Banner icon="pause" title={texts.capTitle(councilSpent(row))} more={texts.capMore}>
      <button
        className="btn btn-main"
        type="button"
        onClick={() => void say({ kind: 'answer', yes: true, question: null }, texts.raised)}
      >
        {texts.raise}
      </button>
      <button className="btn" type="button" onClick={onStop}>
        {texts.end}
      </button>
    </Banner>
  );
}

function AllOff({ row, onStop }: Props) {
  const texts = councilPageTexts().pause;
  const { say } = useRunActs(row.run);
  return (
    <Banner icon="pause" title={texts.offTitle} more={texts.offMore}>
      <button
        className="btn btn-main"
        type="button"
        onClick={() => void say({ kind: 'retry', name: 'all' }, texts.retried)}
      >
        {texts.retryAll}
      </button>
      <button className="btn" type="button" onClick={onStop}>
        {texts.end}
      </button>
    </Banner>
  );
}

function Left({ row }: Readonly<{ row: CouncilRunRow }>) {
  const texts = councilPageTexts().pause;
  const { resume } = useRunActs(row.run);
  const [isResuming, setResuming] = useState(false);
  const go = async () => {
    if (isResuming) return;
    setResuming(true);
    await resume();
    setResuming(false);
  };
  return (
    <Banner
      icon="pause"
      title={texts.leftTitle}
      more={row.isInSession ? texts.leftInSession : isResuming ? texts.resuming : texts.leftMore}
    >
      {!row.isInSession && (
        <button className="btn btn-main" type="button" aria-disabled={isResuming} onClick={() => void go()}>
          {texts.resume}
        </button>
      )}
    </Banner>
  );
}

type BannerProps = Readonly<{ icon: IconName; title: string; more: string; children: React.ReactNode }>;

export function Banner({ icon, title, more, children }: BannerProps) {
  const id = useId();
  return (
    <section className="ask" aria-labelledby={id}>
      <Icon name={icon} />
      <div className="ask-text">
        <h2 id={id}>{title}</h2>
        <p className="small" role="status">
          <Marked text={more} />
        </p>
      </div>
      <div className="ask-act">{children}</div>
    </section>
  );
}
