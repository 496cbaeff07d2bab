import type { Rejoining } from '../../user/commands';
import { refOf } from './model-ref';
import type { UserMessage } from './types';

/** A turn that has ended and goes on with another model once its session rests. `isStop`: Understudy has ended it. */
export type Replay = Readonly<{ from: string; to: string; failed: string | null; isStop?: true }>;

/** A failed step: of whom, and whether what was said in it stays. */
export type Drop = Readonly<{ model: string; isKept: boolean }>;

/** What the adapter remembers of one user message. It changes by the functions of this file, and by nothing else. */
export type TurnMemory = Readonly<{
  session: string;
  message: string;
  /** Whether the user sent it; OpenCode makes messages of its own. */
  isPrompted: boolean;
  /** The model the message named when it came, and shall name again when its session rests; null while not known. */
  home: string | null;
  /** The variant it named then; null for none, and while `home` is not known. */
  homeVariant: string | null;
  /** The model our own write put into the message; another one seen later is a stale write of OpenCode's. */
  expected: string | null;
  left: ReadonlySet<string>;
  /** Requests for a model it had left. */
  lost: number;
  /** Failed steps whose empty message is not found yet. */
  drops: readonly Drop[];
  user: UserMessage | null;
  /** A stale write that is being mended. */
  mending: Promise<void> | null;
  /** A request of the turn itself, and not of its title, has been numbered for the fetch wrapper. */
  isNumbered: boolean;
  /** Requests made so far, those of OpenCode's own included: numbers the attempts. */
  requests: number;
  /** Requests of the turn itself, without those for its title or summary; 0 where its provider does not use our fetch. */
  ownRequests: number;
  /** Short pieces of an answer, kept for the model that shall go on from them; another one begins anew. */
  halves: number;
  /** What the next request has to say to a model that shall go on from a kept piece; the transform takes it. */
  continueWith: string | null;
  /** Steps that OpenCode has counted for ours, and not given back to the agent yet. */
  lentSteps: number;
  /** The last failure went to OpenCode: another request is OpenCode's own retry. */
  isPassedOn: boolean;
  /** Whether anything was said or any tool called in it; null while its history has not come by. */
  hasBegun: boolean | null;
  /** It was moved, and OpenCode has not asked the next model yet. */
  isAwaited: boolean;
  replay: Replay | null;
  /** The conversation was too long: OpenCode compacts it. */
  hasOverflowed: boolean;
  /** The message is a command of ours: what the user is told; null for any other message. */
  reply: string | null;
  /** The agent this command has brought back, until it has been tried. */
  rejoining: Rejoining | null;
  /** The user has been told. */
  isReplied: boolean;
  /** The turn that goes on in this command's steps, because it was under way when the command came. */
  continues: string | null;
  /** The newest message in which this one is answered. */
  answering: string | null;
}>;

/** The same, as this file alone may write it. */
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

/** Which model a message is meant for, and in which variant; null for none. */
export type Home = Readonly<{ model: string; variant: string | null }>;

/** Where a message belongs that nobody has moved: to whom it names. */
export const namedIn = ({ model }: Pick<UserMessage, 'model'>): Home => ({
  model: refOf(model),
  variant: model.variant ?? null,
});

const setHome = (turn: Open, { model, variant }: Home): void =>
  void Object.assign(turn, { home: model, homeVariant: variant });

/** Where a message belongs; null while that is not known. */
export const homeIn = ({ home, homeVariant }: TurnMemory): Home | null =>
  home === null ? null : { model: home, variant: homeVariant };

/** The memory of a message that the user has just sent, to the model it names or, moved already, to `home`. */
export function promptedTurn(user: UserMessage, home: Home): TurnMemory {
  const turn = open(newTurn(user.sessionID, user.id));
  turn.user = structuredClone(user);
  setHome(turn, home);
  turn.isPrompted = true;
  return turn;
}

/** The message is a command of ours, and needs no model of its own. `under` is the turn that was under way when it came. */
export function becomeCommand(
  turn: TurnMemory,
  { reply, rejoining, under }: Readonly<{ reply: string; rejoining: Rejoining | null; under: TurnMemory | undefined }>,
): void {
  const memory = open(turn);
  memory.isPrompted = false;
  memory.reply = reply;
  // A turn that is under way goes on in these steps: nothing waits there.
  memory.rejoining = under ? null : rejoining;
  memory.continues = under ? (under.continues ?? under.message) : null;
}

export function endContinued(turn: TurnMemory): void {
  open(turn).continues = null;
}

/** The user is told what the command has to say. */
export function noteReplied(turn: TurnMemory): void {
  open(turn).isReplied = true;
}

/** @returns the agent this command has brought back, the first time it is asked for. */
export function takeRejoining(turn: TurnMemory): Rejoining | null {
  const { rejoining } = turn;
  open(turn).rejoining = null;
  return rejoining;
}

/** A request of the turn has its number. `home` is asked where nobody knows yet whom the user meant. */
export function noteNumbered(
  turn: TurnMemory,
  { user, isInternal, isHousekeeping, home }: Readonly<{ user: UserMessage; home: () => Home } & Purpose>,
): void {
  const memory = open(turn);
  memory.isNumbered ||= !isHousekeeping;
  // A title is made beside the turn, from a history read before the turn was moved.
  if (!isInternal || turn.user === null) memory.user = user;
  if (memory.home === null) setHome(memory, home());
}

/** The message as OpenCode has it now. */
export function noteUser(turn: TurnMemory, user: UserMessage): void {
  open(turn).user = user;
}

/** The purpose of a request: `isHousekeeping` for a title or a summary, `isInternal` where it cannot be moved either. */
export type Purpose = Readonly<{ isInternal: boolean; isHousekeeping: boolean }>;

/** @returns the number of a request that leaves now, and whether it is OpenCode's own retry of one that was passed on. */
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

/** A failure goes to OpenCode as it was: what it asks next is its own retry, or what it has compacted. */
export function notePassed(turn: TurnMemory, isOverflow: boolean): void {
  const memory = open(turn);
  memory.isPassedOn = true;
  memory.hasOverflowed ||= isOverflow;
}

/** A model has answered: what it said in pieces is a whole. */
export function noteAnswered(turn: TurnMemory): void {
  open(turn).halves = 0;
}

export function noteAnswering(turn: TurnMemory, message: string): void {
  open(turn).answering = message;
}

/** The same model is asked again in a step of its own; a short piece it has said is one of those that may be dropped yet. */
export function noteStay(turn: TurnMemory, drop: Drop, isPiece: boolean): void {
  if (isPiece) open(turn).halves++;
  open(turn).drops.push(drop);
}

/** The turn is about to be pointed at another model: until OpenCode has taken it, neither is a mistake. */
export function beginMove(turn: TurnMemory, from: string): void {
  open(turn).expected = null;
  open(turn).left.add(from);
}

/** The turn leaves a model, with the one it is queued behind. */
export function noteLeft(turn: TurnMemory, from: string): void {
  open(turn).left.add(from);
}

/** OpenCode has taken the next model, which it has not asked yet; no piece of the one before stays but a long one. */
export function noteMoved(turn: TurnMemory, drop: Drop): void {
  const memory = open(turn);
  memory.isAwaited = true;
  memory.continueWith = null;
  for (; memory.halves > 0; memory.halves--) memory.drops.push({ model: drop.model, isKept: false });
  memory.drops.push(drop);
}

/** The next model was asked, or the session rests. */
export function noteNotAwaited(turn: TurnMemory): void {
  open(turn).isAwaited = false;
}

/** The next request says this to its model. */
export function goOnWith(turn: TurnMemory, message: string): void {
  open(turn).continueWith = message;
}

/** @returns what the next request is to say to its model, once; null for nothing. */
export function takeContinueWith(turn: TurnMemory): string | null {
  const { continueWith } = turn;
  open(turn).continueWith = null;
  return continueWith;
}

/** A rewrite of the message begins: on the way from one model to the next, neither is a mistake. */
export function beginRewrite(turn: TurnMemory, now: Home, next: string): void {
  const memory = open(turn);
  if (memory.home === null) setHome(memory, now);
  if (memory.expected !== next) memory.expected = null;
}

/** From now on another model in the message is a stale write; null while any may stand there. */
export function expectModel(turn: TurnMemory, model: string | null): void {
  open(turn).expected = model;
}

/** A request for a model that the turn had left. @returns the how manieth in a row. */
export function noteLost(turn: TurnMemory): number {
  return ++open(turn).lost;
}

/** A request for the model it is expected at. */
export function noteFound(turn: TurnMemory): void {
  open(turn).lost = 0;
}

/** A failed step whose empty message is to be found. */
export function noteDrop(turn: TurnMemory, drop: Drop): void {
  open(turn).drops.push(drop);
}

/** Hands over the failed steps whose messages have not been found, and forgets them. */
export function takeDrops(turn: TurnMemory): Drop[] {
  return open(turn).drops.splice(0);
}

/** Runs one mend of the message at a time. @returns the one that is under way. */
export function mendOnce(turn: TurnMemory, mend: () => Promise<void>): Promise<void> {
  const memory = open(turn);
  memory.mending ??= mend().finally(() => {
    memory.mending = null;
  });
  return memory.mending;
}

/** OpenCode is made to take a step that is none of the agent's. */
export function noteLent(turn: TurnMemory): void {
  open(turn).lentSteps++;
}

/** A step that was lent is the agent's from now on. */
export function noteSpent(turn: TurnMemory): void {
  open(turn).lentSteps--;
}

/** Whether anything was said or any tool called in it. */
export function noteHistory(turn: TurnMemory, hasBegun: boolean): void {
  open(turn).hasBegun = hasBegun;
}

/** Sets the model that takes it over; null for none. */
export function setReplay(turn: TurnMemory, replay: Replay | null): void {
  open(turn).replay = replay;
}
