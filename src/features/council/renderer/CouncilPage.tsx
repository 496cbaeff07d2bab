import { type RefObject, useEffect, useRef } from 'react';
import { takeWish } from '../../../renderer/app/commands/new-council';
import { PageHead } from '../../../renderer/components/PageHead';
import { Bones, Unanswered, useLate } from '../../../renderer/components/Waiting';
import { councilPageTexts } from '../../../texts';
import { NewRun } from './NewRun';
import { RunList } from './RunList';
import { RunPage } from './RunPage';
import { useRuns } from './use-council';

export function CouncilPage({ run }: Readonly<{ run: string | null }>) {
  const left = useRef<string | null>(null);
  useEffect(() => {
    if (run !== null) left.current = run;
  }, [run]);
  return run === null ? <Councils left={left} /> : <RunPage key={run} run={run} />;
}

function Councils({ left }: Readonly<{ left: RefObject<string | null> }>) {
  const { answer, problem, again } = useRuns();
  const texts = councilPageTexts().head;
  const isLate = useLate();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => takeWish(() => field.current?.focus()), []);
  return (
    <>
      <PageHead title={texts.title} lede={texts.lede} isHistory />
      <NewRun whyNot={answer?.whyNot ?? null} field={field} />
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      {!answer && problem === null && isLate && <Bones />}
      {answer && <RunList runs={answer.runs} onChange={again} left={left} />}
    </>
  );
}
