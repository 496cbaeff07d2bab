import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hearWords, runFolder, sendWord } from '../../../src/features/council/node/run-folder';
import type { PersonWord } from '../../../src/features/council/rules/state/schema';
import { beginWritten, FIRST_RUN, runsHome } from '../../support/council-home';

const STOP: PersonWord = { type: 'run.stopped', actor: 'you' };

describe('given an inbox that holds bytes that are no text', () => {
  it.each([
    ['without an end', Buffer.alloc(600, 0xff)],
    ['with an end', Buffer.from([...Buffer.alloc(600, 0xc3), 0x0a])],
    ['of half a letter', Buffer.from([0x7b, 0xe2, 0x82])],
    ['of half a word', Buffer.from('{"type":"run.sto')],
  ])('when they are bytes %s, then a stop is heard, whether they came before or while it is read', async (_, bytes) => {
    const home = join(await runsHome(), 'u');
    await beginWritten(home, FIRST_RUN);
    const inbox = join(runFolder(home, FIRST_RUN), 'inbox.jsonl');
    await appendFile(inbox, bytes);
    expect(await sendWord(home, FIRST_RUN, STOP)).toMatchObject({ ok: true });
    const words: PersonWord[] = [];
    onTestFinished(hearWords(home, FIRST_RUN, 0, (word) => words.push(word)));
    await expect.poll(() => words).toEqual([STOP]);
    await appendFile(inbox, bytes);
    expect(await sendWord(home, FIRST_RUN, STOP)).toMatchObject({ ok: true });
    await expect.poll(() => words).toEqual([STOP, STOP]);
  });
});
