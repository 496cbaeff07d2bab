import { offerOf, type UpdateFacts, updateWay } from '../core/ports/updates';
import { failureText } from '../node/base/failure';
import type { Electron } from './electron';

export type UpdatesParts = Readonly<{
  autoUpdater: Pick<Electron['autoUpdater'], 'setFeedURL' | 'checkForUpdates' | 'on'>;
  facts: UpdateFacts;
  version: string;
  /** Checked before each network request. */
  isAsked(): Promise<boolean>;
  /** @throws Error without a document. */
  read(address: string): Promise<unknown>;
  /** Called once per version. */
  onReady(version: string): void;
}>;

const FIRST_LOOK_MS = 60_000;
const LOOK_INTERVAL_MS = 86_400_000;

/** A signed app installs the update when the user quits. @returns a function that stops the checks. */
export function followUpdates(parts: UpdatesParts): () => void {
  const way = updateWay(parts.facts);
  if (way.way === 'none') return () => undefined;
  const notified = new Set<string>();
  const tell = (version: string): void => {
    if (!notified.has(version)) parts.onReady(version);
    notified.add(version);
  };
  let offered = '';
  const install = (version: string): void => {
    offered = version;
    // The system refuses updates without the same signature.
    parts.autoUpdater.setFeedURL({ url: way.ask });
    parts.autoUpdater.checkForUpdates();
  };
  if (way.way === 'itself') {
    parts.autoUpdater.on('update-downloaded', () => tell(offered));
    parts.autoUpdater.on('error', complain);
  }
  const look = async (): Promise<void> => {
    try {
      if (!(await parts.isAsked())) return;
      const offer = offerOf(await parts.read(way.ask), parts.version, parts.facts.releases);
      if (offer === null || notified.has(offer.version)) return;
      if (way.way === 'itself') install(offer.version);
      else tell(offer.version);
    } catch (error) {
      complain(error);
    }
  };
  const first = setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  const later = setInterval(() => void look(), LOOK_INTERVAL_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}

const complain = (error: unknown): void => console.error(`No update: ${failureText(error)}`);

const ANSWER_LIMIT_MS = 20_000;
const ANSWER_MAX_CHARS = 10_000;

/** @throws Error without a document in time. */
export async function readJson(address: string): Promise<unknown> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  const text = await answer.text();
  if (text.length > ANSWER_MAX_CHARS) throw new Error(`${address} returned too much data`);
  return JSON.parse(text) as unknown;
}
