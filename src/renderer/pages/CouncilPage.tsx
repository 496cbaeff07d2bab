import { type RefObject, useEffect, useRef } from 'react';
import { councilPageTexts } from '../../texts';
import { PageHead } from '../components/PageHead';
import { Bones, Unanswered, useLate } from '../components/Waiting';
import { NewRun } from '../council/NewRun';
import { takeWish } from '../council/new-wish';
import { RunList } from '../council/RunList';
import { RunPage } from '../council/RunPage';
import { useRuns } from '../council/use-council';

/** A new council and those there were, or the run that the address names. */
export function CouncilPage({ run }: Readonly<{ run: string | null }>) {
  const left = useRef<string | null>(null);
  useEffect(() => {
    if (run !== null) left.current = run;
  }, [run]);
  return run === null ? <Councils left={left} /> : <RunPage key={run} run={run} />;
}

function Councils({ left }: Readonly<{ left: RefObject<string | null> }>) {
  const { answer, problem, again } = useRuns();
  const said = councilPageTexts().head;
  const isLate = useLate();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => takeWish(() => field.current?.focus()), []);
  return (
    <>
      <PageHead title={said.title} lede={said.lede} isHistory />
      <NewRun whyNot={answer?.whyNot ?? null} field={field} />
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      {!answer && problem === null && isLate && <Bones />}
      {answer && <RunList runs={answer.runs} onChange={again} left={left} />}
    </>
  );
}
