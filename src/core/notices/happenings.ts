import type { Near } from '../../contract/headroom';
import type { NoticeRow } from '../../contract/notices';
import { type Decision, type EngineState, type Fact, type FactOf, type FailureKind, SPREAD } from '../../engine';
import { ALERT_FAILURES } from '../../engine/scorecard';
import { connectionOf, entries, FLAPPING, factsOf, get, speakerKey } from '../../engine/tools';
import { priceRatio } from '../../wording/chain-words';
import { asAbilities } from '../base/offers';
import type { TakenStep } from '../base/projection';
import { budgetNear, nearOf } from '../headroom/rows';
import { decisionRow } from '../history/event-rows';
import { SESSION_IDLE_MS } from '../history/session-ends';
import type { CouncilHappening } from './councils';

/** In ms. Source: docs/failures.md, notices, N20. */
const STUCK_MS = 60_000;

export type Speaker = Readonly<{ directory: string; agent: string; session: string }>;

type Ended = FactOf<'attempt.ended'>;
type Why = Pick<NoticeRow, 'kind' | 'status' | 'until' | 'near'>;

/** Times are wall-clock ms. */
export type Happening =
  /** `times` is the price relative to the primary. */
  | (Readonly<{ what: 'left'; of: Speaker; model: string; to: string; times: number }> & Why)
  | Readonly<{ what: 'passes'; model: string; near: Near; until: number | null; fullAt: number | null }>
  /** `of` is the agent whose turn ends. */
  | Readonly<{ what: 'spends'; near: Near; until: number | null; of: Speaker | null }>
  /** Without `figures.of`, a limit ended the message while models remained: of switches with `count`, else of failed requests. */
  | Readonly<{
      what: 'exhausted';
      of: Speaker;
      chain: readonly string[];
      to: string | null;
      until: number | null;
      figures: NoticeRow['figures'];
    }>
  /** An answer is the only proof that a model is available; `of` is null outside of turns. */
  | Readonly<{ what: 'answered'; model: string; of: Speaker | null; lead: string | null }>
  | Readonly<{ what: 'blocked'; model: string; kind: FailureKind; status: number | null }>
  | Readonly<{ what: 'unstable'; model: string; until: number | null }>
  /** At least half of a session's last requests failed. */
  | Readonly<{ what: 'failing'; of: Speaker }>
  | Readonly<{ what: 'connects'; session: string }>
  | Readonly<{ what: 'many'; count: number }>
  | Readonly<{ what: 'retries'; of: Speaker; count: number; limit: number }>
  /** A turn waits for its host, which retries at `until`. */
  | (Readonly<{ what: 'stuck'; of: Speaker; model: string }> & Why)
  | Readonly<{ what: 'moves'; of: Speaker; model: string }>
  | Readonly<{ what: 'rests'; session: string }>
  | Readonly<{ what: 'asks'; of: Speaker; question: string; model: string; to: string | null; near?: Near }>
  | Readonly<{ what: 'settled'; question: string }>
  /** Nothing can wait in a directory without a companion. */
  | Readonly<{ what: 'closed'; directories: readonly string[] }>
  | Readonly<{ what: 'lost' }>
  | Readonly<{ what: 'connected' }>
  | Readonly<{ what: 'differs'; version: string }>
  | Readonly<{
      what: 'finished';
      session: string;
      project: string;
      turns: number;
      fallbacks: number;
      cost: number | null;
    }>
  /** `project` is null for the user's own file. */
  | Readonly<{ what: 'changed'; project: string | null }>
  | Readonly<{ what: 'update'; version: string }>
  | CouncilHappening;

export type Heard = Pick<TakenStep, 'event' | 'after' | 'result' | 'now' | 'wallOf' | 'alert'>;

export function happeningsIn(moment: Heard): readonly Happening[] {
  const { result } = moment;
  return [
    ...result.decisions.flatMap((decision) => decided(decision, moment)),
    // Recoveries come before the answer that ends their notices.
    ...result.facts.flatMap((fact) => (fact.type === 'model.changed' ? changed(fact, moment) : [])),
    ...result.facts.flatMap((fact) => happeningsOf(fact, moment)),
    ...standsStill(moment),
    ...(moment.alert ? [{ what: 'many', count: ALERT_FAILURES } as const] : []),
  ];
}

function happeningsOf(fact: Fact, moment: Heard): Happening[] {
  switch (fact.type) {
    case 'attempt.ended':
      return ended(fact, moment);
    case 'headroom.passed':
      return [passes(fact, moment)];
    case 'money.passed':
      return [spends(fact, moment)];
    case 'session.connected':
      return get(moment.after.sessions, fact.session) ? [{ what: 'connects', session: fact.session }] : [];
    case 'budget.warned':
    case 'budget.spent':
      return retried(fact, moment);
    case 'attempt.began':
      return fact.purpose === 'turn' ? [{ what: 'moves', of: speakerOf(fact, moment), model: fact.model }] : [];
    case 'session.rested':
      return [{ what: 'rests', session: fact.session }];
    case 'question.put': {
      const { question, model, to, short } = fact;
      const near = short ? { near: nearOf(short) } : {};
      return [{ what: 'asks', of: speakerOf(fact, moment), question, model, to, ...near }];
    }
    case 'question.answered':
    case 'question.skipped':
      return [{ what: 'settled', question: fact.question }];
    default:
      return [];
  }
}

function passes(fact: FactOf<'headroom.passed'>, { now, wallOf }: Heard): Happening {
  const { model, window, unit, lengthMs, used, resetInMs, fullInMs, family, only, isEstimate } = fact;
  const wall = (inMs: number | null): number | null => (inMs === null ? null : wallOf(now + inMs));
  const of = only ?? family;
  const figures = { limit: null, remaining: null, needs: null, ...(of === null ? {} : { of }) };
  const guess = isEstimate ? { isEstimate } : {};
  const near = { code: fact.type, window, unit, lengthMs, used, ...figures, ...guess };
  return { what: 'passes', model, near, until: wall(resetInMs), fullAt: wall(fullInMs) };
}

function spends(fact: FactOf<'money.passed'>, { now, wallOf }: Heard): Happening {
  const { endsInMs } = fact;
  return { what: 'spends', near: budgetNear(fact), of: null, until: endsInMs === null ? null : wallOf(now + endsInMs) };
}

type Seat = Readonly<{ session: string; agent: string }>;

const speakerOf = ({ session, agent }: Seat, { after }: Heard): Speaker => ({
  session,
  agent,
  directory: get(after.sessions, session)?.directory ?? '',
});

function standsStill(moment: Heard): Happening[] {
  const { after, event, result, wallOf } = moment;
  const seats: Seat[] = result.facts.flatMap((fact) =>
    fact.type === 'attempt.ended' && fact.outcome === 'failed' && fact.purpose === 'turn' ? [fact] : [],
  );
  const turn = event.type === 'host.retrying' ? get(after.turns, event.turn) : undefined;
  return [...seats, ...(turn ? [turn] : [])].flatMap((seat) => {
    const waits = get(after.speakers, speakerKey(seat.session, seat.agent))?.waits;
    if (waits?.by !== 'host' || waits.until === null || waits.until - (waits.at ?? waits.since) < STUCK_MS) return [];
    const { model, kind, status } = waits;
    return [{ what: 'stuck', of: speakerOf(seat, moment), model, kind, status, until: wallOf(waits.until) } as const];
  });
}

function ended(fact: Ended, { after }: Heard): Happening[] {
  if (fact.outcome === 'answered') return [answered(fact)];
  return fact.outcome === 'failed' ? failed(fact, after) : [];
}

function answered({ model, purpose, directory, agent, session, lead }: Ended): Happening {
  return { what: 'answered', model, of: purpose === 'turn' ? { directory, agent, session } : null, lead };
}

/** An answer that leaves half of the last requests failed is good news. */
function failed(fact: Ended, after: EngineState): Happening[] {
  const session = get(after.sessions, fact.session);
  if (!session || !connectionOf(session.outcomes ?? '').isOutage) return [];
  const { directory, agent, session: name } = session;
  return [{ what: 'failing', of: { directory, agent, session: name } }];
}

type Retried = FactOf<'budget.warned' | 'budget.spent'>;

function retried({ session, agent, count, of: limit }: Retried, { after }: Heard): Happening[] {
  const directory = get(after.sessions, session)?.directory;
  return directory === undefined ? [] : [{ what: 'retries', of: { directory, agent, session }, count, limit }];
}

function decided(decision: Decision, moment: Heard): Happening[] {
  const { action, code, agent, session, turn: id } = decision;
  if (action.kind !== 'exhausted' && action.kind !== 'switch' && action.kind !== 'redirect') return [];
  const turn = get(moment.after.turns, id);
  const row = decisionRow(decision, { state: moment.after, now: moment.now, wallOf: moment.wallOf });
  if (!turn || !row) return [];
  const { directory, lead } = turn;
  const of = { directory, agent, session };
  if (action.kind === 'exhausted') {
    // The decision to leave the models out has already been reported.
    if (code === 'exhausted.degraded') return [];
    if (code === 'exhausted.money') return row.near ? [{ what: 'spends', of, near: row.near, until: row.until }] : [];
    const chain = decision.trace.map(({ model }) => model);
    const to = action.soonest?.model ?? null;
    const depth = get(moment.after.scopes, directory)?.maxFallbackDepth ?? 0;
    const figures =
      code === 'exhausted.depth' ? { count: depth } : code === 'exhausted.attempts' ? {} : { of: chain.length };
    return [{ what: 'exhausted', of, chain, to, until: row.until, figures }];
  }
  // Skips pins, account spreading and holds: the user set them up, or they have their own notice.
  if (action.to === lead || code === 'redirect.pinned' || code === SPREAD || row.state === 'held') return [];
  const { kind, status, until, near } = row;
  const times = timesOf(moment.after, directory, lead, action.to);
  return [
    { what: 'left', of, model: action.from, to: action.to, kind, status, until, times, ...(near ? { near } : {}) },
  ];
}

function timesOf(state: EngineState, directory: string, lead: string, to: string): number {
  const models = get(state.scopes, directory)?.models;
  const priced = (model: string) => asAbilities(factsOf(models, model));
  return priceRatio(priced(lead), priced(to));
}

function changed(fact: FactOf<'model.changed'>, { event, after, now, wallOf }: Heard): Happening[] {
  // Changes from other machines or people are not happening now.
  const isNews = event.type === 'tick' || event.type.startsWith('attempt.');
  if (!isNews) return [];
  const { model, key = model, kind, forMs, agoMs = 0 } = fact;
  if (fact.to === 'blocked' && kind !== null)
    return [{ what: 'blocked', model, kind, status: get(after.models, key)?.last?.status ?? null }];
  if (fact.to !== 'held' || get(after.manual, key)?.hold?.by !== FLAPPING) return [];
  return [{ what: 'unstable', model, until: forMs === null ? null : wallOf(now - agoMs + forMs) }];
}

/** Requires chains in force. @param now engine ms. */
export const isAtWork = ({ scopes, sessions }: EngineState, directories: readonly string[], now: number): boolean =>
  entries(sessions).some(
    ([, { directory, isIdle, at }]) =>
      directories.includes(directory) &&
      get(scopes, directory) !== undefined &&
      (!isIdle || now - at < SESSION_IDLE_MS),
  );
