import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/node/opencode';
import { companionFolder } from '../../src/node/setup/companion-files';
import { copyCompanion } from '../support/built-companion';
import { opencode2Binary, openRealStage, type RealStage } from '../support/opencode2/real';
import { openStage, type Stage } from '../support/stage';

const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

describe('given an OpenCode whose configuration names no plugin, and the companion’s files copied into its project', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage([]);
  });
  afterAll(() => stage?.close());

  for (const folders of [['plugins'], ['plugin'], ['plugin', 'plugins']])
    it(`when it lies in .opencode under ${JSON.stringify(folders)}, then a failing turn is moved, once`, {
      tags: ['nightly'],
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids, chain } = await stage.makeCase({ defaults: { cooldownMs: 300_000 } });
      for (const name of folders) await copyCompanion(join(directory, '.opencode', name));
      provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }]);
      provider.script(ids[1] ?? '', [ANSWER]);
      const app = await stage.openApp();
      const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
      const lead = ({ model }: { model: string }) => model === chain[0];
      const { models } = await app.until((seen) => seen.models.some((row) => lead(row) && row.state === 'cooling'));
      await app.close();
      expect([textOf(answer), ...ids.map((id) => provider.requests(id).length)]).toEqual([ANSWER.text, 1, 1]);
      expect(models.filter(lead)).toHaveLength(1);
    });
});

describe.skipIf(opencode2Binary().path === '')('given a real OpenCode 2 whose configuration names no plugin', () => {
  let two: RealStage;
  beforeAll(async () => {
    two = await openRealStage(null);
  });
  afterAll(() => two?.close());

  it('when the companion is copied into its .opencode/plugins, then a failing turn is moved', async () => {
    const { directory, ids } = await two.makeCase({ defaults: { cooldownMs: 300_000 } });
    await copyCompanion(join(directory, '.opencode', 'plugins'));
    two.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }]);
    two.provider.script(ids[1] ?? '', [ANSWER]);
    const seat = await two.sitIn(directory);
    const ended = await seat.ask('One');
    expect([ended, ...ids.map((id) => two.provider.requests(id).length)]).toEqual(['succeeded', 1, 1]);
    expect((await seat.said()).join()).toContain(ANSWER.text);
  });

  it('when the companion stands in the list "plugin" that OpenCode 1 reads, then it is loaded from there too', async () => {
    const { directory, ids } = await two.makeCase({
      config: { plugin: [pathToFileURL(companionFolder(two.home)).href] },
    });
    two.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }]);
    two.provider.script(ids[1] ?? '', [ANSWER]);
    const seat = await two.sitIn(directory);
    expect([await seat.ask('One'), ...ids.map((id) => two.provider.requests(id).length)]).toEqual(['succeeded', 1, 1]);
  });
});
