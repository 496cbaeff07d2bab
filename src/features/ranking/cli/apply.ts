import { fileScope, type ScopeFlags } from '../../../cli/commands/place';
import { refusalTo } from '../../../cli/commands/write';
import { paintDiff, painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import type { QueryOutput } from '../../../contract/contract';
import { asArgument } from '../../../wording/status-text';
import type { Run } from '../contract/ranking';
import { notePhrase } from '../wording/ranking-words';
import { whereOf, withRanking } from './host';

export type Applying = JsonOption & ScopeFlags & Readonly<{ dryRun?: boolean; yes?: boolean; depth?: boolean }>;

export async function applyTiers(parts: CliParts, agent: string, options: Applying): Promise<number> {
  return await withRanking(parts, options, async (host) => {
    const input = {
      ...whereOf(parts, agent),
      scope: fileScope(options),
      create: true,
      setsDepth: options.depth ?? true,
      actor: 'cli' as const,
    };
    const preview = await host.ask('rank.preview', input);
    if (!preview.ok)
      return refuse(parts, options, preview.reason, preview.open.length > 0 ? EXIT.undecided : EXIT.refused);
    const { files, settled } = preview;
    const diff = files.map((file) => file.diff).join('\n');
    if (options.dryRun) {
      show(parts, options, { ok: true, files }, () => paintDiff(diff, painter(parts.hasColour)) || ALIKE);
      return EXIT.done;
    }
    const changing = files.filter((file) => file.diff !== '');
    const refusal = options.yes || changing.length === 0 ? null : await refusalTo(parts, options, { changing, diff });
    if (refusal !== null) return refuse(parts, options, refusal);
    const written = await host.ask('rank.apply', { ...input, settled, seen: files.map(({ seen }) => seen) });
    if (!written.ok) return refuse(parts, options, written.reason);
    show(parts, options, written, writtenText);
    return isOverridden(written) ? EXIT.failed : EXIT.done;
  });
}

type Written = Extract<QueryOutput<'rank.apply'>, { ok: true }>;

/** True if a file of higher priority overrides the chain. */
const isOverridden = ({ run }: Written): boolean => run?.phases.post_check.state === 'failed';

function writtenText(written: Written): string {
  const { files, run } = written;
  const changes = files.map(({ path, receipt }) =>
    receipt === null ? `${path} already has this.` : `Changed ${path}. To undo: understudy config undo ${receipt}`,
  );
  const objection = run && isOverridden(written) ? [overriddenText(run)] : [];
  return [...changes, ...objection].join('\n');
}

const overriddenText = ({ agent }: Run): string =>
  `${notePhrase({ code: 'written', isAsApproved: false })}: understudy chains get ${asArgument(agent)}`;

const ALIKE = 'The file already has this. Nothing would be changed.';
