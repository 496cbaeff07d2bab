import { describe, expect, it, onTestFinished } from 'vitest';
import { openCore } from '../../../src/node/open-core';
import {
  keepRequestsSeen,
  keepVerdict,
  readStored,
  readVerdicts,
  requestsSeenIn,
} from '../../../src/node/setup/host-abilities';
import { attentionOf } from '../../../src/wording/attention';
import { attentionTitle } from '../../../src/wording/attention-words';
import { connectCompanion } from '../../cli/real-cli';
import { COMPANION } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';

describe('given an OpenCode in which a check has found that turns do not move', () => {
  it('when it is open, then that is said first, whoever it may be that would stand in, until it is found to be otherwise', async () => {
    const home = await tempFolder();
    const core = await openCore({ version: '0.1.0', runtime: 'test', env: { UNDERSTUDY_HOME: home } });
    onTestFinished(() => core.close());
    await connectCompanion(home);
    const kinds = async () => attentionOf(await core.host.handlers['snapshot.get'](null)).map(({ kind }) => kind);
    expect(await kinds()).not.toContain('unmoved');
    const { opencode, plugin } = COMPANION;
    await keepVerdict(home, { opencode, plugin, build: 'a', broken: ['moves', 'asks'], at: 1 });
    await patiently(async () => expect(await kinds()).toContain('unmoved'));
    const snapshot = await core.host.handlers['snapshot.get'](null);
    expect(snapshot.instances.map(({ moves }) => moves)).toEqual(['watch']);
    const item = attentionOf(snapshot).find(({ kind }) => kind === 'unmoved');
    expect(item && attentionTitle(item, snapshot)).toContain(`OpenCode ${opencode} cannot continue a failing turn`);
    await keepVerdict(home, { opencode, plugin, build: 'b', broken: [], at: 2 });
    await patiently(async () => expect(await kinds()).not.toContain('unmoved'));
  });
});

describe('given companions that have seen requests of two providers', () => {
  it('when one is seen in another way, then that counts, the panel shows it, and what was found of OpenCode stays', async () => {
    const home = await tempFolder();
    const verdict = { opencode: '1.18.34', plugin: '0.1.0', broken: [], at: 1 };
    await keepRequestsSeen(home, 'acme', 'fetch');
    await keepVerdict(home, verdict);
    await keepRequestsSeen(home, 'other', 'none');
    await keepRequestsSeen(home, 'acme', 'login');
    expect([[...requestsSeenIn(await readStored(home))], await readVerdicts(home)]).toEqual([
      [
        ['other', 'none'],
        ['acme', 'login'],
      ],
      [verdict],
    ]);
    const next = { ...verdict, opencode: '1.17.19' };
    await Promise.all([keepVerdict(home, next), keepRequestsSeen(home, 'third', 'fetch')]);
    expect([requestsSeenIn(await readStored(home)).size, await readVerdicts(home)]).toEqual([3, [next, verdict]]);
  });
});
