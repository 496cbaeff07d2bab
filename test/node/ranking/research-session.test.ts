import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askResearch, type ResearchOptions } from '../../../src/features/ranking/node/research-session';
import { writeProgram } from '../../support/write-program';
import { tempFolder } from '../temp-folder';

/** What the stand-in does when it is run; it writes down what it was told, one argument or variable a line. */
type Stand = Readonly<{ version?: string; events?: readonly object[]; hangs?: boolean }>;

async function open({ version = '1.18.34', events = [], hangs = false }: Stand) {
  const folder = await tempFolder();
  const program = join(folder, 'opencode');
  const notes = join(folder, 'notes');
  writeProgram(
    program,
    [
      '#!/bin/sh',
      `if [ "$1" = --version ]; then echo ${version}; exit; fi`,
      `printf '%s\\n' "$@" >> '${notes}'`,
      `printf 'content=%s\\n' "$OPENCODE_CONFIG_CONTENT" >> '${notes}'`,
      'if [ "$1" = session ]; then exit; fi',
      ...events.map((event) => `echo '${JSON.stringify(event)}'`),
      ...(hangs ? ['exec sleep 300'] : []),
      '',
    ].join('\n'),
  );
  const ask = (more: Partial<ResearchOptions> = {}) =>
    askResearch({
      prompt: 'Find.\nAll of it.',
      model: 'a/one',
      directory: folder,
      ...more,
      env: { PATH: process.env.PATH, OPENCODE_BIN: program, ...more.env },
    });
  const noted = async () => (await readFile(notes, 'utf8').catch(() => '')).trim().split('\n');
  const content = async () => {
    const line = (await noted()).find((one) => one.startsWith('content='));
    return JSON.parse(line?.slice('content='.length) ?? '') as { agent: Record<string, { permission: object }> };
  };
  return { ask, noted, content };
}

const text = (words: string) => ({ type: 'text', sessionID: 'ses_1', part: { text: words } });
const finish = { type: 'step_finish', sessionID: 'ses_1', part: { cost: 0.25 } };

describe.skipIf(process.platform === 'win32')('given a stand-in for OpenCode 1', () => {
  it('when it answers in two steps, then its words and what they cost come back, and the session is removed', async () => {
    const { ask, noted } = await open({ events: [text('First.'), finish, text('Then.'), finish] });
    expect(await ask()).toEqual({ ok: true, text: 'First.\nThen.', cost: 0.5 });
    const lines = (await noted()).filter((line) => !line.startsWith('content='));
    expect(lines.join(' ')).toMatch(
      /^run --pure --format json --title Understudy research --agent understudy-research-[\da-f-]{36} --model a\/one Find\. All of it\. session delete ses_1 --pure$/,
    );
  });

  it('when it is asked, then its agent may search and read pages, and do nothing else', async () => {
    const { ask, content } = await open({ events: [text('Yes.')] });
    await ask({ tools: ['exa_*', 'kagi_search'] });
    const [[name = '', agent] = []] = Object.entries((await content()).agent);
    // A project that knew it could add to what it may do.
    expect(name).toMatch(/^understudy-research-[\da-f-]{36}$/);
    const { permission } = agent ?? {};
    // The last rule that fits counts.
    expect(Object.entries(permission ?? {})).toEqual([
      ['*', 'deny'],
      ['websearch', 'allow'],
      ['webfetch', 'allow'],
      ['exa_*', 'allow'],
      ['kagi_search', 'allow'],
    ]);
  });

  it('when its user has a configuration in the environment, then that stays', async () => {
    const { ask, content } = await open({ events: [text('Yes.')] });
    const theirs = { model: 'b/two', agent: { own: { mode: 'primary' } } };
    await ask({ env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(theirs) } });
    const given = await content();
    expect(given).toMatchObject(theirs);
    expect(Object.keys(given.agent)).toEqual(['own', expect.stringMatching(/^understudy-research-/)]);
  });

  it('when the model fails, then the reason is said without its secrets, and the session is removed', async () => {
    const data = { message: 'Bad key sk-abcdefghijklmnop', statusCode: 401 };
    const { ask, noted } = await open({
      events: [{ type: 'error', sessionID: 'ses_1', error: { name: 'APIError', data } }],
    });
    expect(await ask()).toEqual({ ok: false, code: 'failed', reason: '401: Bad key [key]' });
    expect(await noted()).toContain('delete');
  });

  it('when it ends without a word, then that is said', async () => {
    const { ask } = await open({ events: [finish] });
    expect(await ask()).toEqual({ ok: false, code: 'failed', reason: 'OpenCode ended without an answer.' });
  });

  it('when a person stops it, then it ends at once', async () => {
    const { ask, noted } = await open({ hangs: true });
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal });
    await expect.poll(async () => (await noted()).at(-1)).toMatch(/^content=/);
    stop.abort();
    expect(await asked).toEqual({ ok: false, code: 'stopped', reason: 'Stopped before the answer.' });
  });

  it('when it takes longer than the limit, then it is late', async () => {
    const { ask } = await open({ hangs: true });
    expect(await ask({ limitMs: 300 })).toMatchObject({ ok: false, code: 'late' });
  });

  it.each(['bash', '*', 'b*', 'read', 'exa_search *'])(
    'when %j is named as a search tool, then nothing is asked',
    async (tool) => {
      const { ask, noted } = await open({ events: [text('Yes.')] });
      expect(await ask({ tools: [tool] })).toMatchObject({ ok: false, code: 'refused' });
      expect(await noted()).toEqual(['']);
    },
  );
});

describe.skipIf(process.platform === 'win32')('given a stand-in for OpenCode 2', () => {
  it('when it is the only one, then it is not asked: its tools could not be kept from it', async () => {
    const { ask, noted } = await open({ version: '2.0.15', events: [text('Yes.')] });
    expect(await ask()).toMatchObject({ ok: false, code: 'refused', reason: expect.stringContaining('OpenCode 1') });
    expect(await noted()).toEqual(['']);
  });
});
