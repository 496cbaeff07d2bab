import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliParts } from '../../src/cli/parts';
import { keepModels } from '../../src/node/base/kept-models';
import { cliUser } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const TEXT = `{
  // Who speaks.
  "council": {
    "speakers": {
      "grok": { "model": "xai/grok-beta", "fallback": null } // As ever.
    },
    "maxCost": 1
  }
}
`;
const YAML = `ai_models:
  claude: { model: anthropic/claude-sonnet-4, fallback: anthropic/claude-3-5-sonnet }
  grok: { model: xai/grok-beta, fallback: null }
latency: { blacksmith_timeout_ms: 2500 }
`;
const AFTER = `{
  // Who speaks.
  "council": {
    "speakers": {
      "grok": { "model": "xai/grok-beta", "fallback": null }, // As ever.
      "claude": { "model": "anthropic/claude-sonnet-4", "fallback": "anthropic/claude-3-5-sonnet" }
    },
    "maxCost": 1,
    "latency": { "blacksmith_timeout_ms": 2500 }
  }
}
`;

/** A user with a file of the published design in their project. */
async function importer(files: Readonly<Record<string, string>> = {}) {
  const user = await cliUser({ [OWN]: TEXT, 'project/config.yml': YAML, ...files });
  const own = () => readFile(join(user.root, OWN), 'utf8');
  const take = (args: readonly string[] = [], change: Partial<CliParts> = {}) =>
    user.run(['data', 'import', 'config.yml', '--council', ...args], change);
  return { ...user, own, take };
}

describe('given a file with ai_models', () => {
  it('when it is imported, then the user’s own file has its speakers, with its comments, and one undo takes it back', async () => {
    const { own, take, run, root } = await importer({
      'project/.opencode/model-fallback.json': '{ "council": { "maxCost": 1 } }\n',
    });
    const { code, said } = await take(['--yes', '--json']);
    expect([code, await own()]).toEqual([0, AFTER]);
    const answer = JSON.parse(said) as { receipt: string };
    expect(answer).toMatchObject({ ok: true, changed: true, path: `~/${OWN}`, left: [], notes: [], doubts: [] });
    expect(await readFile(join(root, 'project/.opencode/model-fallback.json'), 'utf8')).toBe(
      '{ "council": { "maxCost": 1 } }\n',
    );
    expect((await run(['config', 'changes'])).said).toContain('import the council of config.yml');
    expect((await run(['config', 'undo', answer.receipt, '--yes'])).code).toBe(0);
    expect(await own()).toBe(TEXT);
  });

  it('when nobody has said yes, then the exact difference is shown at a terminal, and nothing is written without one', async () => {
    const { own, take } = await importer();
    const asked: string[] = [];
    const ask = async (question: string): Promise<boolean> => {
      asked.push(question);
      return false;
    };
    const no = await take([], { isTerminal: true, ask });
    expect([no.code, asked.length, no.said]).toEqual([
      5,
      1,
      expect.stringContaining('+      "claude": { "model": "anthropic/claude-sonnet-4"'),
    ]);
    const alone = await take();
    expect([alone.code, alone.said]).toEqual([5, expect.stringContaining('Check with --dry-run, then add --yes.')]);
    const dry = await take(['--dry-run']);
    expect([dry.code, dry.said]).toEqual([
      0,
      expect.stringContaining('+    "latency": { "blacksmith_timeout_ms": 2500 }'),
    ]);
    expect(await own()).toBe(TEXT);
  });

  it('when it is imported a second time, then nothing has to be changed', async () => {
    const { own, take } = await importer();
    await take(['--yes']);
    const again = await take(['--yes']);
    expect([again.code, again.said, await own()]).toEqual([
      0,
      `~/${OWN} already has this. Nothing was changed.`,
      AFTER,
    ]);
  });

  it('when a speaker stands there otherwise, then it is told and left; with --force each of its keys is written over', async () => {
    const otherwise = TEXT.replace(
      '"xai/grok-beta", "fallback": null',
      '/* mine */ "xai/grok-4", "fallback": "xai/grok-3"',
    );
    const { own, take } = await importer({
      [OWN]: otherwise,
      'project/config.yml': YAML.replace(', fallback: null', ''),
    });
    const left = await take(['--yes']);
    expect([left.code, left.said]).toEqual([
      0,
      expect.stringContaining(
        'council.speakers.grok has another value in ~/config/opencode/model-fallback.json. It stays. To replace it, add --force',
      ),
    ]);
    expect(await own()).toContain('"grok": { "model": /* mine */ "xai/grok-4", "fallback": "xai/grok-3" }');
    const nothing = await take(['--yes', '--json']);
    expect([nothing.code, nothing.said]).toEqual([
      5,
      expect.stringContaining('Nothing was changed. To replace it, add --force'),
    ]);
    expect((await take(['--yes', '--force'])).code).toBe(0);
    expect(await own()).toContain('"grok": { "model": /* mine */ "xai/grok-beta" }, // As ever.');
  });

  it('when there is no file of one’s own yet, then --create makes it, and undo removes it', async () => {
    const { take, run, root } = await importer();
    const env = { UNDERSTUDY_HOME: join(root, 'u'), XDG_CONFIG_HOME: join(root, 'none'), PATH: '' };
    const without = await take(['--yes'], { env });
    expect([without.code, without.said]).toEqual([5, expect.stringMatching(/there is no such file.* add --create\.$/)]);
    expect((await take(['--yes', '--create'], { env })).code).toBe(0);
    const made = join(root, 'none', 'opencode', 'model-fallback.json');
    expect(JSON.parse(await readFile(made, 'utf8'))).toMatchObject({
      council: { speakers: { claude: { model: 'anthropic/claude-sonnet-4' } } },
    });
    expect((await run(['config', 'undo', '--yes'], { env })).code).toBe(0);
    await expect(readFile(made)).rejects.toThrow('ENOENT');
  });

  it('when a fallback is of another vendor, then it is refused by name with its place, and nothing is written', async () => {
    const { own, take } = await importer({
      'project/config.yml': YAML.replace('anthropic/claude-3-5-sonnet', 'google/gemini-2.5-pro'),
    });
    const { code, said } = await take(['--yes', '--force']);
    expect([code, said]).toEqual([
      5,
      '~/project/config.yml:2:57: claude: Cannot fallback across vendors (anthropic → google). Fallbacks must stay within model family.\nNothing was changed.',
    ]);
    expect(await own()).toBe(TEXT);
  });

  it('when OpenCode has not one of its models, then that is a warning with what may have been meant', async () => {
    const { own, take, home, root } = await importer();
    const models = ['anthropic/claude-sonnet-4', 'anthropic/claude-3-5-sonett', 'xai/grok-beta'];
    await keepModels(home, join(root, 'project'), { leads: {}, defaultModel: null, models, catalogue: {} });
    const { code, said } = await take(['--yes']);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(
        'Warning: claude: OpenCode has no model "anthropic/claude-3-5-sonnet". Did you mean "anthropic/claude-3-5-sonett"? Runs will be refused for it.',
      ),
    ]);
    expect(await own()).toBe(AFTER);
  });

  it('when it says things that are not read, then each is told', async () => {
    const { take } = await importer({ 'project/config.yml': `${YAML}theme: dark\n` });
    expect((await take(['--yes'])).said).toMatch(/^theme is ignored\.\n/);
    expect(JSON.parse((await take(['--dry-run', '--json'])).said)).toMatchObject({ notes: ['theme is ignored.'] });
  });
});

describe('given what is no such file', () => {
  it.each<readonly [string, (root: string) => Promise<unknown>, string]>([
    ['nothing', async () => undefined, 'There is no file ~/project/other.yml.'],
    ['a folder', (root) => mkdir(join(root, 'project/other.yml')), 'it is not a file'],
    ['a device', (root) => symlink('/dev/zero', join(root, 'project/other.yml')), 'it is not a file'],
    [
      'a large file',
      (root) => writeFile(join(root, 'project/other.yml'), 'a'.repeat(65_537)),
      'it is larger than 64 kB',
    ],
    [
      'bytes',
      (root) => writeFile(join(root, 'project/other.yml'), Buffer.from([0xff, 0xfe, 0x80])),
      'it is not UTF-8 text',
    ],
    ['escapes', (root) => writeFile(join(root, 'project/other.yml'), 'ai_models: { "a\\e[2Jb": 1 }'), 'must be a name'],
  ])('when it is %s, then it is refused with the reason', async (_, make, says) => {
    const { run, root, own } = await importer();
    await make(root);
    const { code, said } = await run(['data', 'import', 'other.yml', '--council', '--yes']);
    expect([code, said, said.includes('\u001b')]).toEqual([5, expect.stringContaining(says), false]);
    expect(await own()).toBe(TEXT);
  });

  it('when the user’s own file cannot be edited, then that is refused with the place', async () => {
    const { take, own } = await importer({ [OWN]: '{ "council": { "speakers": [] } }' });
    const { code, said } = await take(['--yes', '--force']);
    expect([code, said]).toEqual([5, expect.stringContaining(`~/${OWN}:1:28: council.speakers must be an object`)]);
    expect(await own()).toBe('{ "council": { "speakers": [] } }');
  });
});
