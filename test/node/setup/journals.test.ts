import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyWrite, planUndo, planWrite } from '../../../src/node/config/config-write';
import { companionPath } from '../../../src/node/setup/companion-files';
import type { SetupPlace } from '../../../src/node/setup/install';
import { readJournals } from '../../../src/node/setup/journals';
import { tempFolder } from '../temp-folder';

const OPENCODE = 'config/opencode/opencode.json';

/** A user with three Understudies: the usual one, this one, and one that OpenCode’s configuration names. */
async function user(named: readonly string[] = ['other']) {
  const root = await tempFolder();
  const at = (name: string) => join(root, name);
  const addresses = named.map((home) => pathToFileURL(companionPath(at(home))).href);
  await mkdir(dirname(at(OPENCODE)), { recursive: true });
  await writeFile(at(OPENCODE), JSON.stringify({ plugin: addresses }));
  const env = {
    PATH: '',
    HOME: root,
    XDG_STATE_HOME: at('state'),
    XDG_CONFIG_HOME: at('config'),
    UNDERSTUDY_HOME: at('u'),
  };
  const place: SetupPlace = { env, home: at('u'), directory: at('project'), source: at('none') };
  /** One Understudy writes a file of the user’s. */
  const write = async (home: string, name: string): Promise<void> => {
    const edit = () => ({ ok: true as const, text: `{ "by": "${home}" }\n` });
    const planned = await planWrite({ path: at(name), edit, create: '{}\n', actor: 'test', deed: `write ${name}` });
    if (!planned.ok) throw new Error(planned.reason);
    await applyWrite(planned.plan, at(home));
  };
  return { at, place, write };
}

describe('given several Understudies of one user', () => {
  it('when what was written is asked for, then the writes of all of them are listed, the latest first, each with its home', async () => {
    const { at, place, write } = await user();
    await write('state/understudy', 'one.json');
    await write('u', 'two.json');
    await write('other', 'three.json');
    const { homes, lost, receipts } = await readJournals(place);
    expect([homes, lost]).toEqual([[at('u'), at('state/understudy'), at('other')], []]);
    expect(receipts.map(({ deed, home }) => [deed, home])).toEqual([
      ['write three.json', at('other')],
      ['write two.json', at('u')],
      ['write one.json', at('state/understudy')],
    ]);
  });

  it('when the write of another one is taken back, then its backup serves', async () => {
    const { at, place, write } = await user();
    await writeFile(at('a.json'), 'before\n');
    await write('other', 'a.json');
    const [receipt] = (await readJournals(place)).receipts;
    const planned = await planUndo(receipt?.id ?? '', receipt?.home ?? '', 'test');
    if (!planned.ok) throw new Error(planned.reason);
    await applyWrite(planned.plan, place.home);
    expect(await readFile(at('a.json'), 'utf8')).toBe('before\n');
  });

  it('when one that is named is gone, then it is said that nothing is known of it', async () => {
    const { at, place } = await user(['gone']);
    expect(await readJournals(place)).toEqual({ homes: [at('u')], lost: [at('gone')], receipts: [] });
  });

  it('when a project names one, or others can write into one, then its list counts for nothing', async () => {
    const { at, place, write } = await user(['open']);
    await write('open', 'a.json');
    await write('strangers', 'b.json');
    await chmod(at('open'), 0o777);
    await mkdir(at('project'), { recursive: true });
    const stranger = pathToFileURL(companionPath(at('strangers'))).href;
    await writeFile(at('project/opencode.json'), JSON.stringify({ plugin: [stranger] }));
    expect((await readJournals(place)).receipts).toEqual([]);
    await rm(at('project'), { recursive: true });
  });
});
