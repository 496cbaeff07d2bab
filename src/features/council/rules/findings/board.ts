import type { FindingId, MemberId, QuoteCheck, Severity } from '../base/types';
import type { StageId } from '../process/process';
import type { Checked, NewFinding, Remark } from '../said/calls';

export type Word = Readonly<{ by: MemberId; why: string }>;

/** A finding on the board. `severity` is what it counts as: what is not found where it says is never critical. */
export type Finding = Readonly<{
  id: FindingId;
  by: MemberId;
  stage: StageId;
  severity: Severity;
  title: string;
  file: string;
  line: number;
  endLine: number | null;
  quote: string;
  evidence: string;
  suggestion: string | null;
  check: QuoteCheck;
  /** Where the quote really stands, where that is another line. */
  movedTo: number | null;
  alsoBy: readonly MemberId[];
  confirms: readonly Word[];
  challenges: readonly Word[];
  buildsOn: readonly Word[];
}>;

/** What was posted, in the order of its ids. */
export type Board = readonly Finding[];

/** Findings kept of one run. */
export const BOARD_MAX = 500;

export type Posted = Readonly<{
  board: Board;
  added: readonly Finding[];
  /** In words for whoever posted it. */
  problems: readonly string[];
}>;

type Poster = Readonly<{ by: MemberId; stage: StageId }>;

type Found = NewFinding & Readonly<{ check: QuoteCheck; at?: number | null }>;

/** Puts a finding on the board: its author may mend one that is not proved, and who finds the same of somebody else's counts for that. */
export function post(board: Board, posted: NewFinding & Partial<Checked>, { by, stage }: Poster): Posted {
  const found: Found = { ...posted, check: posted.check ?? 'unread' };
  const same = board.find((each) => isSame(each, found, by));
  if (same) return { board: changed(board, repeated(same, found, by)), added: [], problems: [] };
  if (board.length >= BOARD_MAX)
    return { board, added: [], problems: [`The board is full: ${BOARD_MAX} findings. "${found.title}" was left out.`] };
  const finding: Finding = {
    id: `f${board.length + 1}`,
    by,
    stage,
    ...placed(found),
    title: found.title,
    suggestion: found.suggestion ?? null,
    evidence: found.evidence,
    alsoBy: [],
    confirms: [],
    challenges: [],
    buildsOn: [],
  };
  return { board: [...board, finding], added: [finding], problems: [] };
}

/** Where a finding points, as far as it was found there, and what it counts as with that. */
function placed(found: Found) {
  const { check, severity, file, line, endLine, quote, at } = found;
  return {
    check,
    severity: severity === 'critical' && !isProved(found) ? ('major' as const) : severity,
    file,
    line,
    endLine: endLine ?? null,
    quote,
    movedTo: check === 'moved' ? (at ?? null) : null,
  };
}

/**
 * Whether two are about the same: of one author, what is not proved and comes again under its title; of anybody, the same words at the same place,
 * where both praise or both complain.
 */
function isSame(one: Finding, other: Found, by: MemberId): boolean {
  const isAgain = one.by === by && !isProved(one) && foldsOf(one).title === foldsOf(other).title;
  const isThere = one.file === other.file && lineOf(one) === lineOf({ ...other, movedTo: other.at ?? null });
  return isAgain || (isThere && isPraise(one) === isPraise(other) && foldsOf(one).quote === foldsOf(other).quote);
}

const lineOf = ({ line, movedTo, check }: Pick<Finding, 'line' | 'movedTo' | 'check'>): number =>
  check === 'moved' ? (movedTo ?? line) : line;
const isPraise = ({ severity }: Pick<Finding, 'severity'>): boolean => severity === 'praise';
const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

type Folds = Pick<NewFinding, 'title' | 'quote'>;
/** Each finding is compared with every other one. */
const FOLDS = new WeakMap<Folds, Folds>();

function foldsOf(finding: Folds): Folds {
  const folds = FOLDS.get(finding) ?? { title: folded(finding.title), quote: folded(finding.quote) };
  FOLDS.set(finding, folds);
  return folds;
}

/** A finding that was found again: what is proved counts more than what is not, and the more serious more than the less. */
function repeated(same: Finding, found: Found, by: MemberId): Finding {
  const isBetter = !isProved(same) && isProved(found);
  const mended = isBetter ? { ...same, ...placed(found) } : same;
  if (same.by === by) return mended;
  const isGraver = isProved(found) && RANKS[found.severity] < RANKS[mended.severity];
  return {
    ...mended,
    ...(isGraver ? { severity: found.severity } : {}),
    alsoBy: mended.alsoBy.includes(by) ? mended.alsoBy : [...mended.alsoBy, by],
  };
}

const changed = (board: Board, finding: Finding): Board =>
  board.map((each) => (each.id === finding.id ? finding : each));

/** Whether what a finding quotes stands in its file. */
export const isProved = ({ check }: Pick<Finding, 'check'>): boolean => check === 'verified' || check === 'moved';

const KINDS = ['confirms', 'challenges', 'buildsOn'] as const;

/** Notes what somebody says of a finding of somebody else: nobody vouches for themselves, and nobody twice. */
export function remark(board: Board, said: Remark, by: MemberId): Posted {
  const kind = KINDS.find((each) => each in said);
  const id = kind && (said as Partial<Record<typeof kind, string>>)[kind];
  const finding = board.find((each) => each.id === id);
  if (!kind || !finding) return { board, added: [], problems: [`There is no finding ${id}.`] };
  if (finding.by === by) return { board, added: [], problems: [`${id} is your own finding.`] };
  if (finding[kind].some((word) => word.by === by)) return { board, added: [], problems: [] };
  return {
    board: changed(board, { ...finding, [kind]: [...finding[kind], { by, why: said.why }] }),
    added: [],
    problems: [],
  };
}

/** How many stand behind a finding beside its author. */
export const supportOf = ({ confirms, alsoBy }: Finding): number =>
  new Set([...confirms.map(({ by }) => by), ...alsoBy]).size;

/** Whose findings were confirmed most; ties by the order of `members`. Null where there is nobody. */
export function bestConfirmed(board: Board, members: readonly MemberId[]): MemberId | null {
  const confirmed = (member: MemberId): number =>
    board.filter(({ by, confirms, alsoBy }) => by === member && confirms.length + alsoBy.length > 0).length;
  return members.reduce<MemberId | null>(
    (best, member) => (best === null || confirmed(member) > confirmed(best) ? member : best),
    null,
  );
}

const RANKS: Readonly<Record<Severity, number>> = { critical: 0, major: 1, minor: 2, praise: 3 };

/** The most serious first, then what is best supported, then as posted. */
export const bySeverity = (board: Board): readonly Finding[] =>
  board.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity] || supportOf(other) - supportOf(one));
