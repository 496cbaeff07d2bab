import { useCallback, useEffect, useRef, useState } from 'react';
import { reasonOf } from './asked';
import { runLater } from './visible';

export type Page<Row, Cursor, Answer> = Readonly<{ rows: readonly Row[]; next: Cursor | null; answer: Answer }>;

export type Pages<Row, Answer> = Readonly<{
  rows: readonly Row[];
  /** Of the first page; null before it. */
  answer: Answer | null;
  hasMore: boolean;
  /** Earlier rows stay. */
  problem: string | null;
  more: () => void;
  again: () => void;
}>;

type PagedQuery<Row, Cursor, Answer> = Readonly<{
  ask(before: Cursor | null): Promise<Page<Row, Cursor, Answer>>;
  keyOf(row: Row): string | number;
  about: string;
  /** Each change reloads the first page; later rows stay. */
  news: string;
  isSteady?: () => boolean;
}>;

type Read<Row, Cursor, Answer> = Readonly<{
  about: string;
  rows: readonly Row[];
  answer: Answer;
  next: Cursor | null;
  pages: number;
}>;

export function usePages<Row, Cursor, Answer>(question: PagedQuery<Row, Cursor, Answer>): Pages<Row, Answer> {
  const [read, setRead] = useState<Read<Row, Cursor, Answer> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const latestQuestion = useRef(question);
  latestQuestion.current = question;
  const isReading = useRef(false);
  const { about, news } = question;
  // biome-ignore lint/correctness/useExhaustiveDependencies: news and rounds are reasons to ask again.
  useEffect(() => {
    let isOver = false;
    const { ask, keyOf, isSteady } = latestQuestion.current;
    ask(null).then(
      (page) => {
        if (isOver) return;
        setRead((last) => refreshed(last, { page, about, keyOf, isSteady: isSteady?.() ?? false }));
        setProblem(null);
      },
      (error: unknown) => isOver || setProblem(reasonOf(error)),
    );
    return () => {
      isOver = true;
    };
  }, [about, news, round]);
  const more = useCallback(() => {
    if (isReading.current || !read?.next || read.about !== latestQuestion.current.about) return;
    isReading.current = true;
    latestQuestion.current
      .ask(read.next)
      .then((page) =>
        setRead((last) => (last?.about === read.about ? longer(last, page, latestQuestion.current.keyOf) : last)),
      )
      .catch((error: unknown) => setProblem(reasonOf(error)))
      .finally(() => {
        isReading.current = false;
      });
  }, [read]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return { rows: read?.rows ?? [], answer: read?.answer ?? null, hasMore: read?.next != null, problem, more, again };
}

type News<Row, Cursor, Answer> = Readonly<{
  page: Page<Row, Cursor, Answer>;
  about: string;
  isSteady: boolean;
}> &
  Pick<PagedQuery<Row, Cursor, Answer>, 'keyOf'>;

function refreshed<Row, Cursor, Answer>(
  last: Read<Row, Cursor, Answer> | null,
  { page, about, keyOf, isSteady }: News<Row, Cursor, Answer>,
): Read<Row, Cursor, Answer> {
  const { answer } = page;
  if (last?.about !== about) return { about, rows: page.rows, answer, next: page.next, pages: 1 };
  const fresh = new Map(page.rows.map((row) => [keyOf(row), row]));
  const existingKeys = new Set(last.rows.map(keyOf));
  // Other rows are on an earlier read page or, with one page, on the next.
  const remaining = last.rows.filter((row) => last.pages > 1 || fresh.has(keyOf(row)));
  const rows = isSteady
    ? [
        ...page.rows.filter((row) => !existingKeys.has(keyOf(row))),
        ...remaining.map((row) => fresh.get(keyOf(row)) ?? row),
      ]
    : [...page.rows, ...remaining.filter((row) => !fresh.has(keyOf(row)))];
  return { about, rows, answer, next: last.pages > 1 ? last.next : page.next, pages: last.pages };
}

function longer<Row, Cursor, Answer>(
  last: Read<Row, Cursor, Answer>,
  page: Page<Row, Cursor, Answer>,
  keyOf: PagedQuery<Row, Cursor, Answer>['keyOf'],
): Read<Row, Cursor, Answer> {
  const existingKeys = new Set(last.rows.map(keyOf));
  const rows = [...last.rows, ...page.rows.filter((row) => !existingKeys.has(keyOf(row)))];
  return { ...last, rows, next: page.next, pages: last.pages + 1 };
}

/** Not every event should send a query. */
export function useCalm<T>(value: T, ms: number): T {
  const [calm, setCalm] = useState(value);
  const changedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(value, calm)) return;
    const change = () => {
      changedAtMs.current = performance.now();
      setCalm(value);
    };
    return runLater(change, changedAtMs.current + ms - performance.now());
  }, [value, calm, ms]);
  return calm;
}
