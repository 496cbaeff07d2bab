import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import type { ModelUse } from '../../../contract/usage';
import { modelTexts, shellTexts } from '../../../texts';
import { resettable } from '../../../wording/act-words';
import { countedOf } from '../../../wording/model-words';
import { modelsPhrase } from '../../../wording/standing-words';
import { useCoreNow, useSnapshot } from '../../app/panel';
import { remember, remembered } from '../../app/remembered';
import { hrefOf, useRouteQuery } from '../../app/routes';
import { onRowKey } from '../../app/row-keys';
import type { TimeRange } from '../../app/shared-time';
import { useSteadyOrder } from '../../app/steady-order';
import { useTimeOf } from '../../app/use-time';
import { useWindowed } from '../../app/windowed';
import { PageHead } from '../../components/PageHead';
import { parseRange, rangeText } from '../../components/time/range';
import { TimePicker } from '../../components/time/TimePicker';
import { withinText } from '../../components/time/words';
import { ModelDetail } from './ModelDetail';
import { ModelDialog, type ModelQuestion } from './ModelDialogs';
import { ModelTable } from './ModelTable';
import { ModelTile } from './ModelTile';
import { OutcomeLegend } from './OutcomeBar';
import { useProbe } from './probe';
import { useModelUses } from './use-model-uses';

const modelOf = ({ model }: ModelRow): string => model;

/** Sizes of the style sheet. */
const TILES = { rowPx: 154, gapPx: 10, columnPx: 262 } as const;

const USUAL_RANGE: TimeRange = { kind: 'days', days: 7 };
const LAYOUT = 'models.layout';

export function ModelsPage({ openModel }: Readonly<{ openModel: string | null }>) {
  const snapshot = useSnapshot();
  const { models } = snapshot;
  const texts = modelTexts();
  const [layout, choose] = useLayout();
  const [question, ask] = useState<ModelQuestion | null>(null);
  const endQuestion = useCallback(() => ask(null), []);
  const open = models.find((row) => row.model === openModel);
  const list = useRef<HTMLUListElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const isTable = layout === 'table';
  const drawn = useDrawn(models, list);
  const { takesFocus, reach } = useFocusBetween(open?.model ?? null, isTable ? table : list, drawn);
  const [probed, probe] = useProbe();
  const range = useRange();
  const uses = useModelUses(range, models);
  const close = () => {
    window.location.hash = hrefOf('models');
  };
  return (
    <>
      <PageHead
        title={models.length > 0 ? shellTexts().views.models : texts.page.none}
        lede={models.length > 0 ? modelsPhrase(models) : texts.page.noneLede}
      >
        {models.length > 0 && <LayoutChoice layout={layout} onChoose={choose} />}
        {resettable(snapshot, { all: true }).length > 0 && (
          <button className="btn" type="button" onClick={() => ask({ kind: 'resetMany' })}>
            {texts.actions.reset}
          </button>
        )}
      </PageHead>
      {models.length > 0 && <Scope range={range} openModel={openModel} hasBars={!isTable} />}
      <div className={open ? 'models models-open' : 'models'}>
        {isTable ? (
          <ModelTable models={models} uses={uses} list={table} />
        ) : (
          <ul className="tiles" ref={list} style={drawn.style} onKeyDown={(event) => onRowKey(event, reach)}>
            <Tiles models={models} uses={uses} drawn={drawn} open={open} />
          </ul>
        )}
        {open && (
          <ModelDetail
            key={open.model}
            row={open}
            use={uses && countedOf(open, uses)}
            range={range}
            takesFocus={takesFocus}
            probed={probed?.model === open.model ? probed : null}
            onAsk={ask}
            onClose={close}
          />
        )}
      </div>
      {question && <ModelDialog question={question} onProbe={probe} onEnd={endQuestion} />}
    </>
  );
}

type Drawn = Readonly<{
  rows: readonly ModelRow[];
  from: number;
  style: CSSProperties | undefined;
  show: (model: string) => void;
  /** Null beyond the ends. */
  beside: (model: string, step: number) => string | null;
}>;

/** Tiles do not move while the list has the focus. */
function useDrawn(models: readonly ModelRow[], list: RefObject<HTMLElement | null>): Drawn {
  const shown = useSteadyOrder(models, modelOf, () => list.current?.contains(document.activeElement) ?? false);
  const { from, to, style, show } = useWindowed(list, shown.length, TILES);
  return {
    rows: shown.slice(from, to),
    from,
    style,
    show: (model) => show(shown.findIndex((row) => row.model === model)),
    beside(model, step) {
      const at = shown.findIndex((row) => row.model === model);
      return (at < 0 ? undefined : shown[at + step]?.model) ?? null;
    },
  };
}

function useRange(): TimeRange {
  const query = useRouteQuery();
  const named = useMemo(() => parseRange(new URLSearchParams(query).get(TIME) ?? ''), [query]);
  return useTimeOf(named, USUAL_RANGE);
}
const TIME = 'time';

type ScopeProps = Readonly<{ range: TimeRange; openModel: string | null; hasBars: boolean }>;

function Scope({ range, openModel, hasBars }: ScopeProps) {
  const { outcomes } = modelTexts();
  const now = useCoreNow(null);
  return (
    <div className="models-scope">
      <TimePicker
        range={range}
        now={now}
        hrefOf={(target) => `${hrefOf('models', openModel ?? undefined)}?${TIME}=${rangeText(target)}`}
      />
      <span className="cap">{outcomes.title(withinText(range))}</span>
      {hasBars && <OutcomeLegend />}
    </div>
  );
}

type Layout = 'tiles' | 'table';

function useLayout(): readonly [layout: Layout, choose: (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => (remembered(LAYOUT) === 'table' ? 'table' : 'tiles'));
  const choose = (wanted: Layout) => {
    remember(LAYOUT, wanted);
    setLayout(wanted);
  };
  return [layout, choose];
}

type LayoutProps = Readonly<{ layout: Layout; onChoose: (layout: Layout) => void }>;

function LayoutChoice({ layout, onChoose }: LayoutProps) {
  const texts = modelTexts().layout;
  return (
    <fieldset className="seg">
      <legend className="sr">{texts.label}</legend>
      {(['tiles', 'table'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={layout === each} onClick={() => onChoose(each)}>
          {texts[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** Otherwise each call of the busiest model would resize all discs. */
function roundedUp(count: number): number {
  const unit = 10 ** Math.floor(Math.log10(count));
  return Math.ceil(count / unit) * unit;
}

type TilesProps = Readonly<{
  models: readonly ModelRow[];
  uses: readonly ModelUse[] | null;
  drawn: Drawn;
  open: ModelRow | undefined;
}>;

function Tiles({ models, uses, drawn: { rows, from }, open }: TilesProps) {
  const mostCalls = roundedUp(Math.max(1, ...(uses ?? []).map(({ totalCalls }) => totalCalls)));
  return rows.map((row, index) => (
    <ModelTile
      key={row.model}
      row={row}
      use={uses && countedOf(row, uses)}
      mostCalls={mostCalls}
      isOpen={row === open}
      place={from + index + 1}
      count={models.length}
    />
  ));
}

/** `takesFocus`: opening this model hid the focused list. */
type FocusBetween = Readonly<{ takesFocus: boolean; reach: (model: string, step: number) => void }>;

function useFocusBetween(
  open: string | null,
  list: RefObject<HTMLElement | null>,
  { show, beside }: Pick<Drawn, 'show' | 'beside'>,
): FocusBetween {
  const last = useRef(open);
  const wanted = useRef<string | null>(null);
  const onShow = useEffectEvent(show);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const before = last.current;
    if (before === open) return;
    last.current = open;
    setGone(open !== null && list.current?.offsetParent === null);
    if (open !== null || before === null || document.activeElement !== document.body) return;
    wanted.current = before;
    onShow(before);
  }, [open, list]);
  // A distant tile is drawn only after scrolling.
  useEffect(() => {
    const tiles = wanted.current === null ? [] : (list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []);
    const tile = [...tiles].find(({ dataset }) => dataset.row === wanted.current);
    if (!tile) return;
    wanted.current = null;
    tile.focus();
  });
  const reach = (model: string, step: number): void => {
    // A held key continues from its last target, if that still exists.
    const going = wanted.current !== null && beside(wanted.current, 0);
    const next = beside(going || model, step);
    if (next === null) return;
    wanted.current = next;
    show(next);
  };
  return { takesFocus: isGone, reach };
}
