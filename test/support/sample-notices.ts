import type { NoticeRow } from '../../src/contract/notices';
import { NOTICES } from '../../src/contract/preferences';

export function noticeRow(change: Partial<NoticeRow> = {}): NoticeRow {
  return {
    id: 1,
    at: 1_700_000_000_000,
    notice: 'N1',
    key: 'fell build 1',
    agents: ['build'],
    project: 'shop',
    session: 'ses_1',
    model: 'anthropic/claude-sonnet-4-5',
    to: 'openai/gpt-5',
    kind: 'rate_limit',
    status: 429,
    until: null,
    version: null,
    figures: { of: 4, turns: 12, fallbacks: 3, cost: 1.84, times: 4, count: 5, lastedMs: 1_080_000 },
    isLoud: false,
    isOver: false,
    isRead: false,
    ...change,
  };
}

const OF_COUNCILS: readonly NoticeRow['notice'][] = ['N22', 'N23', 'N24'];
const COUNCIL: NonNullable<NoticeRow['council']> = {
  run: 'r20260105-141000-a1b2',
  question: { id: 'q1', speaker: 'claude', failure: 'rate_limit' },
  pause: 'cap',
};

const OF_LIMITS: readonly string[] = ['N14', 'N15'];
const NEAR: NonNullable<NoticeRow['near']> = {
  ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 18_000_000, used: 0.97 },
  ...{ limit: null, remaining: null, needs: null },
};

const OF_MONEY: NonNullable<NoticeRow['near']> = {
  ...{ code: 'money.day', window: 'money.day', unit: 'dollars', lengthMs: null, used: 0.84, limit: 5 },
  ...{ remaining: 0.8, needs: null },
};

/** One of each kind, the newest first, a minute apart. */
export const oneOfEach = (at: number): readonly NoticeRow[] =>
  [...NOTICES, 'digest' as const]
    .map((notice, index) =>
      noticeRow({
        ...{ notice, id: index + 1, key: `${notice} build 1`, at: at - (NOTICES.length - index) * 60_000 },
        agents: notice === 'N2' ? ['build', 'plan', 'review'] : ['build'],
        isLoud: notice === 'N3',
        isRead: index < 6,
        isOver: notice === 'N4',
        version: notice === 'N13' ? '0.2.0' : null,
        ...(OF_LIMITS.includes(notice) ? { near: NEAR } : {}),
        ...(notice === 'N16' ? { agents: [], session: null, model: null, near: OF_MONEY } : {}),
        ...(OF_COUNCILS.includes(notice) ? { agents: [], session: null, council: COUNCIL } : {}),
      }),
    )
    .reverse();
