import fc from 'fast-check';
import { get } from '../../../../src/engine/base/table';
import { TOOL_REASONS } from '../../../../src/engine/scorecard';
import { EVIDENCE, type EvidenceName, LEAD, OTHER, type Stage, stage, UNDERSTUDY } from './stage';

export const MODELS = [LEAD, UNDERSTUDY, OTHER, 'globex/fourth'] as const;
const SESSIONS = ['s1', 's2', 's3'] as const;

export type Command = Readonly<{
  gapMs: number;
  kind:
    | 'turn'
    | 'prompt'
    | 'start'
    | 'fail'
    | 'answer'
    | 'abort'
    | 'idle'
    | 'close'
    | 'usage'
    | 'trouble'
    | 'again'
    | 'late'
    | 'reset'
    | 'tick';
  session: number;
  model: number;
  pick: number;
  how: EvidenceName;
  ms: number;
}>;

const weighted = fc.oneof(
  { weight: 6, arbitrary: fc.constant('turn' as const) },
  { weight: 4, arbitrary: fc.constant('start' as const) },
  { weight: 3, arbitrary: fc.constantFrom('answer' as const, 'fail' as const) },
  { weight: 2, arbitrary: fc.constantFrom('prompt' as const, 'idle' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('abort', 'close', 'usage', 'trouble', 'again', 'late', 'reset', 'tick' as const),
  },
);

/** One thing that happens; indexes are taken modulo what there is when it happens. */
export const command: fc.Arbitrary<Command> = fc.record({
  gapMs: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_000_000 }) },
  ),
  kind: weighted,
  session: fc.nat(2),
  model: fc.nat(11),
  pick: fc.nat(20),
  how: fc.constantFrom(...(Object.keys(EVIDENCE) as EvidenceName[])),
  ms: fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.constantFrom(0.4, Number.NaN, -3, Number.POSITIVE_INFINITY)),
});

export const history = fc.array(command, { maxLength: 60, size: 'max' });

type Player = { at: number; minted: number; open: string[]; ended: string[]; turnOf: Map<string, string> };

/** Plays commands through the real engine, as a companion would that is now and then wrong. */
export function play(commands: readonly Command[], on: Stage = stage()): Stage {
  const player: Player = { at: 0, minted: 0, open: [], ended: [], turnOf: new Map() };
  for (const command of commands) {
    player.at += command.gapMs;
    const session = SESSIONS[command.session] ?? 's1';
    const turn = player.turnOf.get(session) ?? `${session}-lost`;
    ACTS[command.kind](on, player, { command, session, turn });
  }
  return on;
}

type Act = (on: Stage, player: Player, what: Readonly<{ command: Command; session: string; turn: string }>) => void;

const ACTS: Readonly<Record<Command['kind'], Act>> = {
  turn: (on, player, { command, session }) => wholeTurn(on, player, command, session),
  prompt: (on, player, { session }) => {
    player.turnOf.set(session, `${session}-${++player.minted}`);
    on.prompt(`${session}-${player.minted}`, player.at, session);
  },
  start: startOf,
  fail: endOf,
  answer: endOf,
  abort: endOf,
  idle: (on, { at }, { session }) => on.idle(at, session),
  close: (on, { at }, { session }) => void on.tell({ type: 'session.closed', session }, at),
  usage: (on, { at }, { command, session, turn }) => {
    const model = modelOf(command);
    on.tell({ type: 'usage.recorded', session, turn, model, ...usage(command) }, at);
  },
  trouble: (on, { at }, { command, session, turn }) => {
    const about = { session, turn, model: modelOf(command) };
    const reason = TOOL_REASONS[command.pick % TOOL_REASONS.length] ?? 'execution';
    const failed = { type: 'tool.failed', ...about, reason, isRepeated: command.pick % 3 === 0 } as const;
    on.tell(command.pick % 2 ? { type: 'answer.continued', ...about } : failed, at);
  },
  again: (on, { at, open }, { command }) => {
    const attempt = open[command.pick % Math.max(1, open.length)];
    // A turn belongs to one session, so its repeated start does as well.
    if (attempt !== undefined) on.start(attempt, modelOf(command), at, attempt.slice(0, attempt.indexOf('-')));
  },
  late: (on, { at, ended }, { command }) => {
    if (ended.length > 0) on.answer(ended[command.pick % ended.length] ?? '', at);
  },
  reset: (on, { at }) => void on.tell({ type: 'health.reset', target: { all: true }, actor: 'person' }, at),
  tick: (on, { at }) => void on.tell({ type: 'tick' }, at),
};

/** A turn as it usually goes: up to three requests fail, each is asked where the engine says, and one is answered. */
function wholeTurn(on: Stage, player: Player, command: Command, session: string): void {
  const turn = `${session}-${++player.minted}`;
  player.turnOf.set(session, turn);
  on.prompt(turn, player.at, session);
  for (let failed = 0; failed <= command.pick % 4; failed++) {
    const attempt = `${turn}:${++player.minted}`;
    on.start(attempt, get(on.state().turns, turn)?.model ?? LEAD, player.at, session, heardOf(command));
    player.at += 1_000;
    if (failed < command.pick % 4) on.fail(attempt, command.how, player.at, command.ms);
    else on.answer(attempt, player.at, command.ms, command.ms / 2);
  }
  if (command.pick % 5 > 0) on.idle(player.at, session);
}

/** Half of the requests are those of a host that tells of flaws. */
const heardOf = ({ pick }: Command) => (pick % 2 ? { tellsFlaws: true as const } : {});
const modelOf = ({ model }: Command): string => MODELS[model % MODELS.length] ?? LEAD;
const usage = ({ ms, pick }: Command) => ({
  tokens: { input: ms, output: pick, reasoning: 1, cacheRead: 2, cacheWrite: 3 },
  cost: pick % 3 === 0 ? null : ms / 7,
});

function startOf(on: Stage, player: Player, what: Readonly<{ command: Command; session: string; turn: string }>): void {
  const { command, session, turn } = what;
  const attempt = `${turn}:${++player.minted}`;
  // Two of three times the request goes to the model the turn speaks through, as OpenCode does.
  const own = command.model < 8 ? get(on.state().turns, turn)?.model : undefined;
  on.start(attempt, own ?? modelOf(command), player.at, session, heardOf(command));
  player.open.push(attempt);
}

function endOf(on: Stage, player: Player, { command }: Readonly<{ command: Command }>): void {
  if (player.open.length === 0) return;
  const [attempt] = player.open.splice(command.pick % player.open.length, 1);
  if (attempt === undefined) return;
  player.ended.push(attempt);
  if (command.kind === 'fail') on.fail(attempt, command.how, player.at, command.ms);
  else if (command.kind === 'answer') on.answer(attempt, player.at, command.ms, command.ms / 2);
  else on.tell({ type: 'attempt.aborted', attempt }, player.at);
}
