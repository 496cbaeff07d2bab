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

/** Source: ADR 0004. */
const LEASE_WAIT_MS = 250;
const SOMEBODY_ELSE = 'another host';

/** Requests a lease; may settle late or never. */
export type Lender = (model: HealthKey) => Promise<boolean>;

type DecidedEvent = Extract<EngineEvent, { type: 'prompt.submitted' | 'attempt.started' | 'attempt.failed' }>;

export type Brain = Readonly<{
  /** Steps the engine and journals the event with its decisions. */
  tell(event: EngineEvent): readonly Decision[];
  /** Undefined: the request goes out unchanged. */
  decide(event: DecidedEvent): Decision | undefined;
  /** Journals an event that the engine does not process. */
  note(event: Noted): void;
  /** Applies a user's action from the app; not journaled. */
  act(event: EngineEvent): void;
  onStep(listener: (step: Step, event: EngineEvent) => void): () => void;
  /**
   * Await before `attempt.started`: leases the model's one probe, or decides alone after 250 ms. If another host has
   * the lease, the model is unavailable here.
   */
  leaseFor(directory: string, model: ModelId): Promise<void>;
  /**
   * Await before `prompt.submitted`: leases the first use after a limit. If another machine has it, the model is used
   * last here for a while.
   */
  returnFor(directory: string, model: ModelId): Promise<void>;
  borrowFrom(lender: Lender | null): void;
  /** Applies the app's health, `ageMs` old; false if the app lacks entries of this process. */
  sync(health: SyncedHealth, seenSeq: number | null, ageMs: number): boolean;
  adopt(health: SyncedHealth): void;
  since(seq: number): readonly JournalEntry[];
  journal: Pick<Journal, 'met' | 'acknowledged' | 'unsendable' | 'dropped'>;
  onEntry(listener: (entry: JournalEntry) => void): () => void;
  state(): EngineState;
  now(): number;
  breaker: OwnBreaker;
}>;

/**
 * @param epoch identifies this run of the process.
 * @param breaker once open, no event gets a decision.
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
  /** Simultaneous requests for one probe share a lease request. */
  const checks = new Map<HealthKey, Promise<boolean>>();
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

  /** Not journaled. */
  const alone = (event: EngineEvent): void =>
    safely('brain.alone', () => tellSteppers(advance(event, now()), event), undefined);

  const record = (event: JournalEntry['event'], at: number): void => {
    const entry = journal.add(event, at);
    for (const listener of listeners) safely('brain.entry', () => listener(entry), undefined);
  };

  const takeIn = (health: SyncedHealth): void => alone({ type: 'health.synced', health });

  const ask = (from: Lender, key: HealthKey): Promise<boolean> => {
    const underWay = checks.get(key);
    if (underWay) return underWay;
    const answer = orAlone(from(key)).finally(() => checks.delete(key));
    checks.set(key, answer);
    return answer;
  };

  const tell = (sent: EngineEvent): readonly Decision[] => {
    // An engine error must not fail a request.
    return safely<readonly Decision[]>('brain.step', () => {
      // The app must get the event that the engine processed.
      const event = prepared(sent, { epoch, state });
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
      // A response may have arrived meanwhile.
      if (!isOurs && isDue()) alone({ type: 'fleet.heard', health: leftToAnother(state, key, now()) });
    },
    borrowFrom(next) {
      lender = next;
    },
    sync(health, seenSeq, ageMs) {
      // The app's health predates events here; it sends health again later.
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

/** Not journaled: the app has its own clock. */
const OWN: readonly EngineEvent['type'][] = ['tick', 'host.resumed'];

/** Redacts evidence before it leaves the process. */
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

/** True after the wait or an error: this process decides alone. */
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

/** An event may also end a question of another turn. */
const ownOf = (event: DecidedEvent, decisions: readonly Decision[]): Decision | undefined =>
  decisions.find(({ turn, attempt }) =>
    event.type === 'attempt.failed' ? attempt === event.attempt : turn === event.turn,
  );

/** Adds the decision, so that the app does not decide again. */
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
