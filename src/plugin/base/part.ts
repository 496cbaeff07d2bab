import { countError } from '../../core/base/internal-errors';

type Part = 'councils' | 'fleets' | 'session reports' | 'status lines';

const missing = new Set<Part>();

/** Null if the file cannot be loaded; the feature is then off. Never rejects. */
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

export const INCOMPLETE =
  'Files of Understudy are missing or damaged, so OpenCode works without it. To repair it, run understudy install and restart OpenCode.';

export const missingPart = (part: Part): string =>
  `Understudy cannot load its file for ${part}, so they are unavailable in this OpenCode. To repair it, run understudy install and restart OpenCode.`;
