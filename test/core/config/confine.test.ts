import { describe, expect, it } from 'vitest';
import { type ConfigSource, confined, parseConfig, resolveScope } from '../../../src/core/config';

const HOST = { leads: {}, defaultModel: null };
const PATH = '/p/.opencode/model-fallback.json';
const sourceOf = (config: unknown, path = PATH): ConfigSource => {
  const text = JSON.stringify(config, null, 2);
  return { path, ...parseConfig(text, path) };
};
const project = (config: unknown): ConfigSource => confined(sourceOf(config));
const OWN = sourceOf({ logPath: '~/own.log', triage: { exportPath: '/var/own.json' } }, '/home/u/model-fallback.json');

describe('given a project that says where files shall lie', () => {
  it.each([
    'logs/f.log',
    './f.txt',
    'a/b/c/card.json',
    'läufe/größe.md',
    '..well/f.log',
    'a/.hidden/x.jsonl',
    'CARD.HTML',
    'x.csv',
  ])('when it names %s, then it has it, and it stays inside', (place) => {
    const { logging, triage, problems } = resolveScope(
      { project: project({ logPath: place, triage: { exportPath: place } }), global: OWN },
      HOST,
    );
    expect([logging.path, logging.isConfined, triage.path, triage.isConfined, problems]).toEqual([
      ...[place, true, place, true],
      [],
    ]);
  });

  it.each([
    ['~/.zshenv', 'begins with ~'],
    ['~root/x.log', 'begins with ~'],
    ['/etc/cron.d/x.txt', 'is absolute'],
    ['//server/share/x.log', 'is absolute'],
    ['\\\\server\\share\\x.log', 'is absolute'],
    ['\\\\?\\C:\\x.log', 'is absolute'],
    ['C:\\x.log', 'is absolute'],
    ['c:x.log', 'is absolute'],
    ['../x.log', 'leaves the project with ..'],
    ['a/../../x.log', 'leaves the project with ..'],
    ['a\\..\\..\\x.log', 'leaves the project with ..'],
    ['a/..', 'leaves the project with ..'],
    ['.zshrc', 'does not end in'],
    ['.git/hooks/post-checkout', 'does not end in'],
    ['Makefile', 'does not end in'],
    ['x.sh', 'does not end in'],
    ['x.log.sh', 'does not end in'],
    ['x.log\u0000.sh', 'contains characters'],
    ['x\n.log', 'contains characters'],
    ['x.sh:y.log', 'contains characters'],
    ['x\u202egol.log', 'contains characters'],
    ['a /x.log', 'contains characters'],
    ['x.log.', 'contains characters'],
    ['.git/refs/heads/x.log', 'is in a version control folder'],
    ['a/.GIT/x.log', 'is in a version control folder'],
    ['a\\.Git\\info\\x.txt', 'is in a version control folder'],
    ['.git./x.log', 'contains characters'],
    ['.git /x.log', 'contains characters'],
    ['.g\u200cit/x.log', 'contains characters'],
    ['.git::$INDEX_ALLOCATION/x.log', 'contains characters'],
    ['GIT~1/x.log', 'is in a version control folder'],
    ['.hg/x.log', 'is in a version control folder'],
  ])('when it names %j, then that is ignored with a word at its place, and the user’s own holds', (place, why) => {
    for (const [config, key] of [
      [{ logPath: place }, 'logPath'],
      [{ triage: { exportPath: place } }, 'triage.exportPath'],
    ] as const) {
      const { logging, triage, problems } = resolveScope({ project: project(config), global: OWN }, HOST);
      expect([logging.path, logging.isConfined, triage.path, triage.isConfined]).toEqual([
        ...['~/own.log', false, '/var/own.json', false],
      ]);
      expect(problems).toMatchObject([{ code: 'place.outside', severity: 'warning', path: PATH }]);
      expect([problems[0]?.line, problems[0]?.message]).toEqual([
        key === 'logPath' ? 2 : 3,
        expect.stringContaining(`${key} ${why}`),
      ]);
    }
  });

  it('when it uses the other shape of the same, then the same holds', () => {
    const config = { triage: { enabled: true, scorecard: { exportPath: '~/x.json', generateReport: true } } };
    const { triage, problems } = resolveScope({ project: project(config), global: null }, HOST);
    expect([triage.path, triage.isEnabled, problems.map(({ code }) => code)]).toEqual([null, true, ['place.outside']]);
  });

  it('when the project’s is the place in the old shape and the user’s is in the new one, then the user’s is free', () => {
    const config = { triage: { scorecard: { exportPath: 'card.json' } } };
    const { triage } = resolveScope({ project: project(config), global: OWN }, HOST);
    expect([triage.path, triage.isConfined]).toEqual(['/var/own.json', false]);
  });

  it('when the user’s own file names any of these, then they hold', () => {
    const { logging, triage, problems } = resolveScope({ project: project({}), global: OWN }, HOST);
    expect([logging.path, logging.isConfined, triage.path, problems]).toEqual([
      '~/own.log',
      false,
      '/var/own.json',
      [],
    ]);
  });
});

describe('given titles of sessions, which are derived from what a user writes', () => {
  const sessions = (titles: boolean) => ({ sessions: { titles } });
  const own = (titles: boolean) => sourceOf(sessions(titles), '/home/u/model-fallback.json');

  it.each([
    ['nobody says a word', null, null, false],
    ['the user says yes', own(true), null, true],
    ['the user says no', own(false), null, false],
    ['the user says yes, and the project no', own(true), project(sessions(false)), false],
    ['the user says yes, and the project as well', own(true), project(sessions(true)), true],
    ['the user says no, and the project yes', own(false), project(sessions(true)), false],
    ['the project alone says yes', null, project(sessions(true)), false],
  ])('when %s, then they are shown only where the user alone would have them', (_, global, theirs, isShown) => {
    expect(resolveScope({ global, project: theirs }, HOST).showsTitles).toBe(isShown);
  });

  it('when the user has said yes and the project is still to be read, then none is shown', () => {
    const late = { project: '/p', isFirst: true };
    expect(resolveScope({ global: own(true), project: null, late }, HOST).showsTitles).toBe(false);
  });

  it('when a project says yes, then a word at its place says that it may not, and no yes of the user is asked for', () => {
    const { problems, kept } = resolveScope({ global: null, project: project(sessions(true)) }, HOST);
    expect([problems, kept]).toEqual([
      [
        {
          ...{ severity: 'warning', code: 'titles.not_a_projects', path: PATH, line: 3, column: 15 },
          message: expect.stringContaining('sessions.titles may only be turned on in your own file'),
        },
      ],
      [],
    ]);
  });
});
