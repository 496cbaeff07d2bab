import { afterEach, describe, expect, it } from 'vitest';
import { FAILURE_KINDS } from '../../src/engine';
import * as catalogue from '../../src/texts';
import { german } from '../../src/texts/de';
import { type Text, textsIn } from './catalogue-texts';

/** What is the same in German, at least with the values of this test; everything else that is equal was forgotten. */
const SAME = new Set([
  'shellTexts.views.headroom',
  'rankingTexts.roles.oracle',
  'rankingTexts.roles.orchestrator',
  'rankingTexts.roles.explorer',
  'rankingTexts.roles.librarian',
  'rankingTexts.roles.designer',
  'rankingTexts.roles.fixer',
  'rankingTexts.roles.builder',
  'rankingTexts.tiers.standard',
  'rankingTexts.phases.artificial_analysis',
  'rankingPageTexts.choice.agent',
  'rankingPageTexts.choice.benchmarks',
  'rankingPageTexts.weights.percent',
  'rankingPageTexts.list.lacks',
  'rankingPageTexts.list.columns.live',
  'rankingPageTexts.list.part',
  'rankingPageTexts.list.noScore',
  'rankingPageTexts.values.cell',
  'rankingPageTexts.values.unit.elo',
  'rankingPageTexts.values.origin.opencode',
  'rankingPageTexts.values.origin.artificial_analysis',
  'rankingPageTexts.give.label',
  'rankingPageTexts.proposal.place',
  'rankingPageTexts.short.gpqa',
  'rankingPageTexts.short.mmlu_pro',
  'rankingPageTexts.short.intelligence_index',
  'rankingPageTexts.short.ifbench',
  'rankingPageTexts.short.tau2',
  'rankingPageTexts.short.gdpval_aa_elo',
  'rankingPageTexts.short.aime',
  'rankingPageTexts.short.math_index',
  'rankingPageTexts.short.hle',
  'rankingPageTexts.short.terminalbench_hard',
  'rankingPageTexts.short.coding_index',
  'rankingPageTexts.short.swe_bench_pro',
  'rankingPageTexts.short.swe_bench_verified',
  'rankingPageTexts.short.livecodebench',
  'rankingPageTexts.short.scicode',
  'agentTexts.columns.agent',
  'councilNewsTexts.title',
  'councilNewsTexts.line',
  'shellTexts.views.council',
  'attentionTexts.doesOf',
  'attentionTexts.inProject',
  'recordTexts.sessionOf',
  'fleetPageTexts.server.command',
  'fleetPageTexts.machines.version',
  'fleetPageTexts.begin.join',
  'fleetPageTexts.begin.joinOther',
  'fleetPageTexts.settings.server',
  'fleetPageTexts.settings.team',
  'fleetPageTexts.settings.leaveCommand',
  'councilPageTexts.head.title',
  'councilPageTexts.head.says',
  'councilPageTexts.head.takes',
  'councilPageTexts.stageBar.numbered',
  'councilPageTexts.stageBar.took',
  'councilPageTexts.question.why',
  'councilPageTexts.party.size',
  'councilPageTexts.party.retrying',
  'councilPageTexts.board.only',
  'councilPageTexts.ideas.persona',
  'councilPageTexts.talk.live',
  'councilPageTexts.export.button',
  'councilPageTexts.export.formats.md',
  'councilPageTexts.export.formats.html',
  'councilPageTexts.export.formats.json',
  'councilPageTexts.export.formats.sarif',
  'councilPageTexts.report.missed',
  'councilPageTexts.report.fallbacks',
  'councilPageTexts.report.tokensOf',
  'draftTexts.columns.firstWord',
  'editorTexts.create.agent',
  'editorTexts.diff.renamed',
  'editorTexts.drag.from',
  'eventLogTexts.detail.agent',
  'nowTexts.map.columns.agent',
  'nowTexts.map.more',
  'eventLogTexts.families.breaker',
  'eventLogTexts.families.budget',
  'eventLogTexts.families.instance',
  'eventLogTexts.filters.agent',
  'eventLogTexts.filters.choice',
  'eventLogTexts.filters.text',
  'eventTexts.exact.history.notice',
  'explanationTexts.facts.agent',
  'explanationTexts.facts.limit',
  'headroomTexts.length.of',
  'headroomTexts.counted',
  'headroomTexts.account.labelled',
  'headroomTexts.window.ofModel',
  'kindTexts.of',
  'modelTexts.dependants.inProject',
  'modelTexts.breaker.title',
  'modelTexts.layout.columns.breaker',
  'modelTexts.layout.columns.p50',
  'modelTexts.layout.columns.p95',
  'modelTexts.outcomes.times',
  'modelTexts.recent.calls',
  'rankingTexts.roles.oracle',
  'rankingTexts.roles.orchestrator',
  'rankingTexts.roles.explorer',
  'rankingTexts.roles.librarian',
  'rankingTexts.roles.designer',
  'rankingTexts.roles.fixer',
  'rankingTexts.roles.builder',
  'rankingTexts.tiers.standard',
  'rankingTexts.phases.artificial_analysis',
  'sessionTexts.card.columns.median',
  'sessionTexts.export.size',
  'sessionTexts.timeline.window.minutes',
  'sessionTexts.timeline.window.hours',
  'sessionTexts.timeline.columns.agent',
  'settingsTexts.advanced.app',
  'settingsTexts.advanced.system',
  'settingsTexts.data.export',
  'settingsTexts.data.command',
  'settingsTexts.general.version',
  'settingsTexts.notices.testTitle',
  'settingsTexts.policy.agent',
  'settingsTexts.policy.groups.breaker',
  'settingsTexts.policy.seconds',
  'setupTexts.doctor.checks.app.running',
  'setupTexts.doctor.checks.opencode.found',
  'setupTexts.drill.agent',
  'setupTexts.steps.facts.drilled',
  'setupTexts.steps.facts.found',
  'setupTexts.steps.facts.named',
  'shellTexts.views.council',
  'standingTexts.agent.switched',
  'trayTexts.moved',
  'usageTexts.agents.columns.agent',
  'usageTexts.columns.name',
  'usageTexts.columns.p50Ms',
  'usageTexts.columns.p95Ms',
  'usageTexts.states.importCommand',
  'wordTexts.decimal',
  'wordTexts.timeLeft',
]);

const SAID: catalogue.EventWords = {
  ...{ agent: '«agent»', model: '«model»', to: '«to»', reason: '«reason»', until: '«until»', detail: '«detail»' },
  ...{
    tally: { count: 11, of: 22 },
    durationMs: 33,
    isHeld: true,
    near: '«near»',
    isOfPlan: true,
    account: '«account»',
  },
};

const NUMBERS = [11, 22, 33, 44, 55, 66];
const NAMES = NUMBERS.map((number) => `«${number}»`);

/** A text as it is shown with names, and with figures, that one can find again in it; nobody is given both at once. */
function shown(path: string, text: Text): string {
  if (typeof text === 'string') return text;
  if (path === 'wordTexts.listed') return text(NAMES);
  if (/^eventTexts\.(?:exact|families|model)\./.test(path)) return text(SAID, '«state»');
  const told = [NAMES, NUMBERS].flatMap((values) => toldWith(text, values));
  if (told.length === 0) throw new TypeError(`${path} takes values that this test does not have.`);
  return told.join(' / ');
}

/** What a text says of values; nothing where it is for values of another kind. */
function toldWith(text: Exclude<Text, string>, values: readonly unknown[]): readonly string[] {
  try {
    const said = text(...values);
    return said.includes('NaN') ? [] : [said];
  } catch {
    return [];
  }
}

afterEach(() => catalogue.speak('en', {}));

describe('given every part of the catalogue', () => {
  const english = textsIn('en');
  const translated = textsIn('de');
  catalogue.speak('en', {});
  const pairs = [...english].map(([path, text]) => [path, shown(path, text), translated.get(path)] as const);

  it('when German is spoken, then each says everything, and nothing English', () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    const equal = pairs.flatMap(([path, text, other]) => (other && shown(path, other) === text ? [path] : []));
    expect([equal.filter((path) => !SAME.has(path)), english.size > 400]).toEqual([[], true]);
    expect([...SAME].filter((path) => !equal.includes(path))).toEqual([]);
  });

  it('when a text has figures and names in it, then German has the same ones, and neither says “undefined”', () => {
    const values = (text: string) => [...new Set(text.match(/«[a-z]+»|\b(?:11|22|33|44|55|66)\b/g))].sort();
    const odd = pairs.flatMap(([path, text, other]) => {
      const said = shown(path, other ?? '');
      const isWhole = values(said).join() === values(text).join();
      return isWhole && !/undefined|\[object/.test(`${text}${said}`) ? [] : [`${path}: ${text} / ${said}`];
    });
    expect(odd).toEqual([]);
  });

  it.each(FAILURE_KINDS)('when a model fails by %s, then German has its own words', (kind) => {
    catalogue.speak('de', german);
    expect(catalogue.kindTexts().of(kind, 'english')).not.toBe('english');
  });
});
