import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  GROUPS,
  generationOf,
  order,
  pageOf,
  plain,
  RELEASES,
  type Results,
  readReport,
  summaryOf,
  totalOf,
  withResult,
} from '../../scripts/promises.mjs';
import { planOf, readResults } from '../../scripts/soak-releases.mjs';
import { PROVEN_OPENCODE } from '../../src/node/opencode/proven';

const root = join(import.meta.dirname, '..', '..');

const test = (title: string, status: string, more: object = {}) => ({
  ...{ title, status, ancestorTitles: ['given the matrix', 'and a turn'], failureMessages: [], meta: {} },
  ...more,
});
const reportOf = (tests: ReturnType<typeof test>[], { status = 'passed', message = '' } = {}) => ({
  testResults: [{ status, message, assertionResults: tests }],
});

describe('given what every release is held against', () => {
  it('when the groups are read, then each has a name of its own in its generation, and a file that is there', () => {
    expect(new Set(GROUPS.map(({ generation, name }) => `${generation} ${name}`)).size).toBe(GROUPS.length);
    const files = GROUPS.flatMap(({ file }) => file ?? []);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('when the releases are read, then both ends of every proven range are among them', () => {
    for (const { generation, versions } of RELEASES) {
      expect(versions).toEqual([...versions].sort(order));
      expect([versions[0], versions.at(-1)]).toEqual([
        PROVEN_OPENCODE[generation]?.from,
        PROVEN_OPENCODE[generation]?.to,
      ]);
      expect(versions.map(generationOf)).toEqual(versions.map(() => generation));
    }
  });
});

describe('given the words after `npm run soak -- releases`', () => {
  const plan = (...words: string[]) =>
    planOf(words).map(({ version, groups }) => [version, ...groups.map(({ name }) => name)]);
  const namesOf = (wanted: number) => GROUPS.flatMap(({ generation, name }) => (generation === wanted ? [name] : []));

  it('when there are none, then everything is played', () => {
    expect(plan()).toEqual([
      ['1.17.19', ...namesOf(1)],
      ['1.18.3', ...namesOf(1)],
      ['1.18.33', ...namesOf(1)],
      ['1.18.34', ...namesOf(1)],
      ['2.0.15', ...namesOf(2)],
    ]);
    expect([namesOf(1), namesOf(2)]).toEqual([
      ['demo', 'facts', 'turns', 'matrix', 'proof', 'readme', 'sockets', 'line', 'logins', 'packages', 'parts'],
      [
        'demo',
        'facts',
        'promises',
        'matrix',
        'journey',
        'readme',
        'sockets',
        'line',
        'drill',
        'accounts',
        'logins',
        'packages',
        'parts',
      ],
    ]);
  });

  it('when they name releases or groups, then those alone; a release may be one that is not in the list', () => {
    expect(plan('1.18.35', 'facts', 'demo')).toEqual([['1.18.35', 'demo', 'facts']]);
    expect(plan('promises')).toEqual([['2.0.15', 'promises']]);
    expect(plan('1.15.13', '1.14.48', 'demo', 'proof')).toEqual([
      ['1.15.13', 'demo', 'proof'],
      ['1.14.48', 'demo', 'proof'],
    ]);
    expect(plan('2.0.16')).toEqual([['2.0.16', ...namesOf(2)]]);
  });

  it.each([
    [['fact'], '"fact" is no version such as'],
    [['1.18'], '"1.18" is no version such as'],
    [['2.0.15', 'turns'], '2.0.15 turns: these releases have no such group'],
  ])('when they are %j, then it is told what is wrong', (words, said) => {
    expect(() => planOf(words)).toThrow(said);
  });
});

describe('given a report of tests', () => {
  it('when it is read, then held, known and failed are told apart, and what was left out is not in it', () => {
    const report = reportOf([
      test('it holds', 'passed'),
      test('it is known', 'passed', { meta: { known: 'Since 1.18.21.' } }),
      test('it fails', 'failed', {
        failureMessages: ['\u001b[31mError: 1\u001b[39m\n    at x (file:///a.ts:1:2)\nmore'],
      }),
      test('it is left out', 'skipped'),
      test('it waits', 'pending'),
    ]);
    expect(readReport(report)).toEqual([
      { place: 'a turn', title: 'it holds', outcome: 'held', why: '' },
      { place: 'a turn', title: 'it is known', outcome: 'known', why: 'Since 1.18.21.' },
      { place: 'a turn', title: 'it fails', outcome: 'failed', why: 'Error: 1\nmore' },
    ]);
  });

  it('when what is known has come out otherwise, then it has failed', () => {
    const [promise] = readReport(
      reportOf([test('a', 'failed', { meta: { known: 'x' }, failureMessages: ['Expect test to fail'] })]),
    );
    expect(promise).toMatchObject({ outcome: 'failed', why: 'Expect test to fail' });
  });

  it('when the file broke before its tests, then that is a failure, with its reason where there is one', () => {
    const broken = (message: string) =>
      readReport(reportOf([test('a', 'skipped')], { status: 'failed', message })).map(({ place, why }) => [place, why]);
    expect([broken('no server'), broken('')]).toEqual([
      [['the file as a whole', 'no server']],
      [['the file as a whole', 'its preparation failed']],
    ]);
  });

  it('when nothing of it was played, then nothing is said', () => {
    expect(readReport(reportOf([test('a', 'skipped')]))).toEqual([]);
    expect(readReport({ testResults: [] })).toEqual([]);
  });

  it('when a reason is long, then its first lines are enough', () => {
    expect(plain('one\n\n  two\nthree\nfour')).toBe('one\ntwo\nthree');
    expect(plain('x'.repeat(1_100))).toBe(`${'x'.repeat(1_000)}…`);
  });
});

describe('given results', () => {
  const played = [
    { place: 'a turn', title: 'when a', outcome: 'held', why: '' },
    { place: 'a turn', title: 'when b', outcome: 'known', why: 'Not asked.' },
    { place: 'the | wire', title: 'when c', outcome: 'failed', why: 'expected 1\nto be 2' },
  ] as const;
  const summary = summaryOf(played, '2026-11-22');

  it('when they are summed up, then by place, and with the reasons', () => {
    expect(summary).toEqual({
      date: '2026-11-22',
      places: { 'a turn': { held: 1, known: 1, failed: 0 }, 'the | wire': { held: 0, known: 0, failed: 1 } },
      known: { 'a turn: when b': 'Not asked.' },
      failed: { 'the | wire: when c': 'expected 1\nto be 2' },
    });
    expect(totalOf(summary)).toEqual({ held: 1, known: 1, failed: 1 });
  });

  it('when a group is played again, then its old figures go, and releases stay in order', () => {
    let results: Results = {};
    for (const version of ['1.18.34', '1.18.4', '2.0.15', '1.18.34'])
      results = withResult(results, version, 'matrix', { ...summary, date: version });
    results = withResult(results, '1.18.34', 'facts', summary);
    expect(Object.keys(results)).toEqual(['1.18.4', '1.18.34', '2.0.15']);
    expect([Object.keys(results['1.18.34']!), results['1.18.4']?.matrix?.date]).toEqual([
      ['matrix', 'facts'],
      '1.18.4',
    ]);
  });

  it('when the page is made, then a table has the releases, the places, the oldest day, and each reason once', () => {
    const older = {
      ...summary,
      date: '2026-11-01',
      failed: {},
      places: { 'a turn': { held: 2, known: 1, failed: 0 } },
    };
    let results = withResult({}, '1.18.3', 'matrix', older);
    results = withResult(results, '1.18.34', 'matrix', summary);
    results = withResult(results, '1.18.34', 'demo', { ...summary, places: { x: { held: 1, known: 0, failed: 0 } } });
    const [, first = '', second = ''] = pageOf(results).split(/^## /m);
    expect(first.split('\n').filter((line) => line.startsWith('|'))).toEqual([
      '|  | 1.18.3 | 1.18.34 |',
      '| --- | ---: | ---: |',
      '| **demo** | not played | 1 / 0 / 0 |',
      '| **matrix** | 2 / 1 / 0 | **1 / 1 / 1** |',
      '| a turn | 2 / 1 / 0 | 1 / 1 / 0 |',
      '| the \\| wire | – | **0 / 0 / 1** |',
      '| *seen on* | 2026-11-01 | 2026-11-22 |',
    ]);
    expect(first).toContain('- 1.18.3, 1.18.34, **matrix**: a turn: when b\n  ```text\n  Not asked.\n  ```\n');
    expect(first).toContain('- 1.18.34, **matrix**: the | wire: when c\n  ```text\n  expected 1\n  to be 2\n  ```\n');
    expect(second).toContain('Nothing has been played yet.');
  });
});

it('given docs/releases.json, when the page is made from it again, then it is the page in docs', () => {
  expect(readFileSync(join(root, 'docs', 'releases.md'), 'utf8')).toBe(pageOf(readResults()));
});
