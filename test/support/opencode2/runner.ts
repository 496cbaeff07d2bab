import type { RetryDecision, SessionError } from '../../../src/plugin/opencode2/session/types';
import { CallFailure, Interrupted, proposalFor } from './failures';
import { ask } from './request';
import { emptyAnswer, hasOutput } from './wire';
import { type Asked, type AssistantRow, agentOf, modelOf, type SessionState, type World } from './world';

/** Retries of one step; then the hooks are no longer called. */
const RETRIES_MAX = 10;
const CONTINUE = 'The response was interrupted. Continue where it stopped.';

/** Runs a session until nothing is pending. Never rejects; emits results as events. */
export async function execute(world: World, session: SessionState): Promise<void> {
  const controller = new AbortController();
  session.running = controller;
  const about = { sessionID: session.id };
  world.emit('session.execution.started', about);
  try {
    await runTurns(world, { session, kind: 'primary', signal: controller.signal });
    world.emit('session.execution.succeeded', about);
  } catch (error) {
    if (error instanceof Interrupted) world.emit('session.execution.interrupted', { ...about, reason: 'user' });
    else world.emit('session.execution.failed', { ...about, error: errorOf(error) });
  } finally {
    session.running = null;
    if (session.inbox.some(({ wakes }) => wakes)) world.wake(session);
  }
}

async function runTurns(world: World, asked: Asked): Promise<void> {
  const { session, signal } = asked;
  const { steps = Number.POSITIVE_INFINITY } = world.agents[session.agent] ?? {};
  let step = 0;
  for (let isFirst = true; ; isFirst = false) {
    // Restarts at each new message; a retry is no step.
    step = open(session, isFirst) > 0 ? 1 : step + 1;
    if (isFirst && world.hasTitles && session.title === null && session.parentID === null)
      session.asides.push(makeTitle(world, session));
    const row = await runStep(world, { ...asked, isLast: step >= steps });
    if (signal.aborted) throw new Interrupted();
    for (const { id, name, arguments: text } of row.answer.calls)
      row.results.set(id, (await world.tools.get(name)?.(JSON.parse(text), session)) ?? `no tool ${name}`);
    const isAsked = session.inbox.some(({ delivery }) => delivery === 'steer');
    if (row.answer.calls.length === 0 && !isAsked) return;
  }
}

/** Takes pending input: all of it before a turn, only steering between steps. @returns the number. */
function open(session: SessionState, isFirst: boolean): number {
  const taken = session.inbox.filter(({ delivery }) => isFirst || delivery === 'steer');
  session.inbox = session.inbox.filter((letter) => !taken.includes(letter));
  for (const { kind, text } of taken) session.rows.push({ type: kind === 'prompt' ? 'user' : kind, text });
  return taken.length;
}

function addRow(world: World, session: SessionState): AssistantRow {
  const id = world.nextId('msg');
  const row: AssistantRow = {
    type: 'assistant',
    id,
    model: null,
    answer: emptyAnswer(),
    results: new Map(),
    status: 'running',
  };
  session.rows.push(row);
  return row;
}

async function runStep(world: World, asked: Asked): Promise<AssistantRow> {
  const { session } = asked;
  let row = addRow(world, session);
  const about = () => ({ sessionID: session.id, assistantMessageID: row.id });
  await withRetries(world, asked, {
    row: () => row,
    begin: (model) => {
      row.model = model;
      world.emit('session.step.started', { ...about(), agent: session.agent, model });
    },
    again: (failure) => {
      if (!hasOutput(row.answer)) return;
      row.status = 'failed';
      world.emit('session.step.failed', { ...about(), error: failure.error });
      session.rows.push({ type: 'synthetic', text: CONTINUE });
      row = addRow(world, session);
    },
    failed: (failure) => {
      row.status = 'failed';
      world.emit('session.step.failed', { ...about(), error: failure.error });
    },
  });
  row.status = 'done';
  const { finish, tokens } = row.answer;
  world.emit('session.step.ended', { ...about(), finish, cost: 0, tokens: tokens ?? {} });
  return row;
}

type Stages = Readonly<{
  row(): Pick<AssistantRow, 'id' | 'answer'>;
  begin(model: NonNullable<AssistantRow['model']>): void;
  again(failure: CallFailure): void;
  failed(failure: CallFailure): void;
}>;

async function withRetries(world: World, asked: Asked, stages: Stages): Promise<void> {
  const { session, signal } = asked;
  const first = modelOf(world, session);
  for (let attempt = 1; ; attempt += 1) {
    const model = world.knobs.resolvesOnRetry ? modelOf(world, session) : first;
    stages.begin(model);
    try {
      await ask(world, { ...asked, model, answer: stages.row().answer });
      return;
    } catch (error) {
      if (signal.aborted) throw new Interrupted();
      const failure =
        error instanceof CallFailure ? error : new CallFailure({ type: 'unknown', message: String(error) });
      const decision = await decide(world, asked, { failure, attempt: attempt + 1, model }).catch((defect) => {
        stages.failed(defect);
        throw defect;
      });
      if (!decision.retry) {
        stages.failed(failure);
        throw failure;
      }
      const about = { sessionID: session.id, assistantMessageID: stages.row().id };
      const at = Date.now() + decision.delay;
      world.emit('session.retry.scheduled', { ...about, attempt: attempt + 1, at, error: failure.error });
      await world.sleep(decision.delay, signal);
      if (signal.aborted) throw new Interrupted();
      stages.again(failure);
    }
  }
}

type Failed = Readonly<{ failure: CallFailure; attempt: number; model: NonNullable<AssistantRow['model']> }>;

async function decide(
  world: World,
  { session, kind }: Asked,
  { failure, attempt, model }: Failed,
): Promise<RetryDecision> {
  const { hooks, knobs } = world;
  if (failure.route !== 'call' || attempt - 1 > RETRIES_MAX) return { retry: false };
  const event = {
    sessionID: session.id,
    agent: agentOf(world, { session, kind }),
    model,
    error: failure.error,
    attempt,
    decision: proposalFor(failure, attempt),
  };
  const isAsked = (kind === 'primary' || knobs.asksForHousekeeping) && !knobs.hidesFromRetry(failure.error);
  if (isAsked) await hooks.run('retry', event);
  return event.decision;
}

async function makeTitle(world: World, session: SessionState): Promise<void> {
  session.title = await askAside(world, session, 'title').catch(() => null);
}

/** Replaces a session's rows by a summary; a failure changes nothing. @returns the summary. */
export async function compact(world: World, session: SessionState): Promise<string | null> {
  const text = await askAside(world, session, 'compaction').catch(() => null);
  if (text !== null) session.rows = [{ type: 'summary', text }];
  return text;
}

async function askAside(world: World, session: SessionState, kind: 'title' | 'compaction'): Promise<string> {
  const agent = agentOf(world, { session, kind });
  const own = { sessionID: session.id, agent, model: modelOf(world, session), result: undefined as unknown };
  await world.hooks.run(kind, own);
  if (typeof own.result === 'string') return own.result;
  const row = { id: world.nextId('msg'), answer: emptyAnswer() };
  const signal = session.running?.signal ?? new AbortController().signal;
  await withRetries(world, { session, kind, signal }, { row: () => row, begin() {}, again() {}, failed() {} });
  return row.answer.text;
}

function errorOf(error: unknown): SessionError {
  return error instanceof CallFailure ? error.error : { type: 'unknown', message: String(error) };
}
