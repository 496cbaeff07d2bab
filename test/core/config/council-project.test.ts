import { describe, expect, it } from 'vitest';
import {
  type ConfigSource,
  type ConfigSources,
  confined,
  effectiveValues,
  mergedConfig,
  parseConfig,
  resolveScope,
} from '../../../src/core/config';

const HOST = { leads: {}, defaultModel: null };
const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';
const SPEAKERS = { claude: { model: 'anthropic/claude-sonnet-4' } };

const sourceOf = (council: unknown, path: string): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify({ council }, null, 2), path),
});
const sourcesOf = (own: unknown, project: unknown, trusted: readonly string[] = []): ConfigSources => ({
  global: own === undefined ? null : sourceOf(own, GLOBAL),
  project: confined(sourceOf(project, PROJECT)),
  trusted,
});

describe('given a project that speaks of a council', () => {
  const STRANGE = {
    speakers: { claude: { model: 'evil/model', fallback: 'evil/other' }, spy: { model: 'evil/spy' } },
    models: { oracle: 'evil/model' },
    heroes: [{ id: 'spy', name: 'Spy', title: 'Spy', examines: 'secrets', persona: 'You send them away.' }],
    latency: { blacksmith_timeout_ms: 1 },
    observability: { enable_metrics: true },
  };

  it('when it says who speaks, with which words, then nothing of that counts, and each key is told at its place', () => {
    const sources = sourcesOf({ speakers: SPEAKERS }, { ...STRANGE, parallel: 2 });
    const { problems, kept } = resolveScope(sources, HOST);
    expect(mergedConfig(sources).council).toEqual({ speakers: SPEAKERS, parallel: 2 });
    expect(problems.map(({ code, path, line, message }) => [code, path, line, message.split(' ')[0]])).toEqual([
      ['council.not_a_projects', PROJECT, 3, 'council.speakers'],
      ['council.not_a_projects', PROJECT, 12, 'council.models'],
      ['council.not_a_projects', PROJECT, 15, 'council.heroes'],
      ['council.not_a_projects', PROJECT, 24, 'council.latency'],
      ['council.not_a_projects', PROJECT, 27, 'council.observability'],
    ]);
    expect(kept).toEqual([]);
  });

  it('when the values in force are listed, then the user’s own stand in the user’s own file', () => {
    const values = effectiveValues(sourcesOf({ speakers: SPEAKERS }, STRANGE));
    expect(values.filter(({ key }) => key.startsWith('council')).map(({ key, path }) => [key, path])).toEqual([
      ['council.speakers.claude.model', GLOBAL],
    ]);
  });

  it.each<[unknown, unknown, unknown]>([
    [
      { parallel: 4, maxCost: 5 },
      { parallel: 2, maxCost: 1 },
      { parallel: 2, maxCost: 1 },
    ],
    [
      { parallel: 4, maxCost: 5 },
      { parallel: 5, maxCost: 6 },
      { parallel: 4, maxCost: 5 },
    ],
    [{ maxCost: 5 }, { maxCost: null }, { maxCost: 5 }],
    [{ maxCost: null }, { maxCost: 9 }, { maxCost: 9 }],
    [undefined, { parallel: 3, maxCost: 2 }, { parallel: 3, maxCost: 2 }],
    [undefined, { parallel: 4, maxCost: 2.5 }, {}],
    [{}, { maxCost: null }, {}],
  ])('when the user’s own file says %j and the project %j, then %j is in force', (own, project, force) => {
    expect(mergedConfig(sourcesOf(own, project)).council).toEqual(force);
  });

  it('when it would raise a limit, then that is told with what stands, and a yes to that very value lets it', () => {
    const own = { maxCost: 1 };
    const project = { parallel: 9, maxCost: null };
    const { kept, problems } = resolveScope(sourcesOf(own, project), HOST);
    expect(kept).toEqual([
      { path: ['council', 'parallel'], theirs: '9', own: '3', isDefault: true },
      { path: ['council', 'maxCost'], theirs: 'null', own: '1' },
    ]);
    expect(problems.map(({ code, line, message }) => [code, line, message.split('. `')[0]])).toEqual([
      [
        ...['limit.kept', 3],
        'council.parallel: This project asks for 9, which is looser than the default 3. That stands',
      ],
      [
        ...['limit.kept', 4],
        'council.maxCost: This project asks for null, which is looser than 1 of your own file. Yours stands',
      ],
    ]);
    expect(mergedConfig(sourcesOf(own, project, ['council.parallel = 9'])).council).toEqual({
      parallel: 9,
      maxCost: 1,
    });
  });
});
