import type { QueryOutput } from '../../contract/contract';
import type { EventRow } from '../../contract/snapshot';
import { explanationTexts } from '../../texts';
import { nearPhrase } from '../../wording/headroom-words';
import { reasonPhrase } from '../../wording/reason-words';
import { rulePhrase } from '../../wording/rule-words';
import { clock, kindPhrase, traceLabel } from '../../wording/wording';
import { ModelId } from './ModelId';
import { StateBadge } from './StateBadge';

type Props = Readonly<{ event: EventRow; rule: NonNullable<QueryOutput<'decision.explain'>>['rule'] }>;

export function Explanation({ event, rule }: Props) {
  return (
    <>
      <Facts event={event} rule={rule} />
      {event.trace.length > 0 && <Trace event={event} />}
    </>
  );
}

function Facts({ event, rule }: Props) {
  const texts = explanationTexts().facts;
  const facts: readonly (readonly [string, string | null])[] = [
    // Before a limit nothing has failed: `kind` is the expected rejection's.
    event.near && event.model
      ? [texts.limit, nearPhrase(event.model, event.near)]
      : [texts.failure, event.kind && kindPhrase(event.kind, event.status)],
    [texts.said, event.detail],
    [texts.rule, rule && rulePhrase(rule.kind, rule.steps)],
    [texts.until, event.until === null ? null : clock(event.until, true)],
    [texts.took, event.durationMs === null ? null : `${Math.round(event.durationMs)} ms`],
    [texts.agent, event.agent],
    [texts.session, event.session],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Trace({ event }: Readonly<{ event: EventRow }>) {
  const { considered, columns } = explanationTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll" tabIndex={0} aria-label={considered}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{columns.order}</th>
            <th scope="col">{columns.model}</th>
            <th scope="col">{columns.verdict}</th>
            <th scope="col">{columns.state}</th>
            <th scope="col">{columns.reason}</th>
          </tr>
        </thead>
        <tbody>
          {event.trace.map((row) => (
            <tr key={`${row.position}:${row.model}`} className={row.verdict === 'chosen' ? 'is-chosen' : undefined}>
              <td>{row.position + 1}</td>
              <td>
                <ModelId model={row.model} />
              </td>
              <td>{traceLabel(row.verdict)}</td>
              <td>
                <StateBadge state={row.state} />
              </td>
              <td>
                {reasonPhrase(row.code)} <code className="dim">{row.code}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
