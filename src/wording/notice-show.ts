import type { NoticeRow } from '../contract/notices';
import type { NoticeId } from '../contract/preferences';
import type { Snapshot } from '../contract/snapshot';
import { type NoticeQuestion, noticeBody, noticeTitle } from './notice-words';

/** Older notices, in ms, are not shown: the computer slept, or a companion was disconnected. */
export const NEWS_FOR_MS = 300_000;
/** Frequent notices make no sound. */
const SILENT: readonly NoticeRow['notice'][] = ['N1', 'N2'] satisfies readonly NoticeId[];
const SEEN_ANYWAY: readonly NoticeRow['notice'][] = ['N1', 'N5'] satisfies readonly NoticeId[];

/** The appearance of a notice on any system. */
export const noticeLook = (row: NoticeRow) => ({
  title: noticeTitle(row),
  body: noticeBody(row),
  isSilent: SILENT.includes(row.notice),
  isUrgent: row.isLoud,
});

/**
 * True if a notice should be shown at `now` (Unix ms).
 *
 * @param isSeen whether the user is looking at the agents.
 */
export const isWorthShowing = (row: NoticeRow, now: number, isSeen: boolean): boolean =>
  now - row.at <= NEWS_FOR_MS && !(isSeen && SEEN_ANYWAY.includes(row.notice));

/** True if an action of a notice affects several sessions and needs a confirmation. */
export const mustBeAsked = ({ name }: NoticeQuestion, { sessions }: Snapshot): boolean =>
  name === 'health.reset' && sessions.filter(({ isLive }) => isLive).length > 1;
