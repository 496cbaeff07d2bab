import { describe, expect, it } from 'vitest';
import { findPlugins } from '../../../src/core/edits/plugin-edit';
import { neighbourWarnings } from '../../../src/core/providers/neighbours';

describe('given OpenCode’s list of plugins', () => {
  it.each<[unknown, string, RegExp]>([
    [
      'oh-my-opencode-slim',
      'oh-my-opencode-slim',
      /set "fallback": \{ "enabled": false \} in oh-my-opencode-slim\.json\.$/,
    ],
    ['oh-my-opencode-slim@2.2.24', 'oh-my-opencode-slim', /in oh-my-opencode-slim\.json/],
    ['oh-my-opencode-theseus', 'oh-my-opencode-theseus', /in oh-my-opencode-theseus\.json/],
    ['oh-my-opencode@latest', 'oh-my-opencode', /"runtime_fallback": \{ "enabled": false \}/],
    [['oh-my-openagent', {}], 'oh-my-openagent', /"model_fallback": false/],
    [
      'opencode-rate-limit-fallback',
      'opencode-rate-limit-fallback',
      /remove opencode-rate-limit-fallback from "plugin"/,
    ],
    ['@azumag/opencode-rate-limit-fallback', 'opencode-rate-limit-fallback', /from "plugin"/],
    ['opencode-rate-limit', 'opencode-rate-limit', /from "plugin"/],
    ['opencode-fallback@1.2.0', 'opencode-fallback', /from "plugin"/],
    ['file:///home/u/opencode-model-fallback/dist/index.js', 'opencode-model-fallback', /from "plugin"/],
    ['file:///C:/Users/u/plugins/rate-limit-fallback.ts', 'rate-limit-fallback', /from "plugin"/],
    ['C:\\plugins\\opencode-model-fallback.js', 'opencode-model-fallback', /from "plugin"/],
  ])('when %j is in it, then one sentence names it and what to do', (spec, name, what) => {
    const warnings = neighbourWarnings(['opencode-wakatime', spec, spec]);
    expect(warnings).toEqual([expect.stringMatching(what)]);
    expect(warnings[0]).toMatch(new RegExp(`^${name} also switches models after failures`));
  });

  it.each<[unknown]>([
    [['file:///home/u/.local/state/understudy/plugin/opencode-understudy.js']],
    [['file:///home/u/model-fallbacks/notes.js', 'opencode-wakatime', 'oh-my-opencode-dashboard']],
    [undefined],
    ['oh-my-opencode'],
    [[1, null, [], [{}]]],
  ])('when it is %j, then nothing is said', (plugins) => {
    expect(neighbourWarnings(plugins)).toEqual([]);
  });

  it('when a configuration names them, then the same ones are rivals as are warned of', () => {
    const plugins = ['oh-my-opencode-dashboard', 'oh-my-opencode-slim@2', 'opencode-failover', 'opencode-wakatime'];
    expect(findPlugins(JSON.stringify({ plugin: plugins }))).toMatchObject({
      ok: true,
      finding: { rivals: ['oh-my-opencode-slim@2', 'opencode-failover'] },
    });
  });
});
