import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext } from '@dnd-kit/sortable';
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ChainRow as Chain } from '../../contract';
import { agentLabel, chainKey, recentlyPhrase, rowIn, shortName, speakersOf, statesPhrase } from '../../contract';
import { chainTexts, draftTexts } from '../../texts';
import { useAsked } from '../asked';
import { isTyping } from '../page-keys';
import { usePanel, useSnapshot } from '../panel';
import { AddModel } from './AddModel';
import { ApplyDialog } from './ApplyDialog';
import { announcementsFor, instructions } from './announcements';
import { ChainRow, ColumnHeads } from './ChainRow';
import { Compare, leadBefore, type WrittenChain } from './Compare';
import { Conflict } from './Conflict';
import { CopyChain } from './CopyChain';
import { DraftBar } from './DraftBar';
import { captionOf, type Draft, type DraftStep, isChanged } from './draft';
import { rowCoordinates } from './keyboard';
import { useDraft } from './use-draft';

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 7 * 24;
/** Less than this is a click, in px. */
const DRAG_DISTANCE = 7;

/** One chain, to be put in order: by pointer, by touch and by keyboard. Nothing is in force before it is applied. */
export function ChainEditor({ chain }: Readonly<{ chain: Chain }>) {
  const snapshot = useSnapshot();
  const input = useRef<HTMLInputElement>(null);
  const recently = useRecently(chain.agent);
  const { written, base, isSure, askAgain } = useWritten(chain);
  const [draft, take] = useDraft(chainKey(chain), base, isSure);
  const [isApplying, setApplying] = useState(false);
  useNewsOf(draft, agentLabel(chain.agent));
  const { theirs } = draft;
  const apply = () => setApplying(isChanged(draft) && theirs === null);
  const onKey = keysFor({ undo: () => take({ type: 'undo' }), apply, add: () => input.current?.focus() });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the controls inside.
    <div className="stack" onKeyDown={onKey}>
      <Compare chain={chain} draft={draft} written={written} snapshot={snapshot} />
      <section className="card chain" aria-label={chainTexts().list.name(agentLabel(chain.agent))}>
        <header className="card-head">
          <h2>{agentLabel(chain.agent)}</h2>
          <span className="cap">
            {statesPhrase(chain.chain)}
            {recently && ` · ${recently}`}
            {written && ` · ${chainTexts().list.policy(written.policy)}`}
          </span>
          <AddModel
            known={snapshot.models.map(({ model }) => model).filter((model) => !draft.models.includes(model))}
            providers={[...new Set(snapshot.models.map(({ provider }) => provider))]}
            input={input}
            onAdd={(model) => take({ type: 'add', model })}
          />
        </header>
        <ChainList chain={chain} draft={draft} tiers={written?.tiers ?? []} take={take} />
        <CopyChain chain={chain} />
      </section>
      {theirs !== null && <Conflict draft={draft} theirs={theirs} take={take} />}
      {isChanged(draft) && theirs === null && (
        <DraftBar chain={chain} draft={draft} lead={leadBefore(chain, written)} take={take} onApply={apply} />
      )}
      {isApplying && (
        <ApplyDialog
          directory={chain.directory}
          agent={chain.agent}
          models={draft.models}
          onTried={askAgain}
          onEnd={() => setApplying(false)}
        />
      )}
    </div>
  );
}

/** How available the agent was in the last days; null while that is not known, and for whoever has no chain of their own. */
function useRecently(agent: string): string | null {
  const { at } = useSnapshot();
  const sinceMs = (Math.floor(at / HOUR_MS) - HOURS_SHOWN) * HOUR_MS;
  const rows = useAsked('scorecard.agents', { sinceMs }, `${agent} ${sinceMs}`);
  const row = rows?.find((one) => one.agent === agent);
  return row ? recentlyPhrase(row) : null;
}

/** Says that others have changed the chain, wherever on the page the eye is. */
function useNewsOf({ theirs }: Draft, subject: string): void {
  const { notices } = usePanel();
  useEffect(() => {
    if (theirs) notices.tell({ subject, text: draftTexts().conflict.news, isRefusal: false, undo: null });
  }, [notices, theirs, subject]);
}

/** What the keys of the editor do, wherever in it the focus is; letters are left to whoever types. */
function keysFor({ undo, apply, add }: Readonly<Record<'undo' | 'apply' | 'add', () => void>>) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const isText = isTyping(event.target);
    const isCommand = event.ctrlKey || event.metaKey;
    const act =
      isCommand && event.key === 's'
        ? apply
        : isCommand && event.key === 'z' && !isText
          ? undo
          : event.key === 'a' && !isText && !isCommand && !event.altKey
            ? add
            : null;
    if (!act) return;
    event.preventDefault();
    act();
  };
}

type ListProps = Readonly<{
  chain: Chain;
  draft: Draft;
  tiers: WrittenChain['tiers'];
  take: (step: DraftStep) => void;
}>;

function ChainList({ chain, draft, tiers, take }: ListProps) {
  const snapshot = useSnapshot();
  const list = useRef<HTMLOListElement>(null);
  const { models } = draft;
  const { move, remove } = useSteps(models, take, list);
  const headings = tierHeadings(draft, tiers);
  const firstWords = useFirstWords();
  const active = new Set(speakersOf(snapshot, chain).map((row) => row.active));
  return (
    <Sortable models={models} onMove={move}>
      {models.length > 0 && <ColumnHeads />}
      <ol ref={list}>
        {models.map((model, index) => (
          <Fragment key={model}>
            {headings.get(index)}
            <ChainRow
              model={model}
              index={index}
              count={models.length}
              caption={captionOf(draft, model, index)}
              row={rowIn(snapshot.models, chain.directory ?? '', model)}
              firstWordMs={firstWords.get(model) ?? null}
              isActive={active.has(model)}
              onMove={(to) => move(model, to)}
              onRemove={() => remove(model, index)}
            />
          </Fragment>
        ))}
        {models.length === 0 && <li className="mini-note muted">{chainTexts().list.empty}</li>}
      </ol>
    </Sortable>
  );
}

/** How soon each model begins its answers, in ms; asked for again with what happens, once a minute at most. */
function useFirstWords(): ReadonlyMap<string, number> {
  const minute = useSnapshot().at / 60_000;
  const rows = useAsked('models.latency', null, minute.toFixed());
  return useMemo(() => new Map(rows?.map(({ model, firstWordMs }) => [model, firstWordMs])), [rows]);
}

/** The name of each tier, by the position at which it begins: what is not in a tier comes before all of them. */
function tierHeadings({ base }: Draft, tiers: WrittenChain['tiers']): ReadonlyMap<number, ReactNode> {
  let start = base.length - tiers.reduce((sum, { size }) => sum + size, 0);
  return new Map(
    tiers.map(({ name, size }, index) => {
      const title = name ?? chainTexts().list.tier(index + 1);
      const at = start;
      start += size;
      return [
        at,
        <li className="tier" key={title}>
          <h3 className="cap">{title}</h3>
        </li>,
      ];
    }),
  );
}

/** The chain as its file has it, and what an edit begins with: that, else the chain in force, which is not sure to be it. */
function useWritten(chain: Chain) {
  const [asked, setAsked] = useState(0);
  const armed = useMemo(() => chain.chain.map(({ model }) => model), [chain]);
  const { config } = useSnapshot();
  const editions = config.map(({ edition }) => edition);
  const files = useAsked('chains.get', { directory: chain.directory }, [asked, ...armed, ...editions].join(' '));
  const written = files?.chains.find(({ agent }) => agent === chain.agent) ?? null;
  const askAgain = useCallback(() => setAsked((count) => count + 1), []);
  return { written, base: written?.models ?? armed, isSure: files !== undefined, askAgain };
}

type SortableProps = Readonly<{
  models: readonly string[];
  onMove: (model: string, to: number) => void;
  children: ReactNode;
}>;

function Sortable({ models, onMove, children }: SortableProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: rowCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onMove(String(active.id), models.indexOf(String(over.id)));
  };
  const announcements = useMemo(() => announcementsFor(models), [models]);
  const accessibility = { announcements, screenReaderInstructions: instructions() };
  return (
    <DndContext {...{ sensors, accessibility, onDragEnd }} collisionDetection={closestCenter}>
      {/* A row goes to the very place of another: headings between them stay where they are. */}
      <SortableContext items={[...models]} strategy={rectSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** Takes steps and keeps the focus where the hand is: moved rows are put into the page anew, removed ones are gone. */
function useSteps(
  models: readonly string[],
  take: (step: DraftStep) => void,
  list: RefObject<HTMLOListElement | null>,
) {
  const { notices } = usePanel();
  const wanted = useRef<Readonly<{ model: string; control: string }> | null>(null);
  useEffect(() => {
    const { model, control } = wanted.current ?? {};
    wanted.current = null;
    const row = model && [...(list.current?.children ?? [])].find((item) => item.getAttribute('data-model') === model);
    if (row) row.querySelector<HTMLElement>(`[data-control="${control}"]`)?.focus();
  });
  const move = (model: string, to: number) => {
    const control = document.activeElement?.getAttribute('data-control') ?? 'grip';
    if (list.current?.contains(document.activeElement)) wanted.current = { model, control };
    take({ type: 'move', model, to });
  };
  const remove = (model: string, at: number) => {
    const next = models[at + 1] ?? models[at - 1];
    if (next) wanted.current = { model: next, control: 'grip' };
    take({ type: 'remove', model });
    const undo = () => take({ type: 'add', model, at });
    notices.tell({ subject: shortName(model), text: chainTexts().row.removed, isRefusal: false, undo });
  };
  return { move, remove };
}
