import { applyTogether } from '../../node/config/write-together';
import { planUninstall } from '../../node/setup/install';
import { planPurge, purge as purgeNow } from '../../node/setup/purge';
import { plain } from '../../wording/status-text';
import { objectionTo } from '../approval';
import { paintDiff, painter } from '../paint';
import { type CliParts, EXIT, refuse, show } from '../parts';
import { refusedWhileRunning } from './core';
import { editedHint, setupPlace } from './place';
import type { WriteOptions } from './write';

type Flags = WriteOptions & Readonly<{ edited?: boolean }>;

/** Removes the companion from OpenCode's configuration, and all files of Understudy. @returns the exit code. */
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
  const refusal = 'Nothing was deleted. Check with --dry-run, then add --yes.';
  const question = {
    refusal,
    shown,
    question: 'Delete all this? You cannot undo this.',
    declined: 'Nothing was deleted.',
  };
  const objection = options.dryRun || isNothing ? null : await objectionTo(parts, options, question);
  if (objection !== null) return refuse(parts, options, objection);
  if (!options.dryRun) {
    const written = await applyTogether(planned.plans, place.home);
    if (!written.ok) return refuse(parts, options, written.reason, EXIT.failed);
    // Only displayed files. The write above may have created the state home.
    const still = (await planPurge(place)).paths.filter((path) => paths.includes(path) || path === place.home);
    const purged = await purgeNow({ paths: still }, parts.env);
    if (!purged.ok) return refuse(parts, options, purged.reason, EXIT.failed);
  }
  show(parts, options, { ok: true, changed: !isNothing && !options.dryRun, deleted: paths, left }, () =>
    [
      options.dryRun && !isNothing ? shown : headline(isNothing, left.length > 0),
      ...left.map(plain),
      ...(isNothing || options.dryRun ? [] : ['Restart OpenCode: a running process uses the companion until it ends.']),
    ].join('\n'),
  );
  return EXIT.done;
}

const headline = (isNothing: boolean, isLeft: boolean): string =>
  isNothing ? `There is no ${isLeft ? 'other ' : ''}file of Understudy here.` : 'Understudy is removed.';
