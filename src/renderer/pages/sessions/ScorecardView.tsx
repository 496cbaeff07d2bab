import { useId } from 'react';
import type { AgentFigures, ScorecardDocument } from '../../../contract/scorecard';
import type { TimelineAxis } from '../../../contract/sessions';
import type { ChainRow, ModelRow } from '../../../contract/snapshot';
import { sessionTexts, stateTexts } from '../../../texts';
import { chainKey } from '../../../wording/chain-words';
import { kindPhrase, measured, percent } from '../../../wording/wording';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { partWidth } from '../../components/part-width';
import { Bones, Unanswered, useLate } from '../../components/Waiting';
import { AgentTable } from './AgentTable';
import { Block } from './Block';
import { FailedTools } from './FailedTools';
import { ModelFigures } from './ModelFigures';
import { Pairs } from './Pairs';
import { Availability, Effort, Switches } from './Steadiness';
import { costOf, dollars, figure, moment, pricedPhrase } from './words';

const TRANSITIONS_SHOWN = 12;

type Props = Readonly<{
  document: ScorecardDocument | null;
  /** Null if single attempts are not stored. */
  agents: readonly AgentFigures[] | null;
  axis: TimelineAxis | null;
  problem: string | null;
  onAgain: () => void;
  onExport: () => void;
}>;

export function ScorecardView({ document, agents, axis, problem, onAgain, onExport }: Props) {
  const id = useId();
  const { card } = sessionTexts();
  const isLate = useLate();
  return (
    <section className="card score" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{card.title}</h2>
        <button
          className="btn btn-sm push"
          type="button"
          aria-keyshortcuts="Control+E"
          disabled={document === null}
          onClick={onExport}
        >
          <Icon name="export" />
          {card.export}
        </button>
      </div>
      {problem !== null && <Unanswered problem={problem} onAgain={onAgain} />}
      {document ? (
        <Blocks document={document} agents={agents ?? []} axis={axis} />
      ) : (
        isLate && problem === null && <Bones />
      )}
    </section>
  );
}

type BlocksProps = Readonly<{
  document: ScorecardDocument;
  agents: readonly AgentFigures[];
  axis: TimelineAxis | null;
  /** Shows everything, for an exported page. */
  isWhole?: boolean;
}>;

export function Blocks({ document, agents, axis, isWhole = false }: BlocksProps) {
  const { totals, models } = document;
  return (
    <>
      <Figures totals={totals} />
      <Advice advice={document.advice} totals={document.totals} />
      <Finished turns={totals.turns} />
      <Availability availability={totals.availability} />
      <Switches switches={document.switches} isWhole={isWhole} />
      <Time time={totals.time} />
      <Effort totals={totals} />
      {agents.length > 0 && <AgentTable agents={agents} />}
      <ModelFigures models={models} totals={totals} />
      <Kinds totals={totals} />
      <FailedTools errors={totals.errors} quality={totals.quality} />
      <Transitions transitions={changesOf(document, axis)} isWhole={isWhole} />
      <Quality document={document} isWhole={isWhole} />
    </>
  );
}

type Totals = ScorecardDocument['totals'];

function Figures({ totals: { turns, totalCalls, successes, cost } }: Readonly<{ totals: Totals }>) {
  const { card } = sessionTexts();
  const figures = [
    [card.saved, figure(turns.saved), card.ofTurns(turns.total, turns.spared)],
    [card.firstTry, percent(turns.firstTryRate), card.part(turns.firstTry, turns.answered + turns.failed)],
    [card.attempts, figure(totalCalls), card.answered(successes)],
    [card.cost, dollars(costOf(cost)) ?? '–', pricedPhrase(cost.pricedShare)],
  ] as const;
  return (
    <dl className="figs" aria-label={card.figures}>
      {figures.map(([label, value, caption]) => (
        <div className="fig" key={label}>
          <dt className="cap">{label}</dt>
          <dd>
            <b>{value}</b>
            <span className="cap">{caption}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type AdviceRow = ScorecardDocument['advice'][number];

function Advice({ advice, totals }: Pick<ScorecardDocument, 'advice' | 'totals'>) {
  const { failures, totalCalls } = totals;
  const { card } = sessionTexts();
  const { chains, models } = useSnapshot();
  return (
    <Block title={card.change}>
      {advice.length === 0 && (
        <p className="small muted">{failures === 0 ? card.nothing : card.nothingFollows(failures, totalCalls)}</p>
      )}
      <ol className="advice">
        {advice.map((row) => (
          <li key={row.text}>
            <div>
              <b>{row.text}</b>
              <p className="small muted">{card.evidence(row.n, card.confidence[row.confidence])}</p>
            </div>
            <a className="btn btn-sm" href={hrefOfAdvice(row, chains, models)} aria-label={card.reviewNamed(row.text)}>
              {card.review}
            </a>
          </li>
        ))}
      </ol>
    </Block>
  );
}

function hrefOfAdvice({ models, provider }: AdviceRow, chains: readonly ChainRow[], rows: readonly ModelRow[]): string {
  const holds = ({ chain }: ChainRow): boolean => models.every((name) => chain.some(({ model }) => model === name));
  const chain = models.length > 0 ? chains.find(holds) : undefined;
  if (chain) return hrefOf('chains', chainKey(chain));
  const model = models[0] ?? rows.find((row) => row.provider === provider)?.model;
  return model === undefined ? hrefOf('chains') : hrefOf('models', model);
}

function Finished({ turns }: Pick<Totals, 'turns'>) {
  const { card } = sessionTexts();
  const rows = [
    [card.byLead, turns.byLead, 'lead'],
    [card.savedRow, turns.saved, 'saved'],
    [card.spared, turns.spared, 'spared'],
    [card.lostRow, turns.failed, 'lost'],
    [card.otherRow, turns.neutral + turns.open, 'other'],
  ] as const;
  return (
    <Block title={card.finished} caption={card.turns(turns.total)}>
      <dl className="fall">
        {rows.map(([label, count, tone]) => (
          <div key={tone}>
            <dt>{label}</dt>
            <span className="fall-track" aria-hidden="true">
              {count > 0 && <i className={`fall-${tone}`} style={{ width: partWidth(count / turns.total) }} />}
            </span>
            <dd>{figure(count)}</dd>
          </div>
        ))}
      </dl>
    </Block>
  );
}

function Time({ time }: Pick<Totals, 'time'>) {
  const { card } = sessionTexts();
  return (
    <Block title={card.time} caption={card.estimate}>
      <Pairs
        rows={[
          [card.lost, measured(time.lostMs), 'lost'],
          [card.savedTime, measured(time.savedMs), 'saved'],
          [card.stated, measured(time.savedStatedMs), 'stated'],
        ]}
      />
    </Block>
  );
}

function Kinds({ totals: { failureReasons: reasons, errors } }: Readonly<{ totals: Totals }>) {
  const { card } = sessionTexts();
  const rows = Object.entries(reasons)
    .sort(([, a = 0], [, b = 0]) => b - a)
    .map(([kind, count = 0]) => [kindPhrase(kind as keyof typeof reasons, null), figure(count), kind] as const);
  const repeats = errors.providerRepeats;
  return (
    <Block title={card.kinds}>
      {rows.length === 0 && <p className="small muted">{card.noFailure}</p>}
      <Pairs rows={repeats ? [...rows, [card.providerRepeats, figure(repeats), 'repeats']] : rows} />
    </Block>
  );
}

/** Changes of the session's models; the first state is no change. Without an axis, the document's. */
function changesOf({ transitions }: ScorecardDocument, axis: TimelineAxis | null): ScorecardDocument['transitions'] {
  if (!axis) return transitions;
  const changes = axis.models.flatMap(({ model, states }) =>
    states
      .filter(({ state, at }, index) => index > 0 || (state !== 'ready' && at > axis.since))
      .map(({ kind = null, ...change }) => ({ ...change, model, kind })),
  );
  return changes
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...change }) => ({ ...change, at: new Date(at).toISOString() }));
}

type TransitionsProps = Pick<ScorecardDocument, 'transitions'> & Readonly<{ isWhole: boolean }>;

function Transitions({ transitions, isWhole }: TransitionsProps) {
  const { card } = sessionTexts();
  const { at: now } = useSnapshot();
  const { labels } = stateTexts();
  const shown = isWhole ? transitions : transitions.slice(-TRANSITIONS_SHOWN);
  const more = transitions.length - shown.length;
  return (
    <Block title={card.transitions} caption={more > 0 ? card.more(more) : card.everyone}>
      {shown.length === 0 && <p className="small muted">{card.noTransition}</p>}
      <Pairs
        rows={shown.map(({ at, model, state, kind }, index) => [
          <>
            <ModelId model={model} />
            <span>
              {labels[state as keyof typeof labels] ?? state}
              {kind !== null && `: ${kindPhrase(kind, null)}`}
            </span>
          </>,
          <time dateTime={at} key="time">
            {moment(Date.parse(at), now)}
          </time>,
          `${at} ${model} ${index}`,
        ])}
      />
    </Block>
  );
}

type QualityProps = Readonly<{ document: ScorecardDocument; isWhole: boolean }>;

function Quality({ document: { totals, quality, methods }, isWhole }: QualityProps) {
  const { card } = sessionTexts();
  const { at: now } = useSnapshot();
  const parts = Object.entries(totals.outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${figure(count)} ${card.counts[outcome as keyof typeof totals.outcomes]}`);
  return (
    <Block title={card.quality}>
      <p className="small muted">
        {parts.length > 0 && `${card.sum(parts.join(' + '), totals.totalCalls)} `}
        {quality.unpricedShare === null ? card.noUsage : card.unpriced(percent(quality.unpricedShare))}
        {quality.keptSince !== null && ` ${card.kept(moment(Date.parse(quality.keptSince), now))}`}
      </p>
      <details className="small" open={isWhole}>
        <summary className="link">{card.methods}</summary>
        <ul className="methods muted">
          {Object.entries(methods).map(([name, method]) => (
            <li key={name}>{method}</li>
          ))}
        </ul>
      </details>
    </Block>
  );
}
