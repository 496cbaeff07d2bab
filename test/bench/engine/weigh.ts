import { createHook } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { type EngineState, initialState, step } from '../../../src/engine';
import { cockatiel, opossum, ourFace, type Wrapper } from './wrappers';

/** What one of many weighs, and the timers that all of them together leave running while nothing happens. */
export type Weight = Readonly<{ count: number; bytesEach: number; timers: number }>;

/** What can be weighed. Each is built in a process of its own, so that nothing else is on its heap. */
export const SUBJECTS = ['engine', 'face', 'cockatiel', 'opossum'] as const;
export type Subject = (typeof SUBJECTS)[number];

const MANY = 100_000;
/** Opossum takes some kilobytes and a timer each. */
const FEW = 10_000;

/** Builds a subject and weighs it. Needs a process started with `--expose-gc`. */
export function weigh(subject: Subject, opossumFolder: string): Promise<Weight> {
  switch (subject) {
    case 'engine':
      return weighed(MANY, async (count) => [seen(count)]);
    case 'face':
      return weighed(FEW, (count) => called(ourFace(), count));
    case 'cockatiel':
      return weighed(MANY, (count) => called(cockatiel(), count));
    case 'opossum':
      return weighed(FEW, (count) => called(opossum(opossumFolder), count));
  }
}

async function weighed(count: number, build: (count: number) => Promise<readonly unknown[]>): Promise<Weight> {
  // What the first ones bring along, code and shapes, belongs to none of them.
  await build(count / 100);
  const timers = countTimers();
  const before = heapBytes();
  const kept = await build(count);
  const bytesEach = Math.round((heapBytes() - before) / count);
  // The end of a timer is told a turn later.
  await turn();
  return { count: kept.length && count, bytesEach, timers: timers() };
}

function heapBytes(): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (!collect) throw new Error('weighing needs a process started with --expose-gc');
  for (let round = 0; round < 4; round++) collect();
  return process.memoryUsage().heapUsed;
}

/** A state in which so many models have answered once. */
function seen(models: number): EngineState {
  let state = initialState;
  const tell = (event: Parameters<typeof step>[1], now: number): void => {
    state = step(state, event, now, 0.5).state;
  };
  const at = { turn: 't', session: 's', directory: '/project', agent: 'build', purpose: 'internal' } as const;
  for (let n = 0; n < models; n++) {
    const attempt = `a${n}`;
    tell({ type: 'attempt.started', ...at, attempt, model: `p${n % 50}/m${n}` }, n);
    tell({ type: 'attempt.succeeded', attempt, durationMs: 900, firstTokenMs: 300, outputChars: 120 }, n);
  }
  tell({ type: 'session.closed', session: 's' }, models);
  return state;
}

/** So many breakers, each of which has let one call through. */
async function called({ answering }: Wrapper, count: number): Promise<readonly unknown[]> {
  const breakers: unknown[] = [];
  for (let n = 0; n < count; n++) {
    const { breaker, call } = answering();
    await call();
    breakers.push(breaker);
  }
  return breakers;
}

/** Counts the timers that were set from now on and have neither ended nor been cleared, those too that let a process end. */
function countTimers(): () => number {
  const running = new Set<number>();
  const init = (id: number, type: string): void => void (type === 'Timeout' && running.add(id));
  createHook({ init, destroy: (id) => running.delete(id) }).enable();
  return () => running.size;
}
