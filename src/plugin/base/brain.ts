import { listen } from '../../core/base/listen';
import type { Clock } from '../../core/ports/ports';
import {
  type DecidedAction,
  type Decision,
  type EngineEvent,
  type EngineState,
  type HealthKey,
  initialState,
  keyIn,
  type ModelId,
  type Step,
  type SyncedHealth,
  step,
} from '../../engine';
import { aged, isProbeDue, leftToAnother, redactEvidence, returnDue } from '../../engine/tools';
import { nodeClock } from '../../node/base/clock';
import type { Noted } from '../../protocol';
import { createJournal, type Journal, type JournalEntry } from './journal';
import { createOwnBreaker, type OwnBreaker } from './own-breaker';

/** How long a request waits for the app's word on a probe, in ms. Source: ADR 0004. */
const LEASE_WAIT_MS = 250;
const SOMEBODY_ELSE = 'another host';

/** Asks whoever grants probes; settles late or never when nobody answers. */
export type Lender = (model: HealthKey) => Promise<boolean>;

/** What the engine is asked about: a message, a request, or how one failed. */
type DecidedEvent = Extract<EngineEvent, { type: 'prompt.submitted' | 'attempt.started' | 'attempt.failed' }>;

/** The engine as this process runs it: it decides at once, alone, and remembers what the app has to hear. */
export type Brain = Readonly<{
  /** Steps the engine and journals the event together with what was decided. @returns the decisions of this step. */
  tell(event: EngineEvent): readonly Decision[];
  /** The same. @returns what was decided on this very event; undefined where nothing was: the request goes as it is. */
  decide(event: DecidedEvent): Decision | undefined;
  /** Journals what the app has to hear and the engine decides nothing by. */
  note(event: Noted): void;
  /** Takes in what a person did in the app about a turn of this process; listeners hear what came of it. */
  act(event: EngineEvent): void;
  /** Calls back with each step of the engine, those of its own clock included. @returns what ends it. */
  onStep(listener: (step: Step, event: EngineEvent) => void): () => void;
  /**
   * To be awaited before `attempt.started`: where the request would be a model's one probe, the app is asked for it. It
   * takes 250 ms at most; without an app, or without its answer, this process decides alone. A probe that another host
   * makes is then out here as well.
   */
  leaseFor(directory: string, model: ModelId): Promise<void>;
  /**
   * To be awaited before `prompt.submitted`: where the message would be the first to ask a model since its limit has ended, leave
   * for that is asked for as for a probe. What another machine asks first is used last here for a while.
   */
  returnFor(directory: string, model: ModelId): Promise<void>;
  /** Who grants probes from now on; null when nobody does. */
  borrowFrom(lender: Lender | null): void;
  /**
   * Takes in the app's view of health, `ageMs` old, unless the app has not yet heard all that happened here.
   * @returns whether it was taken in.
   */
  sync(health: SyncedHealth, seenSeq: number | null, ageMs: number): boolean;
  /** Takes in what other processes know of models, merged with what this one knows. */
  adopt(health: SyncedHealth): void;
  since(seq: number): readonly JournalEntry[];
  journal: Pick<Journal, 'met' | 'acknowledged' | 'unsendable' | 'dropped'>;
  onEntry(listener: (entry: JournalEntry) => void): () => void;
  state(): EngineState;
  now(): number;
  /** The breaker for errors of Understudy itself. */
  breaker: OwnBreaker;
}>;

/**
 * @param now engine clock in ms. @param random uniform in [0, 1). @param epoch this life of the process.
 * @param schedule wakes the engine when something changes by itself. @param first what it begins with.
 * @param breaker counts errors of the engine and its listeners; once open, no event gets a decision.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createBrain(
  now: () => number = nodeClock().now,
  random: () => number = Math.random,
  epoch: string | null = null,
  schedule: Clock['schedule'] = nodeClock().schedule,
  first: EngineState = initialState,
  breaker: OwnBreaker = createOwnBreaker(now),
): Brain {
  let state = first;
  const journal = createJournal();
  const listeners = new Set<(entry: JournalEntry) => void>();
  const steppers = new Set<(step: Step, event: EngineEvent) => void>();
  /** Requests of one moment for the same probe ask once: which of them makes it, the engine says. */
  const asked = new Map<HealthKey, Promise<boolean>>();
  let lender: Lender | null = null;
  let wakeAt: number | null = null;
  let cancelWake: (() => void) | null = null;

  const advance = (event: EngineEvent, at: number): Step => {
    const result = step(state, event, at, random());
    state = result.state;
    if (result.wakeAt !== wakeAt) wakeFor(result.wakeAt, at);
    return result;
  };

  const wakeFor = (next: number | null, at: number): void => {
    cancelWake?.();
    wakeAt = next;
    cancelWake = next === null ? null : schedule(Math.max(0, next - at), tick);
  };

  const tick = (): void => {
    wakeAt = null;
    alone({ type: 'tick' });
  };

  /** The result of `action`, or `fallback` after an error, which is counted. */
  const safely = <T>(place: string, action: () => T, fallback: T): T => {
    try {
      return action();
    } catch (error) {
      breaker.count(place, error);
      return fallback;
    }
  };

  const tellSteppers = (result: Step, event: EngineEvent): void => {
    for (const listener of steppers) safely('brain.listener', () => listener(result, event), undefined);
  };

  /** A step that this host alone makes: the app is not told. */
  const alone = (event: EngineEvent): void =>
    safely('brain.alone', () => tellSteppers(advance(event, now()), event), undefined);

  const record = (event: JournalEntry['event'], at: number): void => {
    const entry = journal.add(event, at);
    for (const listener of listeners) safely('brain.entry', () => listener(entry), undefined);
  };

  const takeIn = (health: SyncedHealth): void => alone({ type: 'health.synced', health });

  const ask = (from: Lender, key: HealthKey): Promise<boolean> => {
    const underWay = asked.get(key);
    if (underWay) return underWay;
    const answer = orAlone(from(key)).finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  };

  const tell = (told: EngineEvent): readonly Decision[] => {
    // A fault of the engine must not become a fault of a request: without a decision OpenCode gets what came.
    return safely<readonly Decision[]>('brain.step', () => {
      // Decided here and there on the same words: what the app hears is what this engine has heard.
      const event = prepared(told, { epoch, state });
      const at = now();
      const result = advance(event, at);
      const decisions = breaker.isOpen() ? [] : result.decisions;
      if (!OWN.includes(event.type)) record(withDecision(event, decisions), at);
      tellSteppers({ ...result, decisions }, event);
      return decisions;
    }, []);
  };

  return {
    tell,
    decide: (event) => ownOf(event, tell(event)),
    note: (event) => record(event, now()),
    act: alone,
    onStep: (listener) => listen(steppers, listener),
    async leaseFor(directory, model) {
      const key = keyIn(state, directory, model);
      if (!lender || !isProbeDue(state, key, now())) return;
      const isOurs = await ask(lender, key);
      if (!isOurs) alone({ type: 'lease.requested', model: key, epoch: SOMEBODY_ELSE });
    },
    async returnFor(directory, model) {
      const key = keyIn(state, directory, model);
      const isDue = (): boolean => returnDue(state, key, now()) !== null;
      if (!lender || !isDue()) return;
      const isOurs = await ask(lender, key);
      // An answer may have come meanwhile.
      if (!isOurs && isDue()) alone({ type: 'fleet.heard', health: leftToAnother(state, key, now()) });
    },
    borrowFrom(next) {
      lender = next;
    },
    sync(health, seenSeq, ageMs) {
      // What the app says is older than what happened here since: it will say it again when it has caught up.
      if ((seenSeq ?? 0) < journal.lastSeq()) return false;
      takeIn(aged(health, ageMs));
      return true;
    },
    adopt: takeIn,
    since: journal.since,
    journal,
    onEntry: (listener) => listen(listeners, listener),
    state: () => state,
    now,
    breaker,
  };
}

/** What concerns this host alone: the app has a clock and an identity of its own. */
const OWN: readonly EngineEvent['type'][] = ['tick', 'host.resumed'];

/**
 * The event with what this process adds to it: whose life it is and which question is meant, and nothing that must not
 * leave it.
 */
function prepared(event: EngineEvent, of: Readonly<{ epoch: string | null; state: EngineState }>): EngineEvent {
  switch (event.type) {
    case 'attempt.failed':
      return { ...event, evidence: redactEvidence(event.evidence) };
    case 'attempt.started':
      return of.epoch === null ? event : { ...event, epoch: of.epoch };
    case 'question.answered': {
      const open = of.state.questions[0];
      return event.question !== undefined || !open ? event : { ...event, question: open.id };
    }
    default:
      return event;
  }
}

/** The lender's answer, or yes after a while: then this process decides alone. */
function orAlone(answer: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), LEASE_WAIT_MS);
    const settle = (isOurs: boolean): void => {
      clearTimeout(timer);
      resolve(isOurs);
    };
    // silent: without the app's answer this process decides alone
    answer.then(settle, () => settle(true));
  });
}

/** What was decided on an event. With any event the time of a question may be over: what that decides is of its own turn. */
const ownOf = (event: DecidedEvent, decisions: readonly Decision[]): Decision | undefined =>
  decisions.find(({ turn, attempt }) =>
    event.type === 'attempt.failed' ? attempt === event.attempt : turn === event.turn,
  );

/** The event as the app shall hear it: with what was decided here, so that it does not decide a second time. */
function withDecision(event: EngineEvent, decisions: readonly Decision[]): EngineEvent {
  if (event.type !== 'prompt.submitted' && event.type !== 'attempt.started' && event.type !== 'attempt.failed')
    return event;
  const decision = ownOf(event, decisions);
  if (decision) return { ...event, decided: decided(decision) };
  return event.type === 'attempt.started' ? { ...event, decided: { kind: 'keep', code: 'keep.lead' } } : event;
}

function decided({ action, code }: Decision): DecidedAction {
  return {
    kind: action.kind,
    code,
    ...('to' in action ? { to: action.to } : {}),
    ...('waitMs' in action ? { waitMs: action.waitMs } : {}),
    ...('task' in action && action.task ? { task: action.task } : {}),
  };
}
