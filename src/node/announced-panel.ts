import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from './base/atomic-file';
import { rm } from './base/disk';
import { readPrivateJson } from './base/private-folder';

const panelFile = (home: string): string => join(home, 'panel.json');

/** For later shells. @throws Error with a message for people. */
export async function announce(home: string, url: string): Promise<void> {
  const written = await writeFileAtomic(panelFile(home), JSON.stringify({ url, pid: process.pid }));
  if (!written.ok) throw new Error(written.reason);
}

export async function retract(home: string): Promise<void> {
  const announced = await readAnnouncement(home);
  if (announced?.pid === process.pid) await rm(panelFile(home), { force: true });
}

export const Announcement = z.object({ url: z.string(), pid: z.int().positive() });
const ANNOUNCEMENT_BYTES = 10_000;

const readAnnouncement = (home: string): Promise<z.infer<typeof Announcement> | null> =>
  readPrivateJson(panelFile(home), ANNOUNCEMENT_BYTES, Announcement);

/** Null if the process has ended. */
export async function announcedUrl(home: string): Promise<string | null> {
  const announced = await readAnnouncement(home);
  if (!announced || announced.pid === process.pid) return null;
  try {
    // Not permitted: the id now belongs to another user's process.
    process.kill(announced.pid, 0);
    return announced.url;
  } catch {
    // silent: the process has ended, or is another user's
    return null;
  }
}
