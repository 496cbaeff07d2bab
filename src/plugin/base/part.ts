import { countError } from '../../core/base/internal-errors';

type Part = 'councils' | 'fleets' | 'session reports' | 'status lines';

/** Parts that this process could not load: each is reported once. */
const missing = new Set<Part>();

/** @returns what is behind a part; null where its file cannot be loaded: then its feature is off, and the user reads why. Never rejects. */
export async function loadPart<T>(
  part: Part,
  load: () => Promise<T>,
  warn: (message: string) => void,
): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    countError(`part for ${part}`, error);
    if (!missing.has(part)) warn(missingPart(part));
    missing.add(part);
    return null;
  }
}

/** Without the generation's own file there is no companion. */
export const INCOMPLETE =
  'Files of Understudy are missing or damaged, so OpenCode works without it. To repair it, run understudy install and restart OpenCode.';

export const missingPart = (part: Part): string =>
  `Understudy cannot load its file for ${part}, so there are none in this OpenCode. To repair it, run understudy install and restart OpenCode.`;
