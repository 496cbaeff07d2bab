import { describe, expect, it } from 'vitest';
import type { AccountRow, WindowRow } from '../../src/contract/headroom';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import {
  accountsAt,
  barPhrase,
  headroomHeadline,
  nearPlans,
  nextTurnOf,
  passedPart,
} from '../../src/wording/headroom-page-words';
import { sampleHeadroom, windowRow } from '../support/sample-headroom';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 168 * HOUR;
/** A Thursday in January, in the zone of the tests. */
const NOW = new Date(2026, 0, 15, 14, 20).getTime();

const accountOf = (provider: string, ...windows: readonly WindowRow[]): AccountRow => ({
  ...{ account: provider, provider, label: null, isApart: false },
  windows: windows.map((window, index) => ({ ...window, id: `w${index}` })),
});
/** A plan that nothing is forecast of. */
const plan = (used: number | null, change: Partial<WindowRow> = {}): WindowRow =>
  windowRow(NOW, { used, forecast: null, ...change });
const unknown = plan(null, { resetAt: null });
const minute = (change: Partial<WindowRow> = {}): WindowRow =>
  plan(0.18, {
    ...{ unit: 'tokens', lengthMs: MINUTE, limit: 2_000_000, resetAt: NOW + 11_000, isPlan: false },
    ...change,
  });

const plain = (text: string): string => text.replaceAll('\u202f', ' ');
function headline(accounts: readonly AccountRow[], now = NOW): readonly string[] {
  const { title, lede } = headroomHeadline(accountsAt(accounts, now), now);
  return [plain(title), plain(lede)];
}

describe('given a limit that is counted from our own usage', () => {
  const counted = (used: number) => plan(used, { source: 'counted', unit: 'requests', limit: 600 });
  const kimi = (used: number) => [accountOf('kimi', counted(used))];

  it('when it is the worst, then what the view opens with says that it is an estimate', () => {
    expect(headline(kimi(0.98))).toEqual([
      '98 % of the kimi limit of requests in 5 h (estimate) is used; it resets 16:20.',
      '',
    ]);
    const [said] = saidIn('de', german, () => headline(kimi(0.98)));
    expect(said).toMatch(/Schätzung/);
  });

  it('when its reset has come, then it is empty, and nothing about it is unknown', () => {
    const later = NOW + 3 * HOUR;
    expect(accountsAt(kimi(0.98), later)[0]?.windows).toMatchObject([{ used: 0, remaining: 600, resetAt: null }]);
    expect(headline(kimi(0.98), later)).toEqual([
      'No plan is near its limit.',
      'The fullest is the kimi limit of requests in 5 h (estimate): 0 % of 600.',
    ]);
  });
});

describe('given what is known of accounts', () => {
  it.each<[string, readonly AccountRow[], string, string]>([
    [
      'a plan will be full before its reset',
      [accountOf('anthropic', windowRow(NOW), plan(0.9))],
      'At this pace the anthropic 5 h limit is full about 15:20, 60 min before its reset.',
      'Between 15:11 and 15:32, depending on the pace.',
    ],
    [
      'nearly all of another one is used',
      [accountOf('anthropic', windowRow(NOW)), accountOf('openai', plan(0.98, { lengthMs: WEEK, family: 'codex' }))],
      '98 % of the openai week limit for codex is used; it resets 16:20.',
      'At this pace the anthropic 5 h limit is full about 15:20, 60 min before its reset.',
    ],
    [
      'one is refused, which is worse than full',
      [
        accountOf('anthropic', plan(1), plan(0.4, { isRefusing: true, resetAt: NOW + 4 * 24 * HOUR })),
        accountOf('openai', plan(0.99)),
      ],
      'Requests are refused for the anthropic 5 h limit; it resets Mon 14:20.',
      'All of the anthropic 5 h limit is used; it resets 16:20. One more is full, or will be before its reset.',
    ],
    [
      'all of one is used, and it goes on for money',
      [accountOf('anthropic', plan(1.02, { isRefusing: true, isOverdrawable: true }))],
      'All of the anthropic 5 h limit is used; it resets 16:20.',
      'Its provider charges for usage beyond it.',
    ],
    [
      'a limit of requests a day is full',
      [accountOf('google', plan(1, { unit: 'requests', lengthMs: 24 * HOUR, model: 'google/gemini-3-pro' }))],
      'All of the google limit of requests a day for gemini-3-pro is used; it resets 16:20.',
      '',
    ],
    ['one is half used', [accountOf('a', plan(0.3), plan(0.72))], 'The fullest plan is the a 5 h limit: 72 %.', ''],
    [
      'none is near',
      [accountOf('a', plan(0.3))],
      'No plan is near its limit.',
      'The fullest is the a 5 h limit: 30 %.',
    ],
    [
      'none that is known is near, and one is not known',
      [accountOf('a', plan(0.3), unknown)],
      'No known plan is near its limit.',
      'The fullest is the a 5 h limit: 30 %. One plan has no data since its reset; the next response brings it.',
    ],
    [
      'nothing is known of any',
      [accountOf('a', unknown), accountOf('b', unknown, minute())],
      'The usage of the plans is unknown.',
      '2 plans have no data since their reset; the next response brings it.',
    ],
    [
      'only what refills within minutes is known',
      [accountOf('openai', minute())],
      'Only limits that refill within minutes are known.',
      'The fullest is the openai limit of tokens a minute: 18 % of 2,000,000.',
    ],
    [
      'one of these is refused',
      [accountOf('openai', plan(0.6), minute({ isRefusing: true }))],
      'Requests are refused for the openai limit of tokens a minute; it resets 14:20.',
      '',
    ],
  ])('when %s, then that is what is said first', (_, accounts, title, lede) => {
    expect(headline(accounts)).toEqual([title, lede]);
  });

  it('when nobody has said anything, then it says where it comes from', () => {
    expect(headline([])).toEqual([
      'No limit is known yet.',
      expect.stringMatching(/^No limit is known now\. Understudy reads limits/),
    ]);
  });

  it('when German is spoken, then it is German', () => {
    const said = saidIn('de', german, () => headline([accountOf('anthropic', windowRow(NOW))]));
    expect(said).toEqual([
      'In diesem Tempo ist das 5-Stunden-Limit von anthropic gegen 15:20 voll, 60 min vor dem Neubeginn.',
      'Zwischen 15:11 und 15:32, je nach Tempo.',
    ]);
  });
});

describe('given a snapshot that ages', () => {
  const accounts = sampleHeadroom(NOW);

  it('when a window has begun anew, then nothing is known of a plan, and what refills within minutes is gone', () => {
    const later = accountsAt(accounts, NOW + 2 * HOUR);
    expect(later.map(({ windows }) => windows.map(({ id, used }) => [id, used]))).toEqual([
      [
        ['unified-5h', null],
        ['unified-7d', 0.41],
      ],
      [['codex-secondary', null]],
    ]);
    expect(accountsAt([accountOf('openai', minute({ resetAt: null }))], NOW + MINUTE)).toEqual([]);
  });

  it('when the time has come at which it would be full, and nothing was heard, then it is no longer forecast', () => {
    expect(headline(accounts, NOW + 59 * MINUTE)[0]).toMatch(
      /^At this pace the anthropic 5 h limit is full about 15:20/,
    );
    expect(headline(accounts, NOW + HOUR)[0]).toBe('The fullest plan is the anthropic 5 h limit: 72 %.');
  });

  it('when it is asked what changes by the clock first, then it is the next reset or the next time at which one is full', () => {
    expect([NOW, NOW + 20_000, NOW + HOUR].map((now) => nextTurnOf(accounts, now))).toEqual([
      ...[NOW + 11_000, NOW + HOUR, NOW + 2 * HOUR],
    ]);
    expect(nextTurnOf([accountOf('a', unknown)], NOW)).toBeNull();
  });
});

describe('given a bar', () => {
  const said = (window: WindowRow): string => plain(barPhrase({ account: accountOf('anthropic'), window }, NOW));

  it('when somebody does not see it, then all of it is said', () => {
    expect(said(windowRow(NOW))).toBe(
      'anthropic, 5 h limit: 72 % used, 60 % of its time has passed, ahead of schedule, full about 15:20, resets 16:20',
    );
    expect(said(plan(0.3, { source: 'entered' }))).toBe(
      'anthropic, 5 h limit: 30 % used, 60 % of its time has passed, estimate, resets 16:20',
    );
  });

  it('when its length or its end is not known, or it refills all the time, then there is no even pace', () => {
    const paceless = [plan(0.3, { lengthMs: null }), plan(0.3, { resetAt: null }), minute()];
    expect(paceless.map((each) => passedPart(each, NOW))).toEqual([null, null, null]);
    expect(said(plan(0.3, { lengthMs: null, resetAt: null }))).toBe('anthropic, plan limit: 30 % used');
  });
});

describe('given the plans that other views show', () => {
  it('when some are half used, refused, or full before their reset, then these are shown, the worst first', () => {
    const accounts = [
      accountOf('a', plan(0.49), plan(0.5), unknown, minute({ used: 0.99 })),
      accountOf('b', plan(0.3, { isRefusing: true }), windowRow(NOW, { used: 0.2 }), plan(0.97)),
    ];
    expect(nearPlans(accounts).map(({ account, window }) => [account.provider, window.used])).toEqual([
      ...[
        ['b', 0.3],
        ['b', 0.97],
        ['b', 0.2],
        ['a', 0.5],
      ],
    ]);
  });
});
