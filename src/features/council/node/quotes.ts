import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { open } from '../../../node/base/disk';
import { realInside } from '../../../node/base/inside';
import type { CouncilHost } from '../core/host';
import { inPieces } from '../rules/base/pieces';
import { checkQuote, foldText } from '../rules/findings/quote';
import type { Checked } from '../rules/said/calls';
import { isSecretFile } from './secrets';

/** Larger files are not searched. */
const FILE_MAX_BYTES = 4_194_304;

/** Skips paths outside the repository and files with secrets. Never rejects; yields after some ms. */
export function quotesOf(repo: string | null): CouncilHost['check'] {
  return async (places) => {
    const checks: (Checked | null)[] = places.map(() => null);
    for (const file of new Set(places.flatMap((place) => place?.file ?? []))) {
      const text = repo === null || isSecretFile(file) ? null : await readInside(repo, file);
      await turn();
      const folded = text === null ? null : await inPieces(foldText(text), turn);
      for (const [at, place] of places.entries())
        if (place?.file === file)
          checks[at] =
            folded === null ? { check: 'unread', at: null } : await inPieces(checkQuote(folded, place), turn);
    }
    return checks;
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
    // silent: a quote of a file that cannot be read is reported as not found
    return null;
  }
}
