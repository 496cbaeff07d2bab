import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import type { CouncilRunRow } from '../../src/features/council/contract/council-run';
import { councilFound, councilStanding, councilsNear } from '../../src/features/council/wording/council-words';
import { councilNewsTexts, councilPageTexts, councilRunTexts, saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { attentionOf } from '../../src/wording/attention';
import { attentionDetail, attentionTitle, verdict, wayPhrase } from '../../src/wording/attention-words';
import { statusMarkdown, statusText } from '../../src/wording/status-text';
import { askingCouncil, BACK_AT, councilRow, snapshotOf } from '../support/rows';

const withCouncils = (...councils: CouncilRunRow[]): Snapshot => snapshotOf([], { councils });
const RUN = councilRow().run;

describe('given a run of a council', () => {
  it.each<[string, Partial<CouncilRunRow>]>([
    ['stage 2 of 6', {}],
    ['choosing the party', { stage: null, findings: { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 } }],
    ['preparing the report', { stage: null }],
    ['paused at its cap', { state: 'paused_for_user' }],
    ['paused, all speakers offline', { state: 'paused' }],
    ['interrupted, can be resumed', { state: 'left', isPlayed: false }],
    ['finished', { state: 'finished', isPlayed: false }],
    ['stopped', { state: 'stopped', isPlayed: false }],
    ['never started', { state: 'not_begun', isPlayed: false }],
  ])('when it is told in a few words, then it is "%s"', (words, change) => {
    expect(councilStanding(councilRow(change))).toBe(words);
  });

  it.each<[string, Partial<CouncilRunRow>]>([
    ['Abschnitt 2 von 6', {}],
    ['an der Obergrenze angehalten', { state: 'paused_for_user' }],
    ['fertig', { state: 'finished', isPlayed: false }],
    ['beendet', { state: 'stopped', isPlayed: false }],
  ])('when it is told in German, then by the words of its page: "%s"', (words, change) => {
    expect(saidIn('de', german, () => councilStanding(councilRow(change)))).toBe(words);
  });

  it('when it can be stopped or goes past its cap in German, then by the words of its page', () => {
    const { news, page, run } = saidIn('de', german, () => ({
      ...{ news: councilNewsTexts(), page: councilPageTexts(), run: councilRunTexts() },
    }));
    expect([news.acts.stop, news.capped.question, news.capped.title('Council')]).toEqual([
      page.stop.button,
      `Über die ${page.plan.cap} hinaus fortsetzen?`,
      `Council ist ${run.states.paused_for_user}`,
    ]);
  });

  it.each<[string, CouncilRunRow['activity'], number]>([
    ['0 ideas', 'brainstorm', 0],
    ['0 ideas', 'code_brainstorm', 0],
    ['1 idea', 'code_brainstorm', 1],
    ['4 findings, 1 critical', 'code_review', 0],
  ])('when what it has found is told, then "%s" of a %s with %i ideas', (words, activity, ideas) => {
    expect(councilFound(councilRow({ activity, ideas }))).toBe(words);
  });

  it('when it runs, then nothing is to be seen to, and the status has one line of it', () => {
    const snapshot = withCouncils(councilRow());
    expect(attentionOf(snapshot).filter(({ kind }) => kind.startsWith('council'))).toEqual([]);
    expect(statusText(snapshot)).toContain(
      '\n  Council on storefront-api: stage 2 of 6, 4 findings, 1 critical, $0.42 of $2.00.',
    );
    expect(saidIn('de', german, () => statusText(snapshot))).toContain(
      'Council zu storefront-api: Abschnitt 2 von 6, 4 Befunde, 1 kritisch, 0,42 $ von 2,00 $.',
    );
    expect(statusMarkdown(snapshot, '/home/ada/shop')).not.toContain('Council');
  });

  it('when it asks, then that comes before all but questions of agents, and leads to its page', () => {
    const snapshot = snapshotOf([], { councils: [askingCouncil()], connection: { status: 'waiting', since: 0 } });
    const [item] = attentionOf(snapshot);
    expect(item).toMatchObject({ kind: 'councilQuestion', way: { kind: 'go', view: 'council', detail: RUN } });
    expect(item && [attentionTitle(item, snapshot), attentionDetail(item, snapshot, false)]).toEqual([
      'Council on storefront-api asks about a fallback model.',
      'claude-sonnet-4-5 is rate limited. Use claude-haiku-4-5 for Claude?',
    ]);
    expect(item && wayPhrase(item)).toEqual({ short: 'Open…', full: 'Open… Council on storefront-api' });
    expect(verdict(snapshot).title).toBe('Council on storefront-api asks about a fallback model.');
  });

  it('when it is paused, then why is said; when nobody plays it, nothing is to be seen to', () => {
    const capped = councilRow({ state: 'paused_for_user', spent: 2.01 });
    const offline = councilRow({ run: 'r20260105-141500-b2c3', state: 'paused', repo: null });
    const snapshot = withCouncils(capped, offline, councilRow({ state: 'left', isPlayed: false }));
    const items = attentionOf(snapshot).filter(({ kind }) => kind === 'councilPaused');
    expect(items.map((item) => `${attentionTitle(item, snapshot)} ${attentionDetail(item, snapshot)}`)).toEqual([
      'Council on storefront-api is paused at its cap. $2.01 of $2.00 spent. It continues when you approve.',
      'Council is paused, all speakers offline. Nothing is lost. It continues when you bring back a speaker.',
    ]);
  });

  it('when several are told in passing, then those that wait come first, and those that are over or long left do not', () => {
    const rows: CouncilRunRow[] = [
      councilRow({ run: 'finished', state: 'finished', isPlayed: false }),
      councilRow({ run: 'left', state: 'left', isPlayed: false }),
      councilRow({ run: 'old', state: 'left', isPlayed: false, begunAt: BACK_AT - 2 * 86_400_000 }),
      councilRow({ run: 'runs' }),
      askingCouncil({ run: 'asks' }),
    ];
    expect(councilsNear(withCouncils(...rows)).map(({ run }) => run)).toEqual(['asks', 'runs', 'left']);
  });
});
