import type { FindingId, MemberId, QuoteCheck, Severity } from '../base/types';
import type { StageId } from '../process/process';
import type { Checked, NewFinding, Remark } from '../said/calls';

export type Word = Readonly<{ by: MemberId; why: string }>;

/** A finding without a verified quote is never critical. */
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
  movedTo: number | null;
  alsoBy: readonly MemberId[];
  confirms: readonly Word[];
  challenges: readonly Word[];
  buildsOn: readonly Word[];
}>;

export type Board = readonly Finding[];

export const BOARD_MAX = 500;

export type Posted = Readonly<{
  board: Board;
  added: readonly Finding[];
  problems: readonly string[];
}>;

type Poster = Readonly<{ by: MemberId; stage: StageId }>;

type Found = NewFinding & Readonly<{ check: QuoteCheck; at?: number | null }>;

/** An author may correct an unproved finding; a finding of another author counts as support. */
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

/** The author repeats an unproved finding's title, or anyone the same quote and place with the same judgement. */
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
/** Each finding is compared with every other. */
const FOLDS = new WeakMap<Folds, Folds>();

function foldsOf(finding: Folds): Folds {
  const folds = FOLDS.get(finding) ?? { title: folded(finding.title), quote: folded(finding.quote) };
  FOLDS.set(finding, folds);
  return folds;
}

/** Proved wins over unproved, and the higher severity wins. */
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

export const isProved = ({ check }: Pick<Finding, 'check'>): boolean => check === 'verified' || check === 'moved';

const KINDS = ['confirms', 'challenges', 'buildsOn'] as const;

/** Authors cannot support themselves, and each participant counts once. */
export function remark(board: Board, entry: Remark, by: MemberId): Posted {
  const kind = KINDS.find((each) => each in entry);
  const id = kind && (entry as Partial<Record<typeof kind, string>>)[kind];
  const finding = board.find((each) => each.id === id);
  if (!kind || !finding) return { board, added: [], problems: [`There is no finding ${id}.`] };
  if (finding.by === by) return { board, added: [], problems: [`${id} is your own finding.`] };
  if (finding[kind].some((word) => word.by === by)) return { board, added: [], problems: [] };
  return {
    board: changed(board, { ...finding, [kind]: [...finding[kind], { by, why: entry.why }] }),
    added: [],
    problems: [],
  };
}

export const supportOf = ({ confirms, alsoBy }: Finding): number =>
  new Set([...confirms.map(({ by }) => by), ...alsoBy]).size;

export function bestConfirmed(board: Board, members: readonly MemberId[]): MemberId | null {
  const confirmed = (member: MemberId): number =>
    board.filter(({ by, confirms, alsoBy }) => by === member && confirms.length + alsoBy.length > 0).length;
  return members.reduce<MemberId | null>(
    (best, member) => (best === null || confirmed(member) > confirmed(best) ? member : best),
    null,
  );
}

const RANKS: Readonly<Record<Severity, number>> = { critical: 0, major: 1, minor: 2, praise: 3 };

export const bySeverity = (board: Board): readonly Finding[] =>
  board.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity] || supportOf(other) - supportOf(one));
