import { join } from 'node:path';
import { checkQuote } from '../../council/findings/quote';
import type { Checked } from '../../council/said/calls';
import { open } from '../base/disk';
import { realInside } from '../base/inside';
import { isSecretFile } from './secrets';

/** Of a file that is longer nothing is looked up, in bytes. */
const FILE_MAX_BYTES = 4_194_304;

/** Looks up quotes in a repository. What leads out of it, and what holds secrets, is not read. Never rejects. */
export function quotesOf(
  repo: string | null,
): (place: Readonly<{ file: string; line: number; quote: string }>) => Promise<Checked> {
  return async ({ file, line, quote }) => {
    const text = repo === null || isSecretFile(file) ? null : await readInside(repo, file);
    return text === null ? { check: 'unread', at: null } : checkQuote(text, { quote, line });
  };
}

async function readInside(repo: string, file: string): Promise<string | null> {
  try {
    const real = await realInside(repo, join(repo, file));
    if (real === null) return null;
    const handle = await open(real, 'r');
    try {
      const info = await handle.stat();
      if (!info.isFile() || info.size > FILE_MAX_BYTES) return null;
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
