import { describe, expect, it } from 'vitest';
import {
  checkPhrase,
  failureWords,
  runHeadline,
  stageCaption,
} from '../../src/features/council/wording/council-page-words';
import { aboutRun, runNews } from '../../src/features/council/wording/council-run-words';
import { finishedRow, sampleQuestion, sampleStorm, sampleView } from '../support/sample-council';

const AT = Date.UTC(2026, 0, 15, 14, 18);
const row = (change: Parameters<typeof sampleView>[0]['row'] = {}) => sampleView({ at: AT, row: change }).row;
const DAY_MS = 86_400_000;

describe('given the row of a run', () => {
  it.each([
    [{}, 'Cross-Reference, stage 3 of 6: 23 findings, 2 of them critical.'],
    [
      { findings: { critical: 0, major: 1, minor: 0, praise: 0, unproved: 0 } },
      'Cross-Reference, stage 3 of 6: 1 finding.',
    ],
    [{ stage: null, findings: { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 } }, 'Casting: 0 findings.'],
    [{ stage: null }, 'Presentation: 23 findings, 2 of them critical.'],
    [{ state: 'not_begun' as const }, 'This run never started.'],
    [{ state: 'stopped' as const }, 'Stopped with 23 findings.'],
    [{ state: 'finished' as const }, 'Finished with 23 findings.'],
    [finishedRow(AT), 'Fix two things before the release: token comparison and refund amounts.'],
  ])('when %j is so, then the page opens with: %s', (change, title) => {
    expect(runHeadline(row(change), AT).title).toBe(title);
  });

  it.each([
    [{ question: sampleQuestion(AT) }, 'Claude waits for your answer; the others continue.'],
    [{ state: 'paused' as const }, 'It is paused and waits for you.'],
    [{ state: 'paused_for_user' as const }, 'It is paused and waits for you.'],
    [{ state: 'left' as const }, 'Not running.'],
    [
      { stage: null, findings: { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 } },
      'The Oracle reads the task and chooses the party.',
    ],
  ])('when it waits by %j, then the second sentence says for what', (change, says) => {
    expect(runHeadline(row(change), AT).lede).toMatch(
      new RegExp(`^Code review of storefront-api, started at \\d\\d:\\d\\d\\. ${says}$`),
    );
  });

  it('when it began a day ago, then its day is said as well', () => {
    expect(runHeadline(row({ begunAt: AT - 2 * DAY_MS }), AT).lede).toMatch(/started on 2026-01-13 \d\d:\d\d\.$/);
  });

  it('when it is a brainstorm, then ideas are counted, and a long problem is shortened', () => {
    const storm = sampleStorm({ at: AT }).row;
    expect(runHeadline(storm, AT).title).toBe('Exchange, stage 4 of 8: 5 ideas.');
    const about = aboutRun({ ...storm, problem: `Why ${'very '.repeat(60)}slow?` });
    expect(about.length).toBeLessThan(110);
    expect(about).toMatch(/…”$/);
    expect(aboutRun({ ...storm, activity: 'code_brainstorm', problem: 'Why?', repo: 'shop' })).toBe(
      'Brainstorm about “Why?” with shop',
    );
  });

  it.each([
    [{}, null],
    [{ state: 'left' as const }, null],
    [{ question: sampleQuestion(AT) }, 'The council asks: continue Claude with claude-haiku-4-5?'],
    [{ state: 'paused_for_user' as const }, 'The council is paused at its cap.'],
    [{ state: 'paused' as const }, 'The council is paused: all speakers are offline.'],
    [{ state: 'finished' as const }, 'The council has finished. Its report is ready.'],
    [{ state: 'stopped' as const }, 'The council was stopped. Its report has the results so far.'],
  ])('when %j is so, then a screen reader is told: %s', (change, says) => {
    expect(runNews(row(change))).toBe(says);
  });
});

describe('given the stages of a run', () => {
  const { stages, members } = sampleView({ at: AT });
  const [first, , third, fourth, fifth] = stages;
  const all = (change: object) => stageCaption({ ...first!, ...change }, members, false);

  it('when one is over, then it says who was heard and how long it took', () => {
    expect(all({})).toBe('7 heroes · 3 min');
    expect(all({ heard: 5 })).toBe('5 of 7 heroes · 3 min');
    expect(all({ heard: 0 })).toBe('no answers · 3 min');
    expect(all({ beganAt: null })).toBe('7 heroes');
  });

  it('when one is played, then it says how far, and of one after another who speaks', () => {
    expect(stageCaption({ ...third!, turns: 'parallel' }, members, false)).toBe('3 of 6');
    expect(stageCaption(third!, members, false)).toBe('Sage speaks, 4 of 6');
    expect(stageCaption({ ...third!, of: 1, done: 0 }, members, false)).toBe('Sage speaks');
    expect(stageCaption({ ...third!, who: 'oracle' }, members, false)).toBe('3 of 6');
  });

  it('when one is ahead, then it says whose it is', () => {
    expect(stageCaption(fourth!, members, false)).toBe('Oracle');
    expect(stageCaption(fifth!, members, false)).toBe('one hero');
    expect(stageCaption(fifth!, members, true)).toBe('one persona');
    expect(stageCaption({ ...third!, state: 'ahead' }, members, false)).toBe('all');
  });
});

describe('given words of a run', () => {
  it.each([
    ['rate_limit', 'rate limited'],
    ['session_lost', 'session lost'],
    ['It said: overloaded (529)', 'It said: overloaded (529)'],
  ])('when a failure is %s, then it reads %s', (failure, says) => {
    expect(failureWords(failure)).toBe(says);
  });

  it.each([
    [{ check: 'verified', movedFrom: null, line: 9 }, 'verified'],
    [{ check: 'moved', movedFrom: 112, line: 118 }, 'moved from 112 to 118'],
    [{ check: 'moved', movedFrom: null, line: 118 }, 'moved'],
    [{ check: 'not_found', movedFrom: null, line: 9 }, 'quote not found'],
    [{ check: 'unread', movedFrom: null, line: 9 }, 'file not read'],
  ] as const)('when %j came of a quote, then it reads %s', (finding, says) => {
    expect(checkPhrase(finding)).toBe(says);
  });
});
