import { describe, expect, it } from 'vitest';
import { isTimeZone, resetWaitMs } from '../../../src/core/providers/reset-time';
import { redact } from '../../../src/engine';
import { shortestMs } from '../../support/best-of';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Row = Readonly<{
  says: string;
  at: string;
  provider?: string;
  local?: string;
  ms: number;
  /** Where the message, but for its figures, was seen. */
  source: string;
}>;

const CODEX = 'openai/codex, codex-rs/core/src/error.rs: format_retry_timestamp';
const ROWS: readonly Row[] = [
  {
    says: 'Usage limit reached for 5 hour. Your limit will reset at 2026-04-30 18:07:31',
    at: '2026-04-30T10:00:00Z',
    provider: 'Asia/Shanghai',
    local: 'Europe/Berlin',
    ms: 7 * MINUTE + 31_000,
    source: 'https://github.com/NousResearch/hermes-agent/pull/103038',
  },
  {
    says: '[1308][已达到 5 小时的使用上限。您的限额将在 2026-04-29 19:43:38 重置。][20260429160908]',
    at: '2026-04-29T11:00:00Z',
    provider: 'Asia/Shanghai',
    ms: 43 * MINUTE + 38_000,
    source: 'https://github.com/can1357/oh-my-pi/pull/9633',
  },
  {
    says: "You've hit your usage limit. Upgrade to Pro or try again at 7:58 PM.",
    at: '2026-01-15T17:58:00Z',
    local: 'Europe/Berlin',
    ms: HOUR,
    source: CODEX,
  },
  {
    says: "You've hit your usage limit. Visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at Jun 18th, 2026 8:41 AM.",
    at: '2026-06-15T08:41:00Z',
    local: 'America/New_York',
    ms: 3 * DAY + 4 * HOUR,
    source: 'https://github.com/openai/codex/issues/28391',
  },
  {
    says: "You've hit your usage limit... or try again at Aug 20, 2026, 7:38 AM",
    at: '2026-08-20T05:38:00Z',
    local: 'UTC',
    ms: 2 * HOUR,
    source: 'https://github.com/openai/codex/issues/39603',
  },
  {
    says: "You've hit your limit · resets 3am (UTC)",
    at: '2026-02-25T22:00:00Z',
    local: 'Asia/Tokyo',
    ms: 5 * HOUR,
    source: 'as reported by users; with another zone in https://github.com/anthropics/claude-code/issues/24511',
  },
  {
    says: "You've hit your limit · resets 3:30am (Asia/Calcutta)",
    at: '2026-02-09T21:00:00Z',
    local: 'America/New_York',
    ms: HOUR,
    source: 'https://github.com/anthropics/claude-code/issues/24511',
  },
  {
    says: "You've hit your session limit · resets 2:30pm (Pacific/Auckland)",
    at: '2026-07-16T01:30:00Z',
    ms: HOUR,
    source: 'https://github.com/anthropics/claude-code/issues/77978',
  },
  {
    says: 'Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).',
    at: '2025-06-14T16:00:00Z',
    ms: 2 * HOUR,
    source: 'https://github.com/anthropics/claude-code/issues/2087',
  },
  {
    says: 'Claude Max usage limit reached. Your limit will reset at 12am.',
    at: '2025-05-30T20:30:00Z',
    local: 'Europe/Berlin',
    ms: 90 * MINUTE,
    source: 'https://github.com/anthropics/claude-code/issues/1450',
  },
  {
    says: '5-hour limit reached ∙ resets 5am',
    at: '2025-08-23T07:00:00Z',
    local: 'America/New_York',
    ms: 2 * HOUR,
    source: 'https://github.com/anthropics/claude-code/issues/6392',
  },
  {
    says: "You've hit your limit · resets Apr 10 at 7am (America/Chicago)",
    at: '2026-04-08T12:00:00Z',
    ms: 2 * DAY,
    source: 'https://github.com/anthropics/claude-code/issues/45257',
  },
  {
    says: 'Resets Jan 12, 10:59am (America/New_York)',
    at: '2026-01-07T14:12:00Z',
    ms: 5 * DAY + HOUR + 47 * MINUTE,
    source: 'https://github.com/anthropics/claude-code/issues/16618',
  },
  {
    says: "You've hit your weekly limit · resets Sep 15 at 7pm",
    at: '2026-09-08T19:00:00Z',
    local: 'UTC',
    ms: 7 * DAY,
    source: 'https://github.com/anthropics/claude-code/issues/92834',
  },
  {
    says: 'Weekly limit reached ∙ resets Jan 2, 5pm',
    at: '2025-12-31T17:00:00Z',
    local: 'UTC',
    ms: 2 * DAY,
    source: 'https://github.com/anthropics/claude-code/issues/11711, with the date of later versions',
  },
  {
    says: 'Usage limit reached for gemini-3-flash-preview. Access resets at 10:57 PM GMT-3.',
    at: '2026-03-16T23:57:00Z',
    local: 'Asia/Tokyo',
    ms: 2 * HOUR,
    source: 'https://github.com/google-gemini/gemini-cli/issues/22643',
  },
  {
    says: 'Free quota used (30 requests / 5h). Resets at 10:00 UTC. Top up for unlimited access',
    at: '2026-06-06T07:30:00Z',
    local: 'Asia/Tokyo',
    ms: 150 * MINUTE,
    source: 'https://github.com/Gitlawb/openclaude/issues/1554',
  },
  {
    says: "You've reached your weekly rate limit. Please switch to the Auto model or wait for your limit to reset on May 25, 2026 at 5:30 AM.",
    at: '2026-05-22T05:30:00Z',
    local: 'UTC',
    ms: 3 * DAY,
    source: 'https://github.com/microsoft/vscode/issues/318025',
  },
  {
    says: 'Your weekly rate limit will reset on May 3 at 8:00 PM. Learn More',
    at: '2026-05-02T20:00:00Z',
    local: 'UTC',
    ms: DAY,
    source: 'https://aka.ms/github-copilot-rate-limit-error',
  },
  {
    says: 'You have used all of your monthly credits. Your plan resets on Nov 30, 2026.',
    at: '2026-11-28T00:00:00Z',
    local: 'UTC',
    ms: 2 * DAY,
    source: 'as reported by users: a day with its year, and no time',
  },
  {
    says: 'Your quota will reset on May 11th. Please let me know if it doesn’t reset by then.',
    at: '2025-05-05T00:00:00Z',
    local: 'UTC',
    ms: 6 * DAY,
    source: 'https://github.com/microsoft/vscode-copilot-release/issues/9043',
  },
];

const seen = (row: Row): number | null =>
  resetWaitMs(redact(row.says), Date.parse(row.at), { provider: row.provider, local: row.local });

describe('given a message that names a time on somebody’s clock', () => {
  it.each(ROWS.map((row) => [row.says, row] as const))('when it says %j, then that is how long it takes', (_, row) => {
    expect(seen(row)).toBe(row.ms);
  });
});

describe('given a clock that is put forward or back', () => {
  it.each([
    ['a day of 23 hours', '2026-03-28T23:00:00Z', 'resets Mar 30, 12am', 23 * HOUR],
    ['a day of 25 hours', '2026-10-24T22:00:00Z', 'resets Oct 26, 12am', 25 * HOUR],
    ['an hour that comes twice, of which the later counts', '2026-10-25T00:00:00Z', 'resets 2:30am', 90 * MINUTE],
    ['an hour that is left out, of which the later counts', '2026-03-29T00:00:00Z', 'resets 2:30am', 90 * MINUTE],
  ])('when it is %s, then the wait is as long', (_, at, says, ms) => {
    expect(resetWaitMs(says, Date.parse(at), { local: 'Europe/Berlin' })).toBe(ms);
  });
});

describe('given words that nobody can be sure of', () => {
  const AT = '2026-04-30T12:00:00Z';

  it.each([
    ['a time that has just passed', 'resets 11am (UTC)'],
    ['a notice of this morning, seen again', 'resets 8:30am (UTC)'],
    ['a date that has passed', 'Your limit will reset at 2026-04-30 11:59:59'],
    ['a day that has passed this year, and is far in the next', 'resets Apr 2, 5pm'],
    ['a date beyond any plan', 'resets on Nov 30, 2026'],
    ['a year of another age', 'Your limit will reset at 2106-04-30 18:07:31'],
    ['a day that no month has', 'Your limit will reset at 2026-04-31 18:07:31'],
    ['an hour that no day has', 'Your limit will reset at 2026-04-30 25:07:31'],
    ['an hour that no clock shows', 'try again at 13:30 PM'],
    ['a minute that no hour has', 'resets 3:75pm'],
    ['a zone that nobody knows', 'resets 3pm (Mars/Olympus)'],
    ['a zone of three letters, which several countries use', 'Try again at 7:58 PM CST'],
    ['a zone in words', 'resets 3pm Pacific time'],
    ['a day of the week', 'Your limit resets on Monday at 3pm'],
    ['no figure', 'Your limit resets every day at noon'],
    ['a version', 'available on 3.10:20'],
    ['a duration by the clock', 'Retry after 00:05:00'],
    ['a time that is no end', 'The outage began at 3:00 PM (UTC)'],
    ['nothing', ''],
  ])('when it is %s, then there is no hint', (_, says) => {
    expect(resetWaitMs(says, Date.parse(AT), { provider: 'UTC', local: 'UTC' })).toBeNull();
  });

  it('when a server writes a date or a time in figures alone, and no map knows its zone, then this machine’s is no guess for it', () => {
    const says = ['Your limit will reset at 2026-04-30 18:07:31', 'Resets at 18:07'];
    expect(says.map((text) => resetWaitMs(text, Date.parse(AT), { local: 'UTC' }))).toEqual([null, null]);
  });

  it('when a time of day is 20 hours ahead, then it is one to come; a minute more, and it is one that has passed', () => {
    const waits = ['resets 8am (UTC)', 'resets 8:01am (UTC)'].map((says) => resetWaitMs(says, Date.parse(AT), {}));
    expect(waits).toEqual([20 * HOUR, null]);
  });

  it('when the zone of this machine is unknown, then a bare time says nothing, and one with a zone does', () => {
    const waits = ['resets 3pm', 'resets 3pm (UTC)'].map((says) =>
      resetWaitMs(says, Date.parse(AT), { local: 'Etc/Unknown' }),
    );
    expect(waits).toEqual([null, 3 * HOUR]);
  });
});

describe('given the zone of a provider’s map', () => {
  it('when a time of day has no zone, then the map’s counts, not this machine’s', () => {
    const zones = { provider: 'Asia/Shanghai', local: 'America/New_York' };
    expect(resetWaitMs('resets 9pm', Date.parse('2026-04-30T12:00:00Z'), zones)).toBe(HOUR);
  });
});

describe('given the name of a zone', () => {
  it('when it is one, then it is taken, and else not', () => {
    const names = ['Asia/Shanghai', 'UTC', 'Etc/GMT+5', 'Beijing', 'UTC+8', '', 'x'.repeat(10_000)];
    expect(names.map(isTimeZone)).toEqual([true, true, true, false, false, false, false]);
  });
});

describe('given a message made to be read for long', () => {
  it.each(['resets ', 'resets 3', 'resets Nov 3, ', 'try again at 2026-04-30 '])(
    'when it repeats %j up to 20,000 characters, then it is read in a moment',
    (words) => {
      const says = words.repeat(Math.ceil(20_000 / words.length));
      const read = () => resetWaitMs(says, Date.parse('2026-04-30T12:00:00Z'), { provider: 'UTC', local: 'UTC' });
      expect(shortestMs(read)).toBeLessThan(100);
    },
  );
});
