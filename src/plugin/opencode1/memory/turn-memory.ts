import type { Rejoining } from '../../user/commands';
import { refOf } from './model-ref';
import type { UserMessage } from './types';

/** `isStop`: Understudy ended the turn. */
export type Replay = Readonly<{ from: string; to: string; failed: string | null; isStop?: true }>;

export type Drop = Readonly<{ model: string; isKept: boolean }>;

/** State of one user message; only this file changes it. */
export type TurnMemory = Readonly<{
  session: string;
  message: string;
  /** False for messages that OpenCode made. */
  isPrompted: boolean;
  /** Model of the original message, restored when the session is idle; null if unknown. */
  home: string | null;
  /** Null for none, and without `home`. */
  homeVariant: string | null;
  /** Model of our last write; another one later is a stale write of OpenCode's. */
  expected: string | null;
  left: ReadonlySet<string>;
  /** Consecutive requests for a model in `left`. */
  lost: number;
  drops: readonly Drop[];
  user: UserMessage | null;
  mending: Promise<void> | null;
  /** A request other than a title has a number. */
  isNumbered: boolean;
  requests: number;
  /** Excludes titles and summaries; 0 if the provider bypasses our fetch. */
  ownRequests: number;
  /** Short pieces preserved for the same model; dropped after a switch. */
  halves: number;
  /** Added to the next request, so that a model continues a preserved piece. */
  continueWith: string | null;
  /** Steps counted by OpenCode that are not the agent's. */
  lentSteps: number;
  /** OpenCode got the last failure: the next request is its own retry. */
  isPassedOn: boolean;
  /** The turn has text or tool calls; null if unknown. */
  hasBegun: boolean | null;
  /** Moved, but not requested from the next model yet. */
  isAwaited: boolean;
  replay: Replay | null;
  hasOverflowed: boolean;
  /** Reply to a command; null for other messages. */
  reply: string | null;
  /** Agent that the command brought back, until it is tried. */
  rejoining: Rejoining | null;
  isReplied: boolean;
  /** Running turn that continues in this command's steps. */
  continues: string | null;
  answering: string | null;
}>;

type Open = { -readonly [Key in keyof TurnMemory]: TurnMemory[Key] } & { left: Set<string>; drops: Drop[] };
const open = (turn: TurnMemory): Open => turn as Open;

export function newTurn(session: string, message: string): TurnMemory {
  const turn: Open = {
    session,
    message,
    isPrompted: false,
    home: null,
    homeVariant: null,
    expected: null,
    left: new Set(),
    lost: 0,
    drops: [],
    user: null,
    mending: null,
    isNumbered: false,
    requests: 0,
    ownRequests: 0,
    halves: 0,
    lentSteps: 0,
    continueWith: null,
    isPassedOn: false,
    hasBegun: null,
    isAwaited: false,
    replay: null,
    hasOverflowed: false,
    reply: null,
    rejoining: null,
    isReplied: false,
    continues: null,
    answering: null,
  };
  return turn;
}

export type Home = Readonly<{ model: string; variant: string | null }>;

export const namedIn = ({ model }: Pick<UserMessage, 'model'>): Home => ({
  model: refOf(model),
  variant: model.variant ?? null,
});

const setHome = (turn: Open, { model, variant }: Home): void =>
  void Object.assign(turn, { home: model, homeVariant: variant });

export const homeIn = ({ home, homeVariant }: TurnMemory): Home | null =>
  home === null ? null : { model: home, variant: homeVariant };

export function promptedTurn(user: UserMessage, home: Home): TurnMemory {
  const turn = open(newTurn(user.sessionID, user.id));
  turn.user = structuredClone(user);
  setHome(turn, home);
  turn.isPrompted = true;
  return turn;
}

export function becomeCommand(
  turn: TurnMemory,
  { reply, rejoining, under }: Readonly<{ reply: string; rejoining: Rejoining | null; under: TurnMemory | undefined }>,
): void {
  const memory = open(turn);
  memory.isPrompted = false;
  memory.reply = reply;
  // The running turn continues in these steps: no trial delays it.
  memory.rejoining = under ? null : rejoining;
  memory.continues = under ? (under.continues ?? under.message) : null;
}

export function endContinued(turn: TurnMemory): void {
  open(turn).continues = null;
}

export function noteReplied(turn: TurnMemory): void {
  open(turn).isReplied = true;
}

export function takeRejoining(turn: TurnMemory): Rejoining | null {
  const { rejoining } = turn;
  open(turn).rejoining = null;
  return rejoining;
}

export function noteNumbered(
  turn: TurnMemory,
  { user, isInternal, isHousekeeping, home }: Readonly<{ user: UserMessage; home: () => Home } & Purpose>,
): void {
  const memory = open(turn);
  memory.isNumbered ||= !isHousekeeping;
  // A title uses a history from before the move.
  if (!isInternal || turn.user === null) memory.user = user;
  if (memory.home === null) setHome(memory, home());
}

export function noteUser(turn: TurnMemory, user: UserMessage): void {
  open(turn).user = user;
}

/** `isHousekeeping`: a title or a summary; `isInternal`: cannot be moved. */
export type Purpose = Readonly<{ isInternal: boolean; isHousekeeping: boolean }>;

/** `isRetry`: OpenCode retries a failure that was passed on. */
export function nextRequest(
  turn: TurnMemory,
  { isInternal, isHousekeeping }: Purpose,
): Readonly<{ number: number; isRetry: boolean }> {
  const memory = open(turn);
  if (!isHousekeeping) memory.ownRequests++;
  const isRetry = turn.isPassedOn && !isInternal;
  memory.isPassedOn &&= isInternal;
  return { number: memory.requests++, isRetry };
}

export function notePassed(turn: TurnMemory, isOverflow: boolean): void {
  const memory = open(turn);
  memory.isPassedOn = true;
  memory.hasOverflowed ||= isOverflow;
}

export function noteAnswered(turn: TurnMemory): void {
  open(turn).halves = 0;
}

export function noteAnswering(turn: TurnMemory, message: string): void {
  open(turn).answering = message;
}

export function noteStay(turn: TurnMemory, drop: Drop, isPiece: boolean): void {
  if (isPiece) open(turn).halves++;
  open(turn).drops.push(drop);
}

/** Accepts both models until OpenCode has taken the other. */
export function beginMove(turn: TurnMemory, from: string): void {
  open(turn).expected = null;
  open(turn).left.add(from);
}

export function noteLeft(turn: TurnMemory, from: string): void {
  open(turn).left.add(from);
}

export function noteMoved(turn: TurnMemory, drop: Drop): void {
  const memory = open(turn);
  memory.isAwaited = true;
  memory.continueWith = null;
  for (; memory.halves > 0; memory.halves--) memory.drops.push({ model: drop.model, isKept: false });
  memory.drops.push(drop);
}

export function noteNotAwaited(turn: TurnMemory): void {
  open(turn).isAwaited = false;
}

export function goOnWith(turn: TurnMemory, message: string): void {
  open(turn).continueWith = message;
}

export function takeContinueWith(turn: TurnMemory): string | null {
  const { continueWith } = turn;
  open(turn).continueWith = null;
  return continueWith;
}

/** Accepts both models during a rewrite. */
export function beginRewrite(turn: TurnMemory, now: Home, next: string): void {
  const memory = open(turn);
  if (memory.home === null) setHome(memory, now);
  if (memory.expected !== next) memory.expected = null;
}

/** Null allows any model. */
export function expectModel(turn: TurnMemory, model: string | null): void {
  open(turn).expected = model;
}

export function noteLost(turn: TurnMemory): number {
  return ++open(turn).lost;
}

export function noteFound(turn: TurnMemory): void {
  open(turn).lost = 0;
}

export function noteDrop(turn: TurnMemory, drop: Drop): void {
  open(turn).drops.push(drop);
}

export function takeDrops(turn: TurnMemory): Drop[] {
  return open(turn).drops.splice(0);
}

export function mendOnce(turn: TurnMemory, mend: () => Promise<void>): Promise<void> {
  const memory = open(turn);
  memory.mending ??= mend().finally(() => {
    memory.mending = null;
  });
  return memory.mending;
}

export function noteLent(turn: TurnMemory): void {
  open(turn).lentSteps++;
}

export function noteSpent(turn: TurnMemory): void {
  open(turn).lentSteps--;
}

export function noteHistory(turn: TurnMemory, hasBegun: boolean): void {
  open(turn).hasBegun = hasBegun;
}

export function setReplay(turn: TurnMemory, replay: Replay | null): void {
  open(turn).replay = replay;
}
