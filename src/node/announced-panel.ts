import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from './base/atomic-file';
import { rm } from './base/disk';
import { readPrivateJson } from './base/private-folder';

const panelFile = (home: string): string => join(home, 'panel.json');

/** Publishes the URL of this process's panel for later shells. @throws Error with a message for people. */
export async function announce(home: string, url: string): Promise<void> {
  const written = await writeFileAtomic(panelFile(home), JSON.stringify({ url, pid: process.pid }));
  if (!written.ok) throw new Error(written.reason);
}

/** Removes our own announcement, never another process's. */
export async function retract(home: string): Promise<void> {
  const announced = await readAnnouncement(home);
  if (announced?.pid === process.pid) await rm(panelFile(home), { force: true });
}

export const Announcement = z.object({ url: z.string(), pid: z.int().positive() });
const ANNOUNCEMENT_BYTES = 10_000;

const readAnnouncement = (home: string): Promise<z.infer<typeof Announcement> | null> =>
  readPrivateJson(panelFile(home), ANNOUNCEMENT_BYTES, Announcement);

/** Returns the URL of the announced panel if its process is alive. */
export async function announcedUrl(home: string): Promise<string | null> {
  const announced = await readAnnouncement(home);
  if (!announced || announced.pid === process.pid) return null;
  try {
    // If the signal is not permitted, the id now belongs to another user's process.
    process.kill(announced.pid, 0);
    return announced.url;
  } catch {
    // silent: the process has ended, or is another user's
    return null;
  }
}
