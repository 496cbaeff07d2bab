import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { useId, useMemo } from 'react';
import { rankingPageTexts } from '../../../texts';
import { type ChainProposal, TIER_SIZES, TIERS, type Tier } from '../contract/ranking';
import { tierName } from '../wording/ranking-words';
import { TierCard } from './TierCard';
import { announcementsFor } from './tier-drag';
import type { Ranking } from './use-ranking';

/** A shorter movement is a click, in px. */
const DRAG_DISTANCE = 7;
/** Other models do not move during a drag: only the dropped one gets a new place. */
const STAY = () => null;

type Props = Readonly<{ proposal: ChainProposal; ranking: Ranking; onRefused: (why: string | null) => void }>;

export function Tiers({ proposal, ranking, onRefused }: Props) {
  const texts = rankingPageTexts().proposal;
  const { act, run, isOfRun, isBusy } = ranking;
  const { chain } = proposal;
  const hosted = useMemo(() => chain.filter(({ tier }) => tier !== 'local').map(({ model }) => model), [chain]);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const announcements = useMemo(() => announcementsFor(hosted), [hosted]);
  const canKeep = run !== null && isOfRun && !isBusy;
  const keep = async (model: string, position: number | null) => {
    if (canKeep) onRefused(await act({ type: 'keep', model, position }));
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) void keep(String(active.id), hosted.indexOf(String(over.id)) + 1);
  };
  const accessibility = { announcements, screenReaderInstructions: { draggable: texts.instructions } };
  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      accessibility={accessibility}
      onDragEnd={onDragEnd}
      collisionDetection={closestCenter}
    >
      <SortableContext items={hosted} strategy={STAY}>
        <div className="tiers">
          {TIERS.map((tier) => (
            <Column
              key={tier}
              tier={tier}
              proposal={proposal}
              ranking={ranking}
              hosted={hosted}
              canKeep={canKeep}
              onKeep={keep}
            />
          ))}
        </div>
      </SortableContext>
    </DndContext>
  );
}

type ColumnProps = Readonly<{
  tier: Tier;
  proposal: ChainProposal;
  ranking: Ranking;
  hosted: readonly string[];
  canKeep: boolean;
  onKeep: (model: string, position: number | null) => Promise<void>;
}>;

function Column({ tier, proposal, ranking, hosted, canKeep, onKeep }: ColumnProps) {
  const texts = rankingPageTexts().proposal;
  const id = useId();
  const { chain } = proposal;
  const links = chain.flatMap((link, at) => (link.tier === tier ? [{ ...link, position: at + 1 }] : []));
  const size = TIER_SIZES[tier];
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>
        {tierName(tier)} <span className="cap">{tier === 'local' ? links.length : texts.tier(links.length, size)}</span>
      </h3>
      <ol>
        {links.map(({ model, position, code }) => (
          <TierCard
            key={model}
            model={model}
            position={position}
            code={code}
            proposal={proposal}
            canKeep={canKeep}
            of={hosted.length}
            review={ranking.answer?.reviews.find((one) => one.model === model) ?? null}
            keptAt={ranking.run?.kept.find(([id]) => id === model)?.[1] ?? null}
            onKeep={onKeep}
          />
        ))}
        {links.length < (tier === 'local' ? 1 : size) && <li className="tc tc-empty cap">{texts.empty}</li>}
      </ol>
    </section>
  );
}
