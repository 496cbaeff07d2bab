import { plainLine, plainQuote, plainText } from '../base/text';
import { type MemberId, ORACLE } from '../base/types';
import { bySeverity, type Finding, isProved, supportOf, type Word } from '../findings/board';
import { stagesOf } from '../process/process';
import { route } from '../process/route';
import { presentedByRule } from '../run/oracle';
import { type CouncilState, heroOf, modeOf, type Presented, routeOf, setupOf } from '../state/state';
import { brainstormOf } from './brainstorm';
import { heardIn, notHeardIn } from './heard';
import type { CouncilReport, ReportFinding } from './schema';
import { hasContribution, NO_CONTRIBUTION } from './words';

/**
 * Texts have no invisible characters, but are untrusted: escape them.
 * @throws RangeError before the run has begun.
 */
export function reportOf(state: CouncilState): CouncilReport {
  const { run, input, secrets = [] } = setupOf(state);
  const { begunAt, endedAt, board, retries, spent, cap, unpriced, isDefaultParty, isLessGrounded } = state;
  const played = route(input);
  const ruled = presentedByRule(state);
  const { headline, order, praise } = state.presented ?? ruled;
  const name = (id: MemberId): string => nameOf(state, id);
  const finding = (each: Finding): ReportFinding => reportFinding(each, name);
  const ordered = inOrder(board, order);
  const proved = ordered.filter(isProved);
  const isPresented = state.presented !== null && !isSame(state.presented, ruled);
  const contributors = heardIn(state, { name, isPresented });
  const isEmpty = endedAt !== null && !hasContribution({ heard: contributors });
  return {
    version: 1,
    run,
    activity: played?.activity ?? null,
    process: played?.process ?? null,
    input: { problem: input.problem && plainText(input.problem), repo: input.repo && plainLine(input.repo) },
    begunAt: isoOf(begunAt),
    endedAt: endedAt === null ? null : isoOf(endedAt),
    outcome: outcomeOf(state),
    headline: isEmpty ? NO_CONTRIBUTION : plainLine(headline) || ruled.headline,
    isHeadlineByRule: !isPresented,
    brainstorm: played?.cast === 'personas' ? brainstormOf(state, name) : null,
    findings: proved.filter(({ severity }) => severity !== 'praise').map(finding),
    unproved: ordered.filter((each) => !isProved(each)).map(finding),
    praise: {
      findings: proved.filter(({ severity }) => severity === 'praise').map(finding),
      words: praise.map(plainText),
    },
    synthesis: synthesisOf(state),
    heard: contributors,
    notHeard: notHeardIn(state, { name, isPresented }),
    ...(secrets.length === 0 ? {} : { secrets: secrets.map(plainLine) }),
    stages: stagesIn(state),
    fallbacks: fallbacksIn(state),
    retries,
    cost: {
      spent: spent.cost ?? 0,
      cap,
      unpricedTurns: unpriced,
      tokens: { input: spent.input, output: spent.output },
    },
    isDefaultParty,
    isLessGrounded,
  };
}

const isoOf = (at: number): string => new Date(at).toISOString();

const nameOf = (state: CouncilState, id: MemberId): string =>
  id === ORACLE ? 'The Oracle' : plainLine(heroOf(state, id)?.name ?? id);

function outcomeOf(state: CouncilState): CouncilReport['outcome'] {
  const mode = modeOf(state);
  if (mode === 'finished' || mode === 'stopped') return mode;
  return mode === 'paused' || mode === 'paused_for_user' ? 'paused' : 'unfinished';
}

/** The author of a presentation is not stored; one equal to the rule's counts as made by rule. */
const isSame = (one: Presented, other: Presented): boolean =>
  one.headline === other.headline &&
  one.order.join() === other.order.join() &&
  [one.praise, one.nextSteps, one.dissent].every(({ length }) => length === 0);

function inOrder(board: readonly Finding[], order: readonly string[]): readonly Finding[] {
  const byId = new Map(board.map((each) => [each.id as string, each]));
  const chosen = [...new Set(order)].flatMap((id) => byId.get(id) ?? []);
  return [...chosen, ...bySeverity(board.filter(({ id }) => !order.includes(id)))];
}

function reportFinding(finding: Finding, name: (id: MemberId) => string): ReportFinding {
  const { id, severity, title, file, line, endLine, movedTo, quote, evidence, suggestion, check } = finding;
  const at = movedTo ?? line;
  const end = endLine === null ? null : endLine - line + at;
  const words = (of: readonly Word[]) => of.map(({ by, why }) => ({ by: name(by), why: plainText(why) }));
  return {
    id,
    severity,
    title: plainLine(title),
    file: plainLine(file),
    line: at,
    check,
    movedFrom: at === line ? null : line,
    endLine: end === null || end < at ? null : end,
    quote: plainQuote(quote),
    evidence: plainText(evidence),
    suggestion: suggestion === null ? null : plainText(suggestion),
    foundBy: [finding.by, ...finding.alsoBy].map(name),
    support: supportOf(finding),
    confirmedBy: words(finding.confirms),
    challengedBy: words(finding.challenges),
    builtOn: words(finding.buildsOn),
  };
}

function synthesisOf(state: CouncilState): CouncilReport['synthesis'] {
  const summary = state.summaries.findLast(({ stage }) => stage === 'synthesis');
  return summary ? { by: nameOf(state, summary.by), text: plainText(summary.text) } : null;
}

function stagesIn(state: CouncilState): CouncilReport['stages'] {
  return stagesOf(routeOf(state).process).map(({ id, name }) => {
    const authors = state.summaries.filter(({ stage }) => stage === id).map(({ by }) => nameOf(state, by));
    return { id, name, isCompleted: state.completed.includes(id), summedUpBy: [...new Set(authors)] };
  });
}

/** A fallback model that was replaced again is reported only if it answered last. */
function fallbacksIn(state: CouncilState): CouncilReport['fallbacks'] {
  return setupOf(state).settings.speakers.flatMap(({ name, model, fallback }) => {
    const now = state.speakers[name];
    if (!now || fallback === null || fallback === model) return [];
    const hasAnswered = now.answered === fallback;
    return hasAnswered || now.active === fallback ? [{ speaker: name, from: model, to: fallback, hasAnswered }] : [];
  });
}
