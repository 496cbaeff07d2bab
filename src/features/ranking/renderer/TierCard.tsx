import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { KeyboardEvent } from 'react';
import { Icon } from '../../../renderer/components/Icon';
import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { ChainProposal, PlaceCode, Review } from '../contract/ranking';
import { rowPrice, shareText } from '../wording/ranking-page-words';
import { placePhrase } from '../wording/ranking-words';

type Props = Readonly<{
  model: string;
  /** From 1, in the whole chain. */
  position: number;
  code: PlaceCode;
  proposal: ChainProposal;
  review: Review | null;
  keptAt: number | null;
  canKeep: boolean;
  of: number;
  onKeep: (model: string, position: number | null) => Promise<void>;
}>;

export function TierCard(props: Props) {
  const { model, position, code, proposal, review, keptAt, canKeep, of, onKeep } = props;
  const texts = rankingPageTexts().proposal;
  const isHosted = position <= of;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, isDragging } = useSortable({
    id: model,
    disabled: !(canKeep && isHosted),
  });
  const row = proposal.models.find((one) => one.model === model);
  const isOpen = review !== null && review.choice === null;
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0 || !isHosted) return;
    event.preventDefault();
    const to = position + step;
    if (to >= 1 && to <= of) void onKeep(model, to);
  };
  const facts = [row?.score == null ? null : shareText(row.score), (row && rowPrice(row)) ?? null].filter(Boolean);
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform) }}
      className={`tc${isOpen ? ' tc-wait' : ''}${isDragging ? ' tc-lifted' : ''}`}
      data-model={model}
      onKeyDown={onKey}
    >
      <span className="tc-head">
        <b className="tc-n">{position}</b>
        <ModelId model={model} isStrong />
      </span>
      {facts.length > 0 && <span className="cap">{facts.join(' · ')}</span>}
      <span className="cap">{[row?.account, row?.region].filter(Boolean).join(' · ')}</span>
      <span className="cap">{placePhrase(code)}</span>
      <span className="tc-foot">
        <State review={review} />
        {canKeep && isHosted && (
          <span className="tc-acts">
            <button
              className="btn btn-sm btn-icon btn-quiet"
              type="button"
              aria-pressed={keptAt !== null}
              aria-label={keptAt === null ? texts.keepAt(shortName(model)) : texts.release(shortName(model))}
              title={keptAt === null ? texts.keepAt(shortName(model)) : texts.release(shortName(model))}
              onClick={() => void onKeep(model, keptAt === null ? position : null)}
            >
              <Icon name="pin" />
            </button>
            <button
              {...attributes}
              {...listeners}
              ref={setActivatorNodeRef}
              className="grip tc-grip"
              type="button"
              aria-label={texts.grip(shortName(model), position, of)}
            >
              <Icon name="grip" />
            </button>
          </span>
        )}
      </span>
    </li>
  );
}

function State({ review }: Readonly<{ review: Review | null }>) {
  const texts = rankingPageTexts().proposal;
  if (review === null) return <span className="cap">{texts.stays}</span>;
  const { choice } = review;
  return (
    <span className={choice === null ? 'tc-state tc-open' : 'tc-state'}>
      <Icon name={choice === null ? 'ask' : choice === 'approved' ? 'check' : 'close'} />
      {choice === null ? texts.open : texts[choice]}
    </span>
  );
}
