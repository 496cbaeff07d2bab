import { applyTogether } from '../../node/config/write-together';
import { planUninstall } from '../../node/setup/install';
import { planPurge, purge as purgeNow } from '../../node/setup/purge';
import { plain } from '../../wording/status-text';
import { paintDiff, painter } from '../paint';
import { type CliParts, EXIT, refuse, show } from '../parts';
import { refusedWhileRunning } from './core';
import { editedHint, setupPlace } from './place';
import type { WriteOptions } from './write';

type Flags = WriteOptions & Readonly<{ edited?: boolean }>;

/** Takes the companion out of OpenCode's configuration and deletes all that Understudy has put on this computer. @returns the exit code. */
export async function purge(parts: CliParts, options: Flags): Promise<number> {
  const running = await refusedWhileRunning(parts, options);
  if (running !== null) return running;
  const place = setupPlace(parts);
  const request = { scope: 'global', evenIfEdited: options.edited ?? false, actor: 'cli' } as const;
  const planned = await planUninstall(place, request);
  if (!planned.ok) return refuse(parts, options, planned.reason + editedHint(planned.reason));
  const found = await planPurge(place);
  const left = [...planned.left, ...found.left];
  const { paths } = found;
  const diffs = planned.plans.map(({ diff }) => paintDiff(diff, painter(parts.hasColour)));
  const shown = [...diffs, ...paths.map((path) => plain(`To be deleted: ${path}`))].join('\n');
  const isNothing = shown === '';
  if (!options.dryRun && !options.yes && !isNothing) {
    if (!parts.isTerminal || options.json)
      return refuse(parts, options, 'Nothing was deleted: look with --dry-run, then say --yes.');
    parts.print(shown);
    if (!(await parts.ask('Delete all this? It cannot be brought back.')))
      return refuse(parts, options, 'Nothing was deleted.');
  }
  if (!options.dryRun) {
    const written = await applyTogether(planned.plans, place.home);
    if (!written.ok) return refuse(parts, options, written.reason, EXIT.failed);
    // Only what was shown, and is still ours to delete. The write above has made the state home where there was none.
    const still = (await planPurge(place)).paths.filter((path) => paths.includes(path) || path === place.home);
    const purged = await purgeNow({ paths: still }, parts.env);
    if (!purged.ok) return refuse(parts, options, purged.reason, EXIT.failed);
  }
  show(parts, options, { ok: true, changed: !isNothing && !options.dryRun, deleted: paths, left }, () =>
    [
      options.dryRun && !isNothing ? shown : headline(isNothing, left.length > 0),
      ...left.map(plain),
      ...(isNothing || options.dryRun ? [] : ['An OpenCode that still runs has it until it ends: restart it.']),
    ].join('\n'),
  );
  return EXIT.done;
}

const headline = (isNothing: boolean, isLeft: boolean): string =>
  isNothing ? `Nothing ${isLeft ? 'else ' : ''}of Understudy’s is here.` : 'Understudy is gone.';
