import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MODEL_STATES } from '../../src/engine/names';
import { allMetrics } from '../support/all-metrics';
import { labelsOf, type SeriesTable, seriesIn } from '../support/promql';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

type Target = Readonly<{ refId: string; expr: string; legendFormat: string; datasource: unknown }>;
type Panel = Readonly<{
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: unknown;
  gridPos: Readonly<{ x: number; y: number; w: number; h: number }>;
  targets?: readonly Target[];
  fieldConfig?: Readonly<{ defaults: Readonly<{ mappings: readonly { options: object }[] }> }>;
}>;
type Variable = Readonly<{ name: string; type: string; definition?: string; query: unknown; datasource?: unknown }>;
type Dashboard = Readonly<{
  uid: string;
  title: string;
  schemaVersion: number;
  panels: readonly Panel[];
  templating: Readonly<{ list: readonly Variable[] }>;
}>;
type Rule = Readonly<{
  alert: string;
  expr: string;
  for: string;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<{ summary: string; description: string }>;
}>;

const text = read('resources/grafana/understudy-dashboard.json');
const dashboard = JSON.parse(text) as Dashboard;
const rules = parse(read('resources/grafana/understudy-alerts.yaml'), { strict: true, uniqueKeys: true }) as Readonly<{
  groups: readonly { name: string; rules: readonly Rule[] }[];
}>;
const alerts = rules.groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap(({ title, targets: own = [] }) => own.map((target) => ({ title, ...target })));

let series: SeriesTable;
beforeAll(async () => {
  series = seriesIn(await allMetrics());
});

/** Why a query cannot be answered; otherwise the labels of its answer. A query of Grafana's has times for its variables. */
function answerTo(query: string): string | ReadonlySet<string> {
  try {
    return labelsOf(query.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '24h'), series);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What stands between `{{` and `}}`. */
const placesIn = (words: string): readonly string[] =>
  [...words.matchAll(/\{\{\s*(.*?)\s*\}\}/g)].map(([, place = '']) => place);

describe('given the dashboard of Grafana', () => {
  it('when its queries are read, then each series, label and value in them is one that is told where everything is there', () => {
    const wrong = targets.map(({ title, expr }) => [title, answerTo(expr)] as const);
    expect(targets.length).toBeGreaterThan(30);
    expect(wrong.filter(([, answer]) => typeof answer === 'string')).toEqual([]);
  });

  it('when a line is named by a label, then its answer has that label', () => {
    const nameless = targets.flatMap(({ title, expr, legendFormat }) => {
      const labels = answerTo(expr);
      const has = (label: string): boolean => typeof labels !== 'string' && labels.has(label);
      return placesIn(legendFormat).flatMap((label) => (has(label) ? [] : [`${title}: ${label}`]));
    });
    expect(nameless).toEqual([]);
  });

  it('when it is imported, then who has the data is asked, and machines and teams are chosen by what is told', () => {
    const { list } = dashboard.templating;
    expect(list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
      ['team', 'query'],
    ]);
    for (const { definition = '', type } of list) {
      if (type !== 'query') continue;
      const [, of = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? [];
      expect([definition, [...(answerTo(of) as ReadonlySet<string>)].includes(label)]).toEqual([definition, true]);
    }
    const asked = dashboard.panels.filter(({ type }) => type !== 'row').flatMap((panel) => [panel, ...panel.targets!]);
    const sources = [...asked, ...list.filter(({ type }) => type === 'query')].map(({ datasource }) => datasource);
    const chosen = /^\{"type":"prometheus","uid":"\$\{datasource\}"\}$/;
    expect(sources.filter((source) => !chosen.test(JSON.stringify(source)))).toEqual([]);
  });

  it('when a query has a variable, then it is one of the dashboard, or of Grafana', () => {
    const known = [...dashboard.templating.list.map(({ name }) => name), '__rate_interval', '__range'];
    const used = targets.flatMap(({ expr }) => [...expr.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name));
    expect([...new Set(used)].filter((name) => !known.includes(name))).toEqual([]);
    // What shows all machines, whichever are chosen, would be wrong of one.
    expect(targets.filter(({ expr }) => /understudy_(?!info)/.test(expr) && !expr.includes('$instance'))).toEqual([]);
  });

  it('when it is drawn, then every panel says what it shows, has its own place, and stands in its row', () => {
    const { panels } = dashboard;
    expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Overview',
      'Models',
      'Headroom',
      'Budgets',
      'Cost and tokens',
      'Fleet',
    ]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ type, description }) => type !== 'row' && !description?.endsWith('.'))).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    for (const { targets: own = [] } of panels) expect(new Set(own.map(({ refId }) => refId)).size).toBe(own.length);
  });

  it('when the states of models are drawn, then each of them has its number, and each number its word', () => {
    const panel = dashboard.panels.find(({ type }) => type === 'state-timeline');
    const drawn = [...(panel?.targets?.[0]?.expr ?? '').matchAll(/state="(\w+)"[^}]*\} \* (\d+)/g)];
    const words = Object.keys(panel?.fieldConfig?.defaults.mappings[0]?.options ?? {});
    expect(drawn.map(([, state]) => state).toSorted()).toEqual([...MODEL_STATES].toSorted());
    expect(drawn.map(([, , number]) => number)).toEqual(words);
  });

  it('when Grafana reads it, then it is of the classic form, and is one that nobody has changed yet', () => {
    expect(dashboard).toMatchObject({
      uid: 'understudy',
      title: 'Understudy',
      schemaVersion: 42,
      id: null,
      version: 1,
    });
    expect(text).not.toMatch(/"__inputs"|https?:/);
  });
});

describe('given the alert rules of Prometheus', () => {
  it('when their queries are read, then each series, label and value in them is one that is told where everything is there', () => {
    const wrong = alerts.map(({ alert, expr }) => [alert, answerTo(expr)] as const);
    expect(alerts.length).toBeGreaterThan(5);
    expect(wrong.filter(([, answer]) => typeof answer === 'string')).toEqual([]);
  });

  it('when one fires, then it says what is so and what to do, by labels that its answer has', () => {
    const wrong = alerts.flatMap(({ alert, expr, annotations: { summary, description } }) => {
      const labels = answerTo(expr);
      const isKnown = (place: string): boolean => {
        const [, label] = /^\$labels\.(\w+)$/.exec(place) ?? [];
        if (label === undefined) return place === '$value | humanizePercentage';
        return typeof labels !== 'string' && labels.has(label);
      };
      return placesIn(`${summary} ${description}`).flatMap((place) => (isKnown(place) ? [] : [`${alert}: ${place}`]));
    });
    expect(wrong).toEqual([]);
    expect(alerts.filter(({ annotations: { summary } }) => summary.endsWith('.'))).toEqual([]);
    expect(alerts.filter(({ annotations: { description } }) => !description.endsWith('.'))).toEqual([]);
  });

  it('when they are read, then each has its own name, waits a while, and says how grave it is', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    expect(alerts.filter(({ alert }) => !/^Understudy[A-Z]\w+$/.test(alert))).toEqual([]);
    expect(alerts.filter(({ for: waits }) => !/^\d+m$/.test(waits))).toEqual([]);
    expect(alerts.filter(({ labels }) => !['warning', 'critical'].includes(labels.severity ?? ''))).toEqual([]);
  });

  it('when the page of fleets lists them, then it lists each of them', () => {
    const listed = [...read('docs/fleet.md').matchAll(/^\| `(Understudy\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(alerts.map(({ alert }) => alert));
  });
});

describe('given the page of metrics', () => {
  const page = read('docs/panel.md');

  it('when it names a series, then that is told where everything is there', () => {
    const named = [...page.matchAll(/`(understudy_\w+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !series.has(name))).toEqual([]);
  });

  it('when a series of a fleet is told, then it names that', () => {
    const told = [...series.keys()].filter((name) => name.startsWith('understudy_fleet_'));
    expect(told.length).toBeGreaterThan(4);
    expect(told.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('given a query that is wrong', () => {
  it.each([
    ['a series that is not there', 'understudy_turn_total', 'there is no series understudy_turn_total'],
    ['a histogram without its ending', 'understudy_switch_duration_seconds', 'there is no series'],
    ['a label that is not there', 'understudy_turns_total{result="x"}', 'understudy_turns_total has no label result'],
    [
      'a value that is never told',
      'understudy_turns_total{outcome="fine"}',
      'outcome of understudy_turns_total is never',
    ],
    ['one such value of two', 'understudy_turns_total{outcome=~"failed|fine"}', 'is never fine'],
    ['a label that is gone', 'sum by (kind) (sum by (model) (understudy_tokens_total))', 'no label kind is left there'],
    ['a function that is not known', 'rated(understudy_turns_total[5m])', 'there is no function rated'],
    ['a rate without its time', 'rate(understudy_turns_total)', 'rate takes matrix'],
    ['an answer over a time', 'understudy_turns_total[5m]', 'it comes to a matrix'],
    ['a quantile without its buckets', 'histogram_quantile(0.5, understudy_turns_total)', 'needs the label le'],
    ['sides that never meet', 'understudy_turns_total / understudy_retries_total', 'the sides of / never meet'],
    ['a bracket that is open', 'sum(understudy_turns_total', 'expected ), found the end'],
    ['a word too many', 'understudy_turns_total understudy_info', 'understudy_info is one too many'],
    ['a sign that means nothing', 'understudy_turns_total ? 1', 'nothing can be read from'],
  ])('when it has %s, then it is found', (_what, query, reason) => {
    expect(answerTo(query)).toContain(reason);
  });

  it('when none is wrong, then what is left of each answer is known', () => {
    const labels = (query: string) => [...(answerTo(query) as ReadonlySet<string>)].toSorted();
    expect(labels('understudy_info')).toEqual(['instance', 'job', 'version']);
    expect(labels('sum without (job) (understudy_info)')).toEqual(['instance', 'version']);
    expect(labels('up == 0 and on (instance) understudy_info')).toEqual(['instance', 'job']);
    expect(labels('understudy_turns_total / ignoring (outcome) understudy_retries_total')).toEqual(['instance', 'job']);
    expect(labels('sum by (le) (rate(understudy_switch_duration_seconds_bucket[5m]))')).toEqual(['le']);
    expect(labels('1 + 2 * 3')).toEqual([]);
  });
});
