import { type KeyboardEvent, useId, useState } from 'react';
import { isTyping } from '../../../renderer/app/page-keys';
import { Icon } from '../../../renderer/components/Icon';
import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import { CHOICES, type ChainProposal, type Choice, type RankAnswer, type Review } from '../contract/ranking';
import { lookPhrase, placePhrase, tierName } from '../wording/ranking-words';
import { Evidence } from './Evidence';
import { Ignored } from './Ignored';
import type { Ranking } from './use-ranking';

const KEYS: Readonly<Record<Choice, string>> = { approved: 'A', denied: 'N', ignored: 'X' };

type Props = Readonly<{ ranking: Ranking; answer: RankAnswer; proposal: ChainProposal | null }>;

export function ReviewCard({ ranking, answer, proposal }: Props) {
  const texts = rankingPageTexts().review;
  const id = useId();
  const { run, isOfRun, isBusy } = ranking;
  const { reviews } = answer;
  const open = reviews.filter(({ choice }) => choice === null).length;
  const [wanted, want] = useState<string | null>(null);
  const shown =
    reviews.find(({ model }) => model === wanted) ?? reviews.find(({ choice }) => choice === null) ?? reviews[0];
  const at = shown ? reviews.indexOf(shown) : -1;
  return (
    <section className="card rk-review" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap push" role="status">
          {run && isOfRun && shown && (
            <>
              <span className="sr">{shortName(shown.model)} </span>
              {texts.place(at + 1, reviews.length, open)}
            </>
          )}
        </span>
      </div>
      {run === null || !isOfRun ? (
        <p className="card-body small">{texts.begin}</p>
      ) : shown && proposal ? (
        <Gate
          ranking={ranking}
          answer={answer}
          proposal={proposal}
          review={shown}
          onStep={(by) => want(reviews[(at + by + reviews.length) % reviews.length]?.model ?? null)}
          onDecided={() => want(null)}
        />
      ) : (
        <p className="card-body small" role="status">
          {isBusy ? texts.onItsWay : texts.none}
        </p>
      )}
      <Ignored ranking={ranking} answer={answer} />
    </section>
  );
}

type GateProps = Readonly<{
  ranking: Ranking;
  answer: RankAnswer;
  proposal: ChainProposal;
  review: Review;
  onStep: (by: 1 | -1) => void;
  onDecided: () => void;
}>;

function Gate({ ranking, proposal, review, onStep, onDecided }: GateProps) {
  const texts = rankingPageTexts();
  const { act, isBusy } = ranking;
  const [refused, refuse] = useState<Readonly<{ model: string; why: string | null }> | null>(null);
  const { model, evidence, codes, choice } = review;
  const refusal = refused?.model === model ? refused.why : null;
  const link = proposal.chain.find((one) => one.model === model);
  const decide = async (next: Choice | null) => {
    if (isBusy) return;
    const why = await act({ type: 'decide', model, choice: next, evidence });
    refuse({ model, why });
    if (why === null && next !== null) onDecided();
  };
  const onKey = (event: KeyboardEvent) => {
    const wanted = CHOICES.find((each) => KEYS[each] === event.key.toUpperCase());
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    void decide(wanted);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the controls inside.
    <div className="gate" onKeyDown={onKey}>
      <div className="gate-head">
        <ModelId model={model} isStrong />
        <span className={choice === null ? 'tag gate-open' : 'tag'}>{texts.review.state[choice ?? 'open']}</span>
      </div>
      <p className="small muted">
        {link && texts.review.proposedAt(proposal.chain.indexOf(link) + 1, tierName(link.tier), placePhrase(link.code))}{' '}
        {texts.review.because(lookPhrase(codes))}
      </p>
      <Evidence model={model} proposal={proposal} />
      <Decisions choice={choice} isBusy={isBusy} onDecide={(next) => void decide(next)} onStep={onStep} />
      <p className="cap" role={refusal === null ? undefined : 'alert'}>
        {refusal === null ? (isBusy ? texts.review.onItsWay : texts.review.rule) : texts.proposal.refused(refusal)}
      </p>
    </div>
  );
}

type DecisionsProps = Readonly<{
  choice: Choice | null;
  isBusy: boolean;
  onDecide: (choice: Choice | null) => void;
  onStep: (by: 1 | -1) => void;
}>;

function Decisions({ choice, isBusy, onDecide, onStep }: DecisionsProps) {
  const texts = rankingPageTexts().review;
  const labels: Readonly<Record<Choice, string>> = {
    approved: texts.approve,
    denied: texts.deny,
    ignored: texts.ignore,
  };
  return (
    <div className="gate-act">
      {CHOICES.map((each) => (
        <button
          key={each}
          className={each === 'approved' ? 'btn btn-main' : 'btn'}
          type="button"
          aria-pressed={choice === each}
          aria-disabled={isBusy}
          aria-keyshortcuts={KEYS[each]}
          onClick={() => onDecide(each)}
        >
          {labels[each]}{' '}
          <span className="key" aria-hidden="true">
            {KEYS[each]}
          </span>
        </button>
      ))}
      {choice !== null && (
        <button className="btn btn-quiet" type="button" aria-disabled={isBusy} onClick={() => onDecide(null)}>
          {texts.takeBack}
        </button>
      )}
      <span className="gate-steps">
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => onStep(-1)}>
          <Icon name="chevron" className="i gate-back" />
          {texts.previous}
        </button>
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => onStep(1)}>
          {texts.next}
          <Icon name="chevron" />
        </button>
      </span>
    </div>
  );
}
