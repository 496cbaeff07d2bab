import type { NoticeRow } from '../contract/notices';
import type { NoticeId } from '../contract/preferences';
import type { Snapshot } from '../contract/snapshot';
import { type NoticeQuestion, noticeBody, noticeTitle } from './notice-words';

/** What is older than this, in ms, is no news any more: the computer slept, or a companion was away. */
export const NEWS_FOR_MS = 300_000;
/** Common enough to be seen and not heard. */
const SILENT: readonly NoticeRow['notice'][] = ['N1', 'N2'] satisfies readonly NoticeId[];
const SEEN_ANYWAY: readonly NoticeRow['notice'][] = ['N1', 'N5'] satisfies readonly NoticeId[];

/** A notice as any system shows it; of two with the same `tag` the later takes the place of the other. */
export const noticeLook = (row: NoticeRow) => ({
  title: noticeTitle(row),
  body: noticeBody(row),
  isSilent: SILENT.includes(row.notice),
  isUrgent: row.isLoud,
});

/**
 * Whether a notice is worth showing now (Unix ms).
 *
 * @param isSeen whether somebody is looking at the agents at this moment.
 */
export const isWorthShowing = (row: NoticeRow, now: number, isSeen: boolean): boolean =>
  now - row.at <= NEWS_FOR_MS && !(isSeen && SEEN_ANYWAY.includes(row.notice));

/** Whether what a notice offers touches so many that a person is asked once more. */
export const mustBeAsked = ({ name }: NoticeQuestion, { sessions }: Snapshot): boolean =>
  name === 'health.reset' && sessions.filter(({ isLive }) => isLive).length > 1;
