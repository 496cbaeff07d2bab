import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { ModelHistory, ModelRow, Snapshot } from '../../../contract/snapshot';
import type { ModelUse } from '../../../contract/usage';
import { modelTexts, probeTexts, wordTexts } from '../../../texts';
import { isResettable, requestsPhrase, stateReason } from '../../../wording/act-words';
import {
  contextPhrase,
  dependantsOf,
  gonePhrase,
  outcomesPhrase,
  pricePhrase,
  recentPhrase,
} from '../../../wording/model-words';
import { clock, counted, folderName, kindPhrase, knownFrom, measured } from '../../../wording/wording';
import { useActs } from '../../app/acts';
import { useAsked } from '../../app/asked';
import { useCoreNow, useSnapshot, useStale } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import type { TimeRange } from '../../app/shared-time';
import { Countdown } from '../../components/Countdown';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { StateBadge } from '../../components/StateBadge';
import { withinText } from '../../components/time/words';
import type { ModelQuestion } from './ModelDialogs';
import { OutcomeBar } from './OutcomeBar';
import type { Probed } from './probe';
import { StateTimeline } from './StateTimeline';

type Props = Readonly<{
  row: ModelRow;
  /** Undefined without calls; null before a response. */
  use: ModelUse | undefined | null;
  range: TimeRange;
  /** Opening it hid the list and its focus. */
  takesFocus: boolean;
  /** Null without a probe. */
  probed: Probed | null;
  onAsk: (question: ModelQuestion) => void;
  onClose: () => void;
}>;

export function ModelDetail({ row, use, range, takesFocus, probed, onAsk, onClose }: Props) {
  const id = useId();
  const snapshot = useSnapshot();
  const heading = useRef<HTMLHeadingElement>(null);
  const history = useAsked('model.history', { model: row.model }, `${row.model} ${row.state} ${row.failed}`);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') onClose();
    if (event.key === 'p' && !probed?.isAsking) onAsk({ kind: 'probe', row });
    if (event.key === 'r' && isResettable(row)) onAsk({ kind: 'reset', row });
    if (event.key === 'h' && canHold(row)) onAsk({ kind: 'hold', row });
  };
  return (
    <section className="card detail" aria-labelledby={id} onKeyDown={onKey}>
      <header className="detail-head">
        <a className="btn btn-sm btn-quiet detail-close" href={hrefOf('models')}>
          <Icon name="close" />
          {modelTexts().actions.close}
        </a>
        <div className="detail-state">
          <StateBadge state={row.state} row={row} />
          {row.until !== null && <Countdown until={row.until} source={row.source} />}
        </div>
        <h2 id={id} tabIndex={-1} ref={heading}>
          <ModelId model={row.model} isStrong />
        </h2>
        <p className="muted">{stateReason(row, snapshot.at)}</p>
        {row.requests && <p className="muted">{requestsPhrase(row.requests)}</p>}
        {row.machine !== undefined && <p className="muted">{knownFrom(row.machine)}</p>}
        {row.apart && <p className="muted">{modelTexts().apart.why(wordTexts().listed(row.apart.map(folderName)))}</p>}
        <Actions row={row} probed={probed} onAsk={onAsk} />
        <p className="small probed" role="status">
          {probed?.text}
        </p>
      </header>
      <Day history={history} />
      <Breaker row={row} />
      {use && <Outcomes use={use} range={range} />}
      <Figures row={row} history={history} />
      <Failures history={history} />
      <Dependants snapshot={snapshot} model={row.model} />
    </section>
  );
}

const canHold = (row: ModelRow): boolean => row.hold === null && row.isolatedBy.length === 0;

function Actions({ row, probed, onAsk }: Pick<Props, 'row' | 'probed' | 'onAsk'>) {
  const { act } = useActs();
  const texts = modelTexts().actions;
  const { model, name, hold } = row;
  const endHold = () => {
    void act({ type: 'health.held', model, state: null, forMs: null }, { text: texts.unheld(name) });
  };
  const release = () => {
    const undo = { type: 'health.isolated', model } as const;
    void act({ type: 'health.released', model }, { text: texts.released(name), undo });
  };
  return (
    <div className="actions">
      <button
        className="btn"
        type="button"
        aria-keyshortcuts="p"
        aria-disabled={probed?.isAsking}
        onClick={() => probed?.isAsking || onAsk({ kind: 'probe', row })}
      >
        <Icon name="probe" />
        {probeTexts().button}
      </button>
      {isResettable(row) && (
        <button className="btn" type="button" aria-keyshortcuts="r" onClick={() => onAsk({ kind: 'reset', row })}>
          <Icon name="reset" />
          {texts.reset}
        </button>
      )}
      {hold && (
        <button className="btn" type="button" onClick={endHold}>
          {texts.endHold}
        </button>
      )}
      {row.isolatedBy.length > 0 && (
        <button className="btn" type="button" onClick={release}>
          {texts.letBack}
        </button>
      )}
      {canHold(row) && (
        <>
          <button className="btn" type="button" aria-keyshortcuts="h" onClick={() => onAsk({ kind: 'hold', row })}>
            <Icon name="lock" />
            {texts.hold}
          </button>
          <button className="btn" type="button" onClick={() => onAsk({ kind: 'isolate', row })}>
            {texts.isolate}
          </button>
        </>
      )}
    </div>
  );
}

function Block({ title, caption, children }: Readonly<{ title: string; caption?: string; children: ReactNode }>) {
  const id = useId();
  return (
    <section className="block" aria-labelledby={id}>
      <h3>
        <span id={id}>{title}</span>
        {caption && <span className="cap">{caption}</span>}
      </h3>
      {children}
    </section>
  );
}

function Day({ history }: Readonly<{ history: ModelHistory | undefined }>) {
  const texts = modelTexts().day;
  return (
    <Block title={texts.title} caption={texts.caption}>
      {!history || history.states.length === 0 ? (
        <p className="small muted">{history ? texts.none : texts.asking}</p>
      ) : (
        <StateTimeline history={history} />
      )}
    </Block>
  );
}

function Breaker({ row }: Readonly<{ row: ModelRow }>) {
  const { breaker, figures } = modelTexts();
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : (row.until ?? undefined));
  const gone = gonePhrase(row, now);
  return (
    <Block title={breaker.title}>
      <dl className="kv">
        <div>
          <dt>{figures.failures}</dt>
          <dd>{row.state === 'open' ? breaker.open : figures.ofThreshold(row.failures, row.failureThreshold)}</dd>
        </div>
        {gone !== null && (
          <div>
            <dt>{breaker.gone}</dt>
            <dd>{gone}</dd>
          </div>
        )}
      </dl>
    </Block>
  );
}

function Outcomes({ use, range }: Readonly<{ use: ModelUse; range: TimeRange }>) {
  const { outcomes } = modelTexts();
  const { p50Ms, p95Ms } = use;
  return (
    <Block title={outcomes.title(withinText(range))}>
      <OutcomeBar outcomes={use.outcomes} />
      <p className="small">{outcomesPhrase(use.outcomes)}</p>
      {p50Ms !== null && p95Ms !== null && (
        <p className="small muted">{outcomes.times(measured(p50Ms), measured(p95Ms))}</p>
      )}
    </Block>
  );
}

function Figures({ row, history }: Readonly<{ row: ModelRow; history: ModelHistory | undefined }>) {
  const texts = modelTexts().figures;
  const firstWordMs = history?.firstWordMs ?? null;
  const { context, vision, tools } = row.abilities;
  const price = pricePhrase(row.abilities);
  const able = [vision && texts.images, tools && texts.tools].filter(Boolean).join(', ');
  const unable = [vision === false && texts.noImages, tools === false && texts.noTools].filter(Boolean).join(', ');
  const facts: readonly (readonly [string, string | null])[] = [
    [texts.calls, row.calls === 0 ? texts.noCalls : texts.callsFailed(row.calls, row.failed)],
    [texts.lately, recentPhrase(row.recent)],
    [texts.firstWord, firstWordMs === null ? null : measured(firstWordMs)],
    [texts.context, context === null ? null : texts.tokens(contextPhrase(context))],
    [texts.takes, [able, unable].filter(Boolean).join(', ') || null],
    [texts.price, price],
    [texts.code, row.code],
  ];
  return (
    <Block title={texts.title}>
      <dl className="kv">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Block>
  );
}

function Failures({ history }: Readonly<{ history: ModelHistory | undefined }>) {
  if (!history || history.failures.length === 0) return null;
  return (
    <Block title={modelTexts().errors.title} caption={modelTexts().errors.caption}>
      <ol className="failures">
        {history.failures.map((failure) => (
          <li key={`${failure.at} ${failure.message}`}>
            <span>
              {kindPhrase(failure.kind, failure.status)}
              {failure.message && <span className="dim"> {failure.message}</span>}
            </span>
            <time className="dim" dateTime={new Date(failure.at).toISOString()}>
              {clock(failure.at, true)}
            </time>
          </li>
        ))}
      </ol>
    </Block>
  );
}

function Dependants({ snapshot, model }: Readonly<{ snapshot: Snapshot; model: string }>) {
  const texts = modelTexts().dependants;
  const rows = dependantsOf(snapshot, model);
  const projects = new Set(rows.map(({ directory }) => directory));
  return (
    <Block title={texts.title} caption={rows.length > 0 ? counted(rows.length, 'agent') : texts.none}>
      {rows.length > 0 && (
        <dl className="kv">
          {rows.map(({ directory, agent, label, phrase }) => (
            <div key={`${directory}|${agent}`}>
              <dt>
                {label}
                {projects.size > 1 && <span className="dim"> {texts.inProject(folderName(directory))}</span>}
              </dt>
              <dd>{phrase}</dd>
            </div>
          ))}
        </dl>
      )}
    </Block>
  );
}
