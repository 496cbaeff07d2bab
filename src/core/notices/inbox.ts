import type { NoticeRow } from '../../contract/notices';

export type NoticeInbox = Readonly<{
  nextId(): number;
  put(row: NoticeRow): void;
  /** @returns whether that is a change. */
  over(key: string): boolean;
  read(upTo: number): void;
  dropBefore(wall: number): void;
  rows(): readonly NoticeRow[];
  /** Newest first. */
  page(which: Readonly<{ offset: number; limit: number }>): { rows: NoticeRow[]; total: number; unread: number };
  unread(): number;
  urgent(): number;
  /** Numbers continue. */
  forget(): void;
}>;

/** Work stopped, or waits for a person. Source: docs/failures.md, notices. */
const URGENT: readonly NoticeRow['notice'][] = ['N3', 'N6', 'N8', 'N9', 'N20', 'N21', 'N22', 'N23'];

const ROWS_KEPT = 200;

export function createNoticeInbox(): NoticeInbox {
  let rows: NoticeRow[] = [];
  let last = 0;
  const unread = (): number => rows.filter(({ isRead }) => !isRead).length;
  return {
    nextId: () => last + 1,
    put(row) {
      last = Math.max(last, row.id);
      rows = [...rows.filter(({ key }) => key !== row.key), row].slice(-ROWS_KEPT);
    },
    over(key) {
      const row = rows.find((candidate) => candidate.key === key);
      if (!row || row.isOver) return false;
      rows = rows.map((candidate) => (candidate === row ? { ...row, isOver: true } : candidate));
      return true;
    },
    read(upTo) {
      rows = rows.map((row) => (row.id <= upTo && !row.isRead ? { ...row, isRead: true } : row));
    },
    dropBefore(wall) {
      rows = rows.filter(({ at }) => at >= wall);
    },
    rows: () => rows,
    page: ({ offset, limit }) => ({
      rows: rows.toReversed().slice(offset, offset + limit),
      total: rows.length,
      unread: unread(),
    }),
    unread,
    urgent: () => rows.filter(({ notice, isRead, isOver }) => !isRead && !isOver && URGENT.includes(notice)).length,
    forget() {
      rows = [];
    },
  };
}
