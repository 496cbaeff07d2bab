import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { reasonOf } from '../../../renderer/app/asked';
import { usePanel } from '../../../renderer/app/panel';
import { hrefOf } from '../../../renderer/app/routes';
import { ModelId } from '../../../renderer/components/ModelId';
import { councilPageTexts, councilRunTexts, wordTexts } from '../../../texts';
import { moneyPhrase } from '../../../wording/usage-words';
import { clock, shortName } from '../../../wording/wording';
import type { CouncilPlan } from '../contract/council';
import { stageLabel } from '../wording/council-page-words';
import { councilName, councilSpeaker } from '../wording/council-words';
import type { AskedFor } from './asked-for';

type Props = Readonly<{ plan: CouncilPlan; asked: AskedFor }>;

export function PlanCard({ plan, asked: request }: Props) {
  const texts = councilPageTexts();
  const { api, notices } = usePanel();
  const isShown = useIsShown();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBeginning, setBeginning] = useState(false);
  const begin = async () => {
    if (isBeginning || plan.player === null) return;
    setProblem(null);
    setBeginning(true);
    const begun = await api
      .ask('council.begin', { plan: plan.id })
      .catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
    if (!isShown.current) {
      // The start may take minutes; a user who left the page stays there.
      const { told: noticeTexts } = councilRunTexts();
      const text = begun.ok
        ? noticeTexts.begun(councilName(plan))
        : noticeTexts.notBegun(councilName(plan), begun.reason);
      return notices.tell({ text, isRefusal: !begun.ok, undo: null });
    }
    setBeginning(false);
    if (begun.ok) window.location.hash = hrefOf('council', begun.run);
    else setProblem(texts.start.notBegun(begun.reason));
  };
  return (
    <section className="card co-plan" aria-labelledby="co-plan">
      <div className="card-head">
        <h2 id="co-plan">{texts.plan.title}</h2>
        <span className="cap">{activityOf(plan)}</span>
      </div>
      <div className="co-plan-body">
        <dl className="pairs">
          <Facts plan={plan} repo={request.repo} />
        </dl>
        <Speakers plan={plan} />
      </div>
      <div className="card-foot co-plan-foot">
        <p className="co-plan-says" role="status">
          {isBeginning
            ? plan.isFetched
              ? texts.plan.fetching
              : texts.plan.beginning
            : plan.player === null && texts.plan.noPlayer(plan.whyNoPlayer ?? '')}
        </p>
        {problem !== null && (
          <p className="co-problem co-plan-says" role="alert">
            {problem}
          </p>
        )}
        <button
          className="btn btn-main"
          type="button"
          aria-disabled={isBeginning || plan.player === null}
          onClick={() => void begin()}
        >
          {texts.plan.begin}
        </button>
      </div>
    </section>
  );
}

function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

function activityOf({ activity, repo }: CouncilPlan): string {
  const { shape } = councilPageTexts().start;
  if (activity === 'code_review') return shape.review(repo ?? '');
  return activity === 'brainstorm' ? shape.brainstorm : shape.both(repo ?? '');
}

function Facts({ plan, repo: requestedRepo }: Readonly<{ plan: CouncilPlan; repo: string | null }>) {
  const texts = councilPageTexts().plan;
  const { listed } = wordTexts();
  const { problem, repo, isFetched, stages, oracle, heroes, defaultParty, resets, leftOut, player } = plan;
  return (
    <>
      {(problem !== null || repo !== null) && (
        <Fact name={texts.of}>
          {problem !== null && <span className="co-clip">{problem}</span>}
          {repo !== null && <span title={requestedRepo ?? undefined}>{isFetched ? texts.fetched(repo) : repo}</span>}
        </Fact>
      )}
      <Fact name={texts.stages}>
        <ol className="co-flow">
          {stages.map(({ id }) => (
            <li key={id}>{stageLabel(id)}</li>
          ))}
        </ol>
      </Fact>
      <Fact name={texts.oracle}>{texts.playedBy(councilSpeaker(oracle))}</Fact>
      <Fact name={texts.party}>
        <span>{partyPhrase(plan)}</span>
        <span className="cap">{texts.playedInTurn(listed(heroes.map(councilSpeaker)))}</span>
        {defaultParty.length > 0 && <span className="cap">{texts.whenNot(listed(defaultParty))}</span>}
      </Fact>
      <Fact name={texts.estimate}>
        <Estimate plan={plan} />
      </Fact>
      <Fact name={texts.cap}>
        {plan.cap === null ? texts.noCap : texts.pausesAt(moneyPhrase(plan.cap))}
        {plan.cap !== null && (plan.estimate.cost ?? 0) > plan.cap && <span className="cap">{texts.aboveCap}</span>}
      </Fact>
      <Fact name={texts.reads}>{repo === null ? texts.readsNothing : texts.readsCopy}</Fact>
      {player !== null && (
        <Fact name={texts.player}>
          <span className="path">{player}</span>
        </Fact>
      )}
      {resets.length > 0 && (
        <Fact name={texts.cannot}>
          {resets.map(({ speaker, until }) => (
            <span key={speaker}>{texts.until(councilSpeaker(speaker), clock(until))}</span>
          ))}
        </Fact>
      )}
      {leftOut.length > 0 && <Fact name={texts.leftOut}>{listed(leftOut.map(({ model }) => shortName(model)))}</Fact>}
    </>
  );
}

function Fact({ name, children }: Readonly<{ name: string; children: ReactNode }>) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function partyPhrase({ party: { least, most }, parallel }: CouncilPlan): string {
  const texts = councilPageTexts().plan;
  return least === most ? texts.partyIs(most, parallel) : texts.partyOf(least, most, parallel);
}

function Estimate({ plan: { estimate } }: Readonly<{ plan: CouncilPlan }>) {
  const { plan: texts, counts } = councilPageTexts();
  const { cost, turns, unpriced } = estimate;
  return (
    <>
      <span>
        <span className="src src-ours co-estimate">
          {cost === null ? texts.noPrice(counts.turn(turns)) : texts.about(moneyPhrase(cost), counts.turn(turns))}
        </span>
      </span>
      {unpriced.length > 0 && (
        <span className="cap">{texts.unpriced(wordTexts().listed(unpriced.map(shortName)))}</span>
      )}
    </>
  );
}

function Speakers({ plan: { speakers } }: Readonly<{ plan: CouncilPlan }>) {
  const texts = councilPageTexts().plan;
  return (
    <div className="co-speakers">
      <h3 className="small muted" id="co-speakers">
        {texts.speakers}
      </h3>
      <ul aria-labelledby="co-speakers">
        {speakers.map(({ name, model, fallback, vendor }) => (
          <li key={name}>
            <b>{councilSpeaker(name)}</b>
            <ModelId model={model} />
            <span className="cap">
              {model.startsWith(`${vendor}/`) ? '' : `${vendor} · `}
              {fallback === null || fallback === model ? texts.noFallback : texts.falls(shortName(fallback))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
