import type { EventRow } from '../contract/snapshot';
import { modelIdOf } from './scenario';
import type { RecordedRequest } from './scripted-provider';

export type TurnEvidence = Readonly<{
  /** From the core, oldest first. */
  events: readonly EventRow[];
  /** From the providers, oldest first. */
  requests: readonly RecordedRequest[];
  /** From the core's snapshot. */
  answeredBy: string;
  /** From OpenCode. */
  text: string;
  /** From OpenCode. */
  users: number;
}>;

export type Expectation = Readonly<{
  lead: string;
  understudy: string;
  text: string;
  retryAfterMs: number;
}>;

/** Covers the transit of the response on a busy machine. */
const UNTIL_TOLERANCE_MS = 5_000;

/** Null with one model. */
export function handoverGapMs(requests: readonly RecordedRequest[]): number | null {
  const failed = requests[0];
  const next = requests.find((request) => request.model !== failed?.model);
  return next && failed?.respondedAt ? next.at - failed.respondedAt : null;
}

export function turnProblems(seen: TurnEvidence, expected: Expectation): readonly string[] {
  const requestsTo = (model: string): number =>
    seen.requests.filter((request) => request.model === modelIdOf(model)).length;
  const answers = requestsTo(expected.understudy);
  const gapMs = handoverGapMs(seen.requests);
  const leadAsked = requestsTo(expected.lead);
  return [
    ...switchProblems(seen, expected),
    seen.text === expected.text ? null : `The answer was “${seen.text}”.`,
    seen.answeredBy === expected.understudy ? null : `${seen.answeredBy} answered, not ${expected.understudy}.`,
    seen.users === 1 ? null : `The transcript has ${seen.users} user messages, not one.`,
    leadAsked === 1 ? null : `${expected.lead} received ${leadAsked} requests, not one.`,
    answers === 1 ? null : `${expected.understudy} received ${answers} requests, not one.`,
    gapMs !== null && gapMs >= 0 ? null : 'The time between the two providers could not be measured.',
  ].filter((problem) => problem !== null);
}

function switchProblems({ events, requests }: TurnEvidence, expected: Expectation): readonly string[] {
  const switches = events.filter((event) => event.code.startsWith('switch.'));
  const [first] = switches;
  if (first === undefined || switches.length > 1) return [`There were ${switches.length} switches, not one.`];
  const way = `${first.model} → ${first.to}`;
  const wanted = `${expected.lead} → ${expected.understudy}`;
  const promisedMs = (requests[0]?.respondedAt ?? 0) + expected.retryAfterMs;
  const isAsPromised = first.until !== null && Math.abs(first.until - promisedMs) <= UNTIL_TOLERANCE_MS;
  return [
    way === wanted ? null : `The switch was ${way}, not ${wanted}.`,
    first.kind === 'rate_limit' && first.status === 429
      ? null
      : `The failure was classified as ${first.kind} (${first.status}), not as rate_limit (429).`,
    isAsPromised
      ? null
      : `The primary is not in cooldown for the ${expected.retryAfterMs / 1_000} s that its provider requested.`,
  ].filter((problem) => problem !== null);
}
