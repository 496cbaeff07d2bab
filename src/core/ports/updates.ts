import * as z from 'zod';
import { isNewerVersion } from '../base/versions';

export type UpdateFacts = Readonly<{
  platform: string;
  arch: string;
  isPackaged: boolean;
  releases: string;
}>;

/** `itself` installs the version at the next start; `page` only reports it. `ask` names the newest version. */
export type UpdateWay = Readonly<{ way: 'itself' | 'page'; ask: string }> | Readonly<{ way: 'none'; why: string }>;

export function updateWay({ platform, arch, isPackaged, releases }: UpdateFacts): UpdateWay {
  const none = (why: string): UpdateWay => ({ way: 'none', why });
  if (!isPackaged) return none('it was started from its sources');
  if (platform === 'linux') return none('on Linux your package manager updates it');
  if (!releases.startsWith('https://')) return none('this build has no releases page');
  if (platform !== 'darwin' && platform !== 'win32') return none('there are no packages for this system');
  const ask = `${releases}/latest/download/update-${platform}-${arch}.json`;
  return { way: platform === 'darwin' ? 'itself' : 'page', ask };
}

const Offer = z.object({ version: z.string().max(30), url: z.string().max(500) });
export type Offer = z.infer<typeof Offer>;

/** Null unless the offer is newer and on that page: an older one is never accepted. */
export function offerOf(answer: unknown, present: string, releases: string): Offer | null {
  const { data } = Offer.safeParse(answer);
  if (data === undefined || !data.url.startsWith(`${releases}/`)) return null;
  return isNewerVersion(data.version, present) ? data : null;
}
