import * as fc from 'fast-check';
import {
  DEFAULT_HEALTH,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type ModelId,
  type ScopeConfig,
  type Step,
  step,
} from '../../src/engine';
import { EVIDENCE, HOUR, MINUTE, scopeOf } from './world';

export const CHAIN: readonly ModelId[] = ['a/1', 'a/2', 'b/1', 'c/1'];
export const BACKUP: ModelId = 'z/1';
export const DEPTH = 2;
const MODELS: readonly ModelId[] = [...CHAIN, BACKUP, 'x/9'];
const DIRECTORIES = ['/one', '/two', '/none'] as const;

const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.constantFrom<Evidence[]>(...Object.values(EVIDENCE)),
  fc.constantFrom<Evidence[]>(EVIDENCE.serverError, EVIDENCE.network, EVIDENCE.malformed),
  fc.constant<Evidence>({ phase: 'stream', observed: 'aborted' }),
  fc
    .constantFrom('0', '1', '5', '30', '1200', '90000')
    .map((seconds): Evidence => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': seconds } })),
);

/** One move of a host; numbers are read modulo what there is, so that every sequence makes sense. */
type Move = Readonly<{
  move:
    | 'prompt'
    | 'start'
    | 'internal'
    | 'fail'
    | 'succeed'
    | 'abort'
    | 'carry'
    | 'idle'
    | 'close'
    | 'reset'
    | 'tick'
    | 'configure'
    | 'person';
  pick: number;
  other: number;
  waitMs: number;
  flag: boolean;
  evidence: Evidence;
}>;

const move: fc.Arbitrary<Move> = fc.record({
  move: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('start' as const, 'fail' as const, 'fail' as const) },
    { weight: 3, arbitrary: fc.constantFrom('prompt' as const, 'succeed' as const, 'tick' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'internal' as const,
        'abort' as const,
        'carry' as const,
        'idle' as const,
        'close' as const,
        'reset' as const,
        'configure' as const,
        'person' as const,
      ),
    },
  ),
  pick: fc.nat(1_000),
  other: fc.nat(1_000),
  waitMs: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(0, 1, 700) },
    { weight: 1, arbitrary: fc.constantFrom(MINUTE, 5 * MINUTE, 10 * MINUTE, HOUR - 1, HOUR) },
    { weight: 1, arbitrary: fc.nat(2 * HOUR) },
  ),
  flag: fc.boolean(),
  evidence,
});

/** Any run of a host: 1 to 80 moves. */
export const anyRun: fc.Arbitrary<readonly Move[]> = fc.array(move, { minLength: 1, maxLength: 80, size: 'max' });

export type Told = Readonly<{ event: EngineEvent; now: number; result: Step }>;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Plays a run from nothing, under `changes`; with `answers` whoever is asked says something at once, or nothing at all. @returns every event with its moment and what the engine made of it. */
export function play(
  run: readonly Move[],
  changes: Partial<ScopeConfig> = {},
  { answers = false } = {},
): readonly Told[] {
  const told: Told[] = [];
  let state: EngineState = initialState;
  let now = 0;
  const tell = (event: EngineEvent): void => {
    const result = step(state, event, now, 0.25);
    state = result.state;
    told.push({ event, now, result });
  };
  const short = { ...DEFAULT_HEALTH, cooldownMs: MINUTE, retryOriginalAfterMs: 2 * MINUTE };
  const scopes = [
    scopeOf(CHAIN, { maxFallbackDepth: DEPTH, backupModel: BACKUP, ...changes }),
    scopeOf(CHAIN, { maxFallbackDepth: DEPTH, health: short, ...changes }),
  ] as const;
  tell({ type: 'scope.configured', directory: '/one', config: scopes[0] });
  tell({ type: 'scope.configured', directory: '/two', config: scopes[1] });
  run.forEach((each, index) => {
    now += each.waitMs;
    tell(eventOf(each, { index, state, scopes }));
    if (answers && state.questions.length > 0 && each.other % 3 > 0)
      tell({ type: 'question.answered', yes: each.flag, actor: 'panel' });
  });
  return told;
}

function eventOf(
  { move: what, pick, other, flag, evidence: seen }: Move,
  known: Readonly<{ index: number; state: EngineState; scopes: readonly ReturnType<typeof scopeOf>[] }>,
): EngineEvent {
  const { index, state } = known;
  const session = `s${pick % 3}`;
  const directory = at(DIRECTORIES, pick);
  const turns = state.turns.flat().map(([id]) => id);
  const attempts = state.attempts.flat().map(([id]) => id);
  const attempt = attempts.length > 0 ? at(attempts, pick) : 'unknown';
  const turn = turns.length > 0 && other % 8 > 0 ? at(turns, pick) : `t${index}`;
  const turnNow = state.turns.flat().find(([id]) => id === turn)?.[1];
  const agent = at(['build', 'plan'], other);
  switch (what === 'fail' && attempts.length === 0 ? 'start' : what) {
    case 'prompt':
      return {
        type: 'prompt.submitted',
        turn: other % 9 === 0 ? turn : `t${index}`,
        session,
        directory,
        agent,
        model: at(MODELS, other),
        hostLead: flag ? 'a/1' : null,
        isExplicit: pick % 2 === 0,
        ...(pick % 5 === 0 ? { parentSession: `s${other % 3}` } : {}),
      };
    case 'start':
    case 'internal':
      return {
        type: 'attempt.started',
        attempt: other % 11 === 0 ? attempt : `x${index}`,
        turn,
        session: turnNow?.session ?? session,
        directory: turnNow?.directory ?? directory,
        agent: turnNow?.agent ?? agent,
        model: other % 4 === 0 || !turnNow ? at(MODELS, pick) : turnNow.model,
        purpose: what === 'internal' ? 'internal' : 'turn',
      };
    case 'fail':
      return { type: 'attempt.failed', attempt, evidence: seen, durationMs: 5 };
    case 'succeed':
      return { type: 'attempt.succeeded', attempt, durationMs: 5, firstTokenMs: 1, outputChars: 9 };
    case 'abort':
      return { type: 'attempt.aborted', attempt };
    case 'carry':
      return { type: 'switch.carried', turn, from: at(MODELS, other), ok: flag, durationMs: 3 };
    case 'idle':
      return { type: 'session.idle', session };
    case 'close':
      return { type: 'session.closed', session };
    case 'reset':
      return {
        type: 'health.reset',
        target: flag
          ? { model: at(MODELS, pick) }
          : other % 3 === 0
            ? { all: true }
            : { provider: at(['a', 'b', 'c'], pick) },
        actor: 'panel',
      };
    case 'configure':
      return {
        type: 'scope.configured',
        directory: at(DIRECTORIES, pick),
        config: { ...at(known.scopes, other), enabled: pick % 4 > 0, onExhausted: flag ? 'native' : 'error' },
      };
    case 'person':
      return personal({ pick, other, flag });
    case 'tick':
      return { type: 'tick' };
  }
}

/** What a person says of a model, or of all switching. */
function personal({ pick, other, flag }: Pick<Move, 'pick' | 'other' | 'flag'>): EngineEvent {
  const about = { model: at(CHAIN, pick), actor: 'panel' } as const;
  switch (other % 6) {
    case 0:
      return { type: 'health.isolated', ...about };
    case 1:
      return { type: 'health.released', ...about };
    case 2:
      return { type: 'switching.paused', forMs: 5 * MINUTE, actor: 'panel' };
    case 3:
      return { type: 'switching.resumed', actor: 'panel' };
    default:
      return {
        type: 'health.held',
        ...about,
        state: flag ? 'open' : at(['closed', null] as const, pick),
        forMs: 20 * MINUTE,
      };
  }
}
