import type { TimelineAttempt, TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { usagePhrase } from '../../../wording/usage-words';
import { clock, kindPhrase, measured, shortName } from '../../../wording/wording';
import type { GlyphName } from '../../components/Glyph';
import { dollars } from './words';

const BY_OUTCOME: Readonly<Record<TimelineAttempt['outcome'], GlyphName>> = {
  inFlight: 'probing',
  success: 'ready',
  slow: 'degraded',
  failure: 'open',
  limited: 'cooling',
  neutral: 'unseen',
};
const BY_KIND: Partial<Record<NonNullable<TimelineAttempt['kind']>, GlyphName>> = {
  timeout: 'stuck',
  auth: 'blocked',
  permission: 'blocked',
  model_not_found: 'blocked',
  network_transient: 'offline',
  network_permanent: 'offline',
  local_network: 'offline',
};

export const attemptGlyph = ({ outcome, kind }: Pick<TimelineAttempt, 'outcome' | 'kind'>): GlyphName =>
  (kind === null ? undefined : BY_KIND[kind]) ?? BY_OUTCOME[outcome];

/** "rate limited (429)", "answered 2 requests". */
export function attemptPhrase({ outcome, kind, status, requests }: TimelineAttempt): string {
  const { timeline } = sessionTexts();
  if (kind !== null) return kindPhrase(kind, status);
  if (outcome === 'inFlight') return timeline.asked;
  if (outcome === 'success') return timeline.said(requests);
  return outcome === 'slow' ? timeline.slowly(requests) : timeline.ended;
}

/** "first word 900 ms · 12.4k tokens · $0.02". */
export function detailPhrase({ firstTokenMs, tokens, cost }: TimelineAttempt): string {
  const { timeline } = sessionTexts();
  return [
    firstTokenMs !== null && timeline.firstWord(measured(firstTokenMs)),
    tokens !== null && usagePhrase({ total: tokens }),
    dollars(cost),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** "finished by gpt-5, number 2 in its chain". */
export function turnPhrase({ outcome, attempts }: TimelineTurn): string {
  const { timeline } = sessionTexts();
  const last = attempts.at(-1);
  if (outcome !== 'answered' || !last) return timeline[outcome === 'answered' ? 'open' : outcome];
  const place = last.position === null || last.position === 0 ? '' : timeline.place(last.position);
  return timeline.answered(shortName(last.model), place);
}

/** For screen readers. */
export function lanePhrase(turn: TimelineTurn): string {
  const { timeline } = sessionTexts();
  const attempts = turn.attempts.map((attempt) => `${shortName(attempt.model)} ${attemptPhrase(attempt)}`);
  const hidden = turn.hidden > 0 ? [timeline.hidden(turn.hidden)] : [];
  return `${clock(turn.at, true)}, ${turnPhrase(turn)}: ${[...attempts, ...hidden].join('; ')}`;
}
