import { applyWrite, editFile, type WritePlan, type WriteRequest, type Written } from '../../node/config-write';
import type { Outcome } from '../../node/failure';
import { stateHome } from '../../node/state-home';
import { paintDiff, painter } from '../paint';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';

/** How a command that writes may be told to go about it. */
export type WriteOptions = JsonOption & Readonly<{ dryRun?: boolean; yes?: boolean }>;

/** What a write came to, for scripts. */
type Told = Readonly<{ ok: true; changed: boolean; path: string; receipt: string | null; diff: string }>;

const told = ({ path }: { path: string }, receipt: string | null, diff: string): Told => ({
  ok: true,
  changed: receipt !== null,
  path,
  receipt,
  diff,
});

/**
 * Shows the exact difference, asks unless it has been said already, and writes.
 *
 * @param prepare what has to be there before; done once the person has agreed.
 * @returns the exit code.
 */
export async function confirmAndWrite(
  parts: CliParts,
  options: WriteOptions,
  plan: WritePlan,
  prepare: () => Promise<Outcome> = async () => ({ ok: true }),
): Promise<number> {
  const { path, diff } = plan;
  if (diff === '') {
    const prepared = options.dryRun ? { ok: true as const } : await prepare();
    return prepared.ok ? nothingToDo(parts, options, path) : refuse(parts, options, prepared.reason, EXIT.failed);
  }
  if (options.dryRun) {
    show(parts, options, told(plan, null, diff), () => paintDiff(diff, painter(parts.hasColour)));
    return EXIT.done;
  }
  if (!options.yes) {
    if (!parts.isTerminal || options.json)
      return refuse(
        parts,
        options,
        `${path} would be changed. Nothing was changed: look with --dry-run, then say --yes.`,
      );
    parts.print(paintDiff(diff, painter(parts.hasColour)));
    if (!(await parts.ask(`Change ${path}?`))) return refuse(parts, options, 'Nothing was changed.');
  }
  const prepared = await prepare();
  if (!prepared.ok) return refuse(parts, options, prepared.reason, EXIT.failed);
  const written = await applyWrite(plan, stateHome(parts.env));
  return tell(parts, options, { path, written, diff: options.yes ? diff : '' });
}

/** Makes an edit that a command has named exactly, and shows what it came to. @returns the exit code. */
export async function editAndShow(parts: CliParts, options: JsonOption, request: WriteRequest): Promise<number> {
  const written = await editFile(request, stateHome(parts.env));
  return tell(parts, options, { path: request.path, written, diff: written.diff ?? '' });
}

function tell(
  parts: CliParts,
  options: JsonOption,
  { path, written, diff }: Readonly<{ path: string; written: Written; diff: string }>,
): number {
  if (!written.ok)
    return refuse(parts, options, written.reason, written.code === 'failed' ? EXIT.failed : EXIT.refused);
  const { receipt } = written;
  if (receipt === null) return nothingToDo(parts, options, path);
  show(parts, options, told({ path }, receipt.id, diff), () =>
    [paintDiff(diff, painter(parts.hasColour)), `Changed ${path}. To take it back: understudy undo ${receipt.id}`]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  return EXIT.done;
}

function nothingToDo(parts: CliParts, options: JsonOption, path: string): number {
  show(parts, options, told({ path }, null, ''), () => `${path} says so already. Nothing was changed.`);
  return EXIT.done;
}
