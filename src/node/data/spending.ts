import { join } from 'node:path';
import { zoneOffset } from '../../core/base/zone-offset';
import type { Hours } from '../../core/budget/elsewhere';
import { type Budget, type Counted, createLedger, type Ledger } from '../../core/budget/ledger';
import type { OffsetAt } from '../../core/budget/periods';
import { createReservedBook, type ReservedBook } from '../../core/budget/reserved';
import { type LedgerLine, ledgerLineIn, type ReservedLine, type SpentLine } from '../../core/budget/spent';
import type { Limit } from '../../core/headroom/entered';
import { type CountedLimit, createTally, type Tally } from '../../core/headroom/tally';
import { providerOf, unaccounted } from '../../engine';
import { failureText } from '../base/failure';
import { isAlive } from '../base/is-alive';
import { discard } from '../base/look';
import { openRotatingFile, type RotatingFile } from '../base/rotating-file';
import { openOthersSpent } from './others-spent';
import { DAY_MS, dayOf, foundAtOf, linesAfter, MAX_BYTES, nameOf, presentFiles, spendingFiles } from './spending-files';

/** A longer conversation shows less spending. */
const KEPT_DAYS = 31;
/** Shared by every OpenCode: all processes append to one file per day. */
export type Spending = Readonly<{
  /** Synchronous if the disk accepts it. */
  add(line: LedgerLine, at?: number): void;
  /** Never rejects. @param onlyFor reads only the days these limits need. */
  refresh(onlyFor?: readonly Limit[]): Promise<boolean>;
  count(budgets: readonly Budget[], now: number): readonly Counted[];
  hours(account: string, now: number): Hours;
  countLimits(limits: readonly Limit[], now: number): readonly CountedLimit[];
  flush(): Promise<void>;
}>;

/** No request takes longer: another process may have the id. */
const UNDER_WAY_MAX_MS = 21_600_000;

export type Here = Readonly<{ own: string | null; now: number }>;

/** The process that made the reservation has ended. */
export function isLost({ by, at }: ReservedLine, { own, now }: Here): boolean {
  const pid = Number.parseInt(by, 10);
  return by !== own && (pid === process.pid || !isAlive(pid) || Math.abs(now - at) > UNDER_WAY_MAX_MS);
}

/** @param own names this process in reservations. */
export function openSpending(
  home: string,
  warn: (message: string) => void,
  wall: () => number = Date.now,
  own: string | null = null,
): Spending {
  let books = emptyBooks();
  /** Offset up to which each file was read. */
  let read = new Map<string, number>();
  const here = calendarHere();
  let reading: Promise<boolean> = Promise.resolve(false);
  const others = openOthersSpent(home);
  const days = openDays(home, warn);

  const forget = (): void => {
    books = emptyBooks();
    read = new Map();
  };
  const anew = async (first: string): Promise<boolean> => {
    forget();
    await readOn(first);
    return true;
  };
  const take = (text: string, foundAt: number | null): void => {
    const entry = ledgerLineIn(text);
    if (!entry || !books.reserved.add(entry)) return;
    const isFuture = foundAt !== null && entry.at > wall();
    books.ledger.add(foundAt === null ? entry : { ...entry, foundAt });
    books.tally.add(isFuture ? { ...entry, at: foundAt } : entry);
  };
  const readOn = async (first: string): Promise<boolean> => {
    await days.flush();
    const all = (await presentFiles(home, wall()))?.toSorted();
    // An unavailable disk has nothing new.
    if (!all) return false;
    const yesterday = nameOf(wall() - DAY_MS);
    const names = all.filter((name) => name >= first);
    if (isToBeReadAnew([...read.keys()], { all, names })) forget();
    let hasNews = false;
    for (const name of names) {
      // Past days get no new lines, unless a clock was wrong.
      if (read.has(name) && name < yesterday) continue;
      const from = read.get(name) ?? 0;
      const foundAt = foundAtOf(name);
      for await (const { lines, end, isAnother } of linesAfter(join(home, name), from)) {
        if (isAnother) return await anew(first);
        read.set(name, end);
        for (const line of lines) take(line, foundAt);
        hasNews = true;
      }
      if (!read.has(name)) read.set(name, from);
    }
    return hasNews;
  };
  return {
    add(line, at = line.at) {
      days.append(nameOf(at), `${JSON.stringify(line)}\n`);
    },
    refresh(onlyFor) {
      const next = async (): Promise<boolean> => {
        const isOther = onlyFor === undefined && (await others.refresh());
        return (await readOn(from())) || isOther;
      };
      const from = (): string => (onlyFor ? nameOf(books.tally.since(onlyFor, wall(), here())) : '');
      reading = reading.then(next, next);
      return reading;
    },
    count(budgets, now) {
      const open = books.reserved.open().filter((line) => isLost(line, { own, now: wall() }));
      const estimates = open.map(({ estimate }) => estimate);
      return books.ledger.count(budgets, now, { offsetAt: here(), elsewhere: others.known(), lost: estimates });
    },
    hours: (account, now) => books.ledger.hours(account, now),
    countLimits: (limits, now) => books.tally.count(limits, now, here()),
    flush: days.flush,
  };
}

function openDays(home: string, warn: (message: string) => void) {
  let writing: Readonly<{ name: string; file: RotatingFile }> | null = null;
  let hasWarned = false;
  let closing: Promise<unknown> = Promise.resolve();
  const fileFor = (name: string): RotatingFile => {
    if (writing?.name === name) return writing.file;
    const before = writing?.file;
    const file = openRotatingFile({
      path: join(home, name),
      isOurs: (beginning) => beginning.startsWith('{"at":'),
      maxBytes: MAX_BYTES,
      onFault: (error) => {
        if (!hasWarned) warn(`Spending cannot be recorded: ${failureText(error)}`);
        hasWarned = true;
      },
    });
    writing = { name, file };
    closing = Promise.all([closing, before?.flush()]);
    void clearOld(home, name);
    return file;
  };
  return {
    append: (name: string, text: string): void => fileFor(name).appendNow(text),
    flush: async (): Promise<void> => void (await Promise.all([closing, writing?.file.flush()])),
  };
}

/** Limits alone need fewer days. */
export async function refreshFor(
  spending: Pick<Spending, 'refresh'>,
  budgets: readonly Budget[],
  limits: readonly Limit[],
): Promise<void> {
  if (budgets.length > 0) await spending.refresh();
  else if (limits.length > 0) await spending.refresh(limits);
}

const emptyBooks = (): Readonly<{ ledger: Ledger; tally: Tally; reserved: ReservedBook }> => ({
  ledger: createLedger(),
  tally: createTally(),
  reserved: createReservedBook(),
});

function calendarHere(): () => OffsetAt {
  let zone: Readonly<{ timeZone: string; offsetAt: OffsetAt }> | null = null;
  return () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (zone?.timeZone !== timeZone) zone = { timeZone, offsetAt: zoneOffset(timeZone) };
    return zone.offsetAt;
  };
}

type Names = Readonly<{ all: readonly string[]; names: readonly string[] }>;

/** A deleted file means that a user erased the data. */
function isToBeReadAnew(read: readonly string[], { all, names }: Names): boolean {
  const [oldest] = read.toSorted();
  if (oldest === undefined) return false;
  return read.some((name) => !all.includes(name)) || names.some((name) => name < oldest);
}

type Own = Pick<SpentLine, 'for' | 'agent' | 'directory' | 'cost'> & Readonly<{ model: string }>;

/** For OpenCode sessions without a companion. Never rejects. */
export async function noteSpent(home: string, { model, cost, ...about }: Own): Promise<void> {
  if (cost === null || cost === 0) return;
  const spending = openSpending(home, () => undefined);
  const provider = unaccounted(providerOf(model));
  spending.add({ at: Date.now(), ...about, provider, session: `understudy ${Date.now()}`, tokens: 0, cost });
  await spending.flush();
}

async function clearOld(home: string, today: string): Promise<void> {
  const oldest = nameOf(dayOf(today) - KEPT_DAYS * DAY_MS);
  const names = ((await spendingFiles(home)) ?? []).filter((name) => name < oldest);
  await Promise.all(names.map((name) => discard(join(home, name))));
}
