import { useRef, useState } from 'react';
import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import { useSnapshot } from '../../../renderer/app/panel';
import { hrefOf } from '../../../renderer/app/routes';
import { PageHead } from '../../../renderer/components/PageHead';
import { projectsOf } from '../../../renderer/components/ProjectChoice';
import { Unanswered } from '../../../renderer/components/Waiting';
import { chainTexts, rankingPageTexts, rankingTexts, shellTexts } from '../../../texts';
import type { Run } from '../contract/ranking';
import { rankHeadline } from '../wording/ranking-page-words';
import { ApplyCard } from './ApplyCard';
import { Choices, LiveSwitch } from './Choices';
import { countedIn } from './heat';
import { looksOf } from './looks';
import { ProposalCard } from './ProposalCard';
import { RankList } from './RankList';
import { ReviewCard } from './ReviewCard';
import { BarFills } from './ScoreBar';
import { AS_IT_IS, type Ranking, useRanking, type Wanted } from './use-ranking';
import { ValuesCard } from './ValuesCard';
import { type FormulaDraft, WeightsCard } from './WeightsCard';

export function RankingPage({ agent: named }: Readonly<{ agent: string | null }>) {
  const directories = projectsOf(useSnapshot());
  const [chosen, choose] = useState<Readonly<{ directory: string | null }> | null>(null);
  const isThere = chosen !== null && (chosen.directory === null || directories.includes(chosen.directory));
  const directory = isThere ? chosen.directory : (directories[0] ?? null);
  const agent = named ?? DEFAULT_AGENT;
  const { wanted, draft, want, setDraft } = useWanted(agent);
  const text = draft === null || draft.text.trim() === '' ? null : draft.text;
  const ranking = useRanking({ directory, agent }, { ...wanted, formula: text });
  const { answer, problem, again, isLive } = ranking;
  const onPlace = (place: Partial<Ranking['place']>) => {
    want(AS_IT_IS);
    if (place.directory !== undefined) choose({ directory: place.directory });
    if (place.agent !== undefined) window.location.hash = hrefOf('ranking', place.agent);
  };
  const texts = rankingPageTexts();
  const headline = answer
    ? rankHeadline(answer)
    : { title: texts.head.loading, lede: problem ? '' : texts.head.asking };
  return (
    <>
      <PageHead {...headline} isHistory>
        <LiveSwitch isLive={isLive} onTurn={(next) => want({ isLive: next })} />
      </PageHead>
      <Choices
        ranking={ranking}
        directories={directories}
        want={want}
        onPlace={onPlace}
        agents={answer?.agents.map((one) => one.agent) ?? []}
      />
      {problem !== null && <Unanswered problem={texts.head.failed(problem)} onAgain={again} />}
      {answer && (
        <Shown
          key={`${directory} ${agent}`}
          ranking={ranking}
          answer={answer}
          draft={draft}
          setDraft={setDraft}
          onBack={() => want(AS_IT_IS)}
        />
      )}
    </>
  );
}

function useWanted(agent: string) {
  const fresh = { agent, wanted: AS_IT_IS, draft: null };
  const [choice, keep] = useState<Readonly<{ agent: string; wanted: Wanted; draft: FormulaDraft | null }>>(fresh);
  const mine = choice.agent === agent ? choice : fresh;
  return {
    wanted: mine.wanted,
    draft: mine.draft,
    setDraft: (draft: FormulaDraft | null) => keep({ ...mine, draft }),
    want: (change: Partial<Wanted>) =>
      keep({ ...mine, wanted: { ...mine.wanted, ...change }, draft: 'formula' in change ? null : mine.draft }),
  };
}

type ShownProps = Readonly<{
  ranking: Ranking;
  answer: NonNullable<Ranking['answer']>;
  draft: FormulaDraft | null;
  setDraft: (draft: FormulaDraft | null) => void;
  onBack: () => void;
}>;

function Shown({ ranking, answer, draft, setDraft, onBack }: ShownProps) {
  const [setsDepth, setDepth] = useState(true);
  const { again, run, isOfRun, isFresh } = ranking;
  const inForce = useInForce(answer, draft !== null || !isFresh);
  // While a formula is invalid, the last valid result stays.
  const ranked = useLast(answer, answer.problem === null) ?? answer;
  const counted = [...new Set([...countedIn(inForce), ...countedIn(ranked.formula)])];
  const looks = looksOf(counted);
  const texts = rankingPageTexts().choice;
  if (answer.listed === null && answer.proposal === null) return <NothingListed answer={answer} />;
  return (
    <>
      <KeepingNote answer={answer} />
      {run && !isOfRun && (
        <p className="card card-body rk-apart">
          {apartPhrase(ranking, run, draft !== null)}{' '}
          <button className="btn btn-sm" type="button" onClick={onBack}>
            {texts.back}
          </button>
        </p>
      )}
      {answer.role !== null && (
        <BarFills looks={looks}>
          <div className="rank">
            <WeightsCard
              answer={answer}
              draft={draft}
              looks={looks}
              isPublished={inForce?.isPublished ?? true}
              onDraft={setDraft}
              onKept={() => {
                setDraft(null);
                again();
              }}
            />
            <RankList answer={ranked} />
          </div>
        </BarFills>
      )}
      <ValuesCard ranking={ranking} answer={ranked} counted={counted} />
      {answer.role !== null && (
        <div className="prop">
          <ProposalCard ranking={ranking} proposal={ranked.proposal} setsDepth={setsDepth} onDepth={setDepth} />
          <div className="stack">
            <ReviewCard ranking={ranking} answer={answer} proposal={answer.proposal} />
            <ApplyCard ranking={ranking} answer={answer} setsDepth={setsDepth} />
          </div>
        </div>
      )}
    </>
  );
}

function NothingListed({ answer }: Pick<ShownProps, 'answer'>) {
  return (
    <>
      <KeepingNote answer={answer} />
      <section className="card card-body empty" aria-label={chainTexts().page.nextStep}>
        <p>{rankingPageTexts().head.openOnce}</p>
        <a className="btn" href={hrefOf('setup')}>
          {shellTexts().views.setup}
        </a>
      </section>
    </>
  );
}

function KeepingNote({ answer: { keeping } }: Pick<ShownProps, 'answer'>) {
  return keeping.ok ? null : (
    <p className="card card-body" role="alert">
      {rankingPageTexts().choice.notKept(keeping.reason)}
    </p>
  );
}

function apartPhrase({ answer, isLive }: Ranking, run: Run, hasDraft: boolean): string {
  const texts = rankingPageTexts().choice;
  if (answer?.role !== run.role) return texts.another(rankingTexts().roles[run.role]);
  return hasDraft && isLive === run.isLive ? texts.anotherFormula : texts.anotherBlend;
}

/** The formula in force; a draft does not change its drawing. */
function useInForce({ role, formula }: ShownProps['answer'], isDraft: boolean) {
  const last = useLast({ role, formula }, !isDraft && formula !== null);
  return last?.role === role ? last.formula : null;
}

function useLast<T>(value: T, isGood: boolean): T | null {
  const last = useRef<T | null>(null);
  if (isGood) last.current = value;
  return last.current;
}
