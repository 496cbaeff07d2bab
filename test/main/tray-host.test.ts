import { describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../src/main/tray-host';

type Answers = Readonly<{ gdbus?: string; busctl?: string }>;

async function ask(platform: NodeJS.Platform, answers: Answers) {
  const asked: string[] = [];
  const isThere = await hasTrayHost(platform, async (command) => {
    asked.push(command);
    return answers[command as keyof Answers] ?? null;
  });
  return { isThere, asked };
}

describe('given the question whether a tray icon will be seen', () => {
  it.each<[NodeJS.Platform, Answers, boolean, string[]]>([
    ['darwin', {}, true, []],
    ['win32', {}, true, []],
    ['linux', { gdbus: '(<true>,)\n' }, true, ['gdbus']],
    ['linux', { gdbus: '(<false>,)\n', busctl: 'b true\n' }, false, ['gdbus']],
    ['linux', { busctl: 'b true\n' }, true, ['gdbus', 'busctl']],
    ['linux', { busctl: 'b false\n' }, false, ['gdbus', 'busctl']],
    ['linux', {}, false, ['gdbus', 'busctl']],
  ])('when %s answers %j, then it is %s', async (platform, answers, isThere, asked) => {
    expect(await ask(platform, answers)).toEqual({ isThere, asked });
  });
});
