import { changeRow, decisionRow, type RowFact, toldRow } from '../../core/history/event-rows';
import type { Clock } from '../../core/ports/ports';
import { type Decision, type EngineEvent, type Fact, SPREAD, type Step } from '../../engine';
import { get } from '../../engine/tools';
import { nodeClock } from '../../node/base/clock';
import type { Tellable } from '../../wording/event-words';
import type { Brain } from '../base/brain';
import { momentOf } from '../base/moment';
import { createEpisodes, type Happening, type Notice } from './episodes';

/** The engine emits each of these facts once. */
function toldIn(fact: Fact): readonly RowFact[] {
  switch (fact.type) {
    case 'question.put':
    case 'question.nudged':
    case 'question.skipped':
    case 'speaker.degraded':
    case 'session.paused':
    case 'budget.warned':
    case 'budget.spent':
    case 'headroom.drains':
    case 'money.passed':
    case 'network.down':
    case 'network.back':
      return [fact];
    default:
      return [];
  }
}

export function giveNotices(
  brain: Brain,
  to: Readonly<{ directory: string; tell: (notice: Notice) => void }>,
  schedule: Clock['schedule'] = nodeClock().schedule,
): () => void {
  const episodes = createEpisodes();
  let cancel: (() => void) | null = null;

  const flush = (): void => {
    cancel = null;
    for (const notice of episodes.due(brain.now())) to.tell(notice);
    arm();
  };
  const arm = (): void => {
    const at = episodes.dueAt();
    // A timer may fire a fraction early.
    if (at !== null) cancel ??= schedule(Math.ceil(Math.max(1, at - brain.now())), flush);
  };

  const stop = brain.onStep((step, event) => {
    for (const happening of happeningsIn(step, event, { brain, directory: to.directory }))
      for (const notice of episodes.hear(happening, brain.now())) to.tell(notice);
    arm();
  });
  return () => {
    stop();
    cancel?.();
  };
}

const NOTHING_TOLD: ReadonlySet<string> = new Set();

type Place = Readonly<{ brain: Brain; directory: string }>;

function happeningsIn(step: Step, event: EngineEvent, place: Place): readonly Happening[] {
  const { decisions, facts } = step;
  const { brain, directory } = place;
  const moment = momentOf(brain);
  const isHere = (session: string | undefined): boolean =>
    session === undefined || get(moment.state.sessions, session)?.directory === directory;
  const happenings = decisions
    .filter(({ session }) => isHere(session))
    .flatMap((decision) => happeningOf(decision, decisionRow(decision, moment), leadIn(place, decision)));
  const reported = facts
    .flatMap(toldIn)
    .filter((fact) => isHere('session' in fact ? (fact.session ?? undefined) : undefined));
  const held = facts.filter((fact) => fact.type === 'model.changed' && fact.code === 'held.flapping');
  const rows = [
    ...reported.map((fact) => toldRow(fact, moment)),
    ...held.flatMap((fact) => changeRow(fact, NOTHING_TOLD, moment) ?? []),
  ];
  return [
    ...happenings,
    ...outageIn(step, event, place),
    ...(rows.length > 0 ? [{ what: 'told', rows } as const] : []),
    ...facts.flatMap((fact) => answeredBy(fact, directory)),
  ];
}

function answeredBy(fact: Fact, place: string): Happening[] {
  if (fact.type !== 'attempt.ended' || fact.outcome !== 'answered') return [];
  const { agent, lead, model, directory } = fact;
  return lead !== null && directory === place ? [{ what: 'answered', agent, lead, model }] : [];
}

/** Excludes sub-agents, and outages of all models. */
function outageIn({ decisions, facts }: Step, event: EngineEvent, { brain, directory }: Place): Happening[] {
  if (event.type === 'session.closed') return [{ what: 'connects', session: event.session }];
  return facts.flatMap((fact): Happening[] => {
    if (fact.type === 'session.connected') return [{ what: 'connects', session: fact.session }];
    if (fact.type !== 'prompt.warned') return [];
    const { session } = fact;
    const stored = get(brain.state().sessions, session);
    if (stored?.directory !== directory || stored.parent !== null) return [];
    if (decisions.some(({ action }) => action.kind === 'exhausted')) return [];
    return [{ what: 'warned', session, row: toldRow(fact, momentOf(brain)) }];
  });
}

const leadIn = ({ brain }: Place, { turn }: Pick<Decision, 'turn'>): string | null =>
  get(brain.state().turns, turn)?.lead ?? null;

function happeningOf({ action, agent, code }: Decision, row: Tellable | null, lead: string | null): Happening[] {
  if (!row) return [];
  // Shown when the agent was excluded.
  if (action.kind === 'exhausted') {
    const to = action.soonest?.inMs === 0 ? action.soonest.model : null;
    return code === 'exhausted.degraded' ? [] : [{ what: 'exhausted', agent, row: { ...row, to } }];
  }
  if (code === 'hold.loop') return [{ what: 'told', rows: [row] }];
  // A move to an emptier account of the same model is no failure.
  const isMove = action.kind === 'switch' || (action.kind === 'redirect' && code !== SPREAD);
  return isMove && lead !== null && action.to !== lead ? [{ what: 'left', agent, lead, row }] : [];
}
