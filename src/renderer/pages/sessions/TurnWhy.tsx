import { useEffect, useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { TimelineAttempt, TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { explanationTexts, sessionTexts } from '../../../texts';
import { reasonPhrase } from '../../../wording/reason-words';
import { rulePhrase } from '../../../wording/rule-words';
import { measured, shortName, stateWord, traceLabel } from '../../../wording/wording';
import { usePanel } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { ModelId } from '../../components/ModelId';
import { endOf, isLost } from './gantt';
import { attemptGlyph, attemptPhrase, detailPhrase } from './turn-words';

export type Explained = NonNullable<QueryOutput<'decision.explain'>>;
type Line = Readonly<{
  glyph: GlyphName;
  model: string;
  verdict: string;
  reason: string;
  code: string | null;
  event: number | null;
}>;

type Props = Readonly<{ id: string; turn: TimelineTurn; axis: TimelineAxis }>;

export function TurnWhy(props: Props) {
  return <WhyText {...props} explained={useExplained(props.turn)} />;
}

export function WhyText({ id, turn, axis, explained }: Props & Readonly<{ explained: readonly Explained[] | null }>) {
  const { why, timeline } = sessionTexts();
  const rules = [
    ...new Set(explained?.flatMap(({ rule }) => (rule === null ? [] : [rulePhrase(rule.kind, rule.steps)]))),
  ];
  const lines = linesOf(turn, explained ?? []);
  return (
    <section
      className="gwhy"
      id={id}
      aria-label={timeline.whyNamed(turn.number)}
      aria-busy={explained === null}
      data-turn={turn.number}
    >
      <p>
        <b>{sentenceOf(turn, axis)}</b>
        {rules.map((rule) => (
          <span key={rule} className="muted">
            {' '}
            {explanationTexts().facts.rule}: {rule}
          </span>
        ))}
        {explained?.length === 0 && <span className="muted"> {why.unrecorded}</span>}
      </p>
      <ol>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: models keep their places, and one may come twice.
          <li key={index}>
            <Glyph name={line.glyph} />
            <ModelId model={line.model} />
            <span>{line.verdict}</span>
            <span className="muted">{line.reason}</span>
            {line.code !== null && (
              <code>{line.event === null ? line.code : <a href={hrefOf('events', line.event)}>{line.code}</a>}</code>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

export const decisionsIn = ({ attempts }: TimelineTurn): readonly number[] => [
  ...new Set(attempts.flatMap(({ event }) => (event === null ? [] : [event]))),
];

/** Oldest first; null while loading. */
function useExplained(turn: TimelineTurn): readonly Explained[] | null {
  const { api } = usePanel();
  const [explained, setExplained] = useState<readonly Explained[] | null>(null);
  const events = decisionsIn(turn);
  const key = events.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the events.
  useEffect(() => {
    let isOver = false;
    // silent: a decision without an explanation is left out
    const requests = events.map((event) => api.ask('decision.explain', { event }).catch(() => null));
    void Promise.all(requests).then((found) => {
      if (!isOver) setExplained(found.filter((each) => each !== null));
    });
    return () => {
      isOver = true;
    };
  }, [api, key]);
  return explained;
}

function sentenceOf(turn: TimelineTurn, axis: TimelineAxis): string {
  const { why, timeline } = sessionTexts();
  const { number, outcome, attempts, at } = turn;
  const last = attempts.at(-1);
  const time = measured(endOf(turn, axis) - at);
  if (outcome === 'open' || !last) return why.open(number);
  if (outcome !== 'answered') return why[outcome](number, time);
  const place = last.position === null || last.position === 0 ? '' : timeline.place(last.position);
  return why.answered(shortName(last.model), number, place, time);
}

/** Skipped models come last. */
function linesOf(turn: TimelineTurn, explained: readonly Explained[]): readonly Line[] {
  const calledLines = groupsOf(turn.attempts).map((group) => askedLine(group, explained));
  const names = new Set(turn.attempts.map(({ model }) => model));
  const skipped = new Map<string, Line>();
  for (const { event } of explained)
    for (const { model, verdict, code, state } of event.trace)
      if (verdict === 'skipped' && !names.has(model))
        skipped.set(model, {
          glyph: state,
          model,
          code,
          event: null,
          verdict: traceLabel(verdict),
          reason: reasonPhrase(code) ?? stateWord(state),
        });
  return [...calledLines, ...skipped.values()];
}

function groupsOf(attempts: readonly TimelineAttempt[]): readonly (readonly TimelineAttempt[])[] {
  const groups: TimelineAttempt[][] = [];
  for (const attempt of attempts) {
    const last = groups.at(-1);
    if (last?.[0]?.model === attempt.model && last.every(isLost) && isLost(attempt)) last.push(attempt);
    else groups.push([attempt]);
  }
  return groups;
}

function askedLine(group: readonly TimelineAttempt[], explained: readonly Explained[]): Line {
  const { why } = sessionTexts();
  const [first] = group as [TimelineAttempt];
  const last = group.at(-1) ?? first;
  const took = group.flatMap(({ durationMs }) => (durationMs === null ? [] : [measured(durationMs)])).join(', ');
  const phrases = [...new Set(group.map(attemptPhrase))].join('; ');
  const decided = explained.find(({ event }) => event.id === last.event)?.event;
  const verdict = isLost(last)
    ? last.outcome === 'neutral'
      ? why.gaveUp
      : why.failed(group.length)
    : last.outcome === 'inFlight'
      ? why.answering
      : why.chosen;
  return {
    glyph: attemptGlyph(last),
    model: first.model,
    verdict,
    reason: [phrases, took, detailPhrase(last)].filter((part) => part !== '').join(' · '),
    code: decided?.code ?? null,
    event: decided?.id ?? null,
  };
}
