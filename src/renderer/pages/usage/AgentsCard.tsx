import { useId } from 'react';
import type { QueryInput } from '../../../contract/contract';
import type { AgentFigures } from '../../../contract/scorecard';
import type { UsageAnswer } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { reasonsOf } from '../../../wording/usage-tables';
import { agentLabel, measured } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { ScrollTable } from '../../components/ScrollTable';
import { countText, dayText, NONE, reasonsText, shareText } from './format';

type Props = Readonly<{ usage: UsageAnswer; question: QueryInput<'usage.agents'> }>;

export function AgentsCard({ usage, question }: Props) {
  const { agents: texts } = usageTexts();
  const id = useId();
  const key = `${JSON.stringify(question)} ${usage.totals.attempts}`;
  const { answer: last, problem, isAsking } = useAnswer('usage.agents', question, key);
  // Ignores figures of another range.
  const answer = last && isSameQuestion(last.question, question) ? last : null;
  const message = problem ?? findingOf(answer, isAsking || last !== null, usage.question.timeZone);
  return (
    <section className="card chart-card wide" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
      </div>
      <p className="chart-finding">{message}</p>
      {answer && answer.agents.length > 0 && <Agents agents={answer.agents} />}
    </section>
  );
}

function isSameQuestion(one: Props['question'], other: Props['question']): boolean {
  const keyOf = ({ range, timeZone, project }: Props['question']): string => JSON.stringify([range, timeZone, project]);
  return keyOf(one) === keyOf(other);
}

type Answer = ReturnType<typeof useAnswer<'usage.agents'>>['answer'];

function findingOf(answer: Answer, isAsking: boolean, timeZone: string): string {
  const { agents: texts, states } = usageTexts();
  if (!answer) return isAsking ? texts.asking : `${states.noSplitTitle} ${states.noSplit}`;
  const decided = answer.agents.filter(({ availability }) => availability.withFallback.value !== null);
  if (decided.length === 0) return texts.none;
  const sentence = leastAvailable(decided);
  return answer.sinceMs === null ? sentence : `${sentence} ${texts.since(dayText(answer.sinceMs, timeZone))}`;
}

function leastAvailable(agents: readonly AgentFigures[]): string {
  const { agents: texts } = usageTexts();
  const least = agents.reduce((a, b) => {
    const byFallback = shareOf(b, 'withFallback') - shareOf(a, 'withFallback');
    return (byFallback || shareOf(b, 'withoutFallback') - shareOf(a, 'withoutFallback')) < 0 ? b : a;
  });
  const { withFallback, withoutFallback } = least.availability;
  const [name, alone] = [agentLabel(least.agent), shareText(withoutFallback.value)];
  if (withFallback.value !== 1)
    return texts.least(name, shareText(withFallback.value), countText(withFallback.n), alone);
  return withoutFallback.value === 1 ? texts.alwaysAlone : texts.always(name, alone);
}

const shareOf = ({ availability }: AgentFigures, which: keyof AgentFigures['availability']): number =>
  availability[which].value ?? 1;

function Agents({ agents }: Readonly<{ agents: readonly AgentFigures[] }>) {
  const { agents: texts } = usageTexts();
  const columns = Object.values(texts.columns);
  return (
    <ScrollTable name={{ label: texts.table }} columns={columns} className="tbl tbl-agents">
      <tbody>
        {agents.map((row) => (
          <tr key={row.agent}>
            <th scope="row">{agentLabel(row.agent)}</th>
            {cellsOf(row).map((text, at) => (
              <td key={columns[at + 1]}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function cellsOf(row: AgentFigures): readonly string[] {
  const { turns, availability, firstTry, fallbacks, attempts, failures, failureReasons = {} } = row;
  const ms = (value: number | null | undefined): string => (value == null ? NONE : measured(value));
  const reasons = reasonsOf({ failureReasons });
  return [
    shareText(availability.withFallback.value),
    shareText(availability.withoutFallback.value),
    countText(turns.total),
    shareText(firstTry.value),
    fallbacks.n === 0 ? countText(0) : `${countText(fallbacks.n)}, ${shareText(fallbacks.value)}`,
    ms(row.p50Ms),
    ms(row.p95Ms),
    countText(attempts),
    row.successes === undefined ? NONE : countText(row.successes),
    countText(failures),
    shareText(row.successRate?.value ?? null),
    ms(row.avgResponseTimeMs),
    reasons === null ? NONE : reasonsText(reasons),
  ];
}
