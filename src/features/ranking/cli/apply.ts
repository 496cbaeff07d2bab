import type { Command } from 'commander';
import { addScope, fileScope, type ScopeFlags } from '../../../cli/commands/place';
import { refusalTo } from '../../../cli/commands/write';
import { paintDiff, painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import type { QueryOutput } from '../../../contract/contract';
import { asArgument } from '../../../wording/status-text';
import type { Run } from '../contract/ranking';
import { notePhrase } from '../wording/ranking-words';
import { whereOf, withRanking } from './host';

type Finish = (code: number) => void;
type Applying = JsonOption & ScopeFlags & Readonly<{ dryRun?: boolean; yes?: boolean; depth?: boolean }>;

/** Adds `understudy rank apply`. */
export function addApply(rank: Command, parts: CliParts, finish: Finish): void {
  addScope(rank.command('apply'))
    .description('write a proposal in which all is decided, in tiers, after showing the difference')
    .argument('<agent>')
    .option('--no-depth', 'leave defaults.maxFallbackDepth as it is')
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .action(async (agent: string, options: Applying) => finish(await apply(parts, agent, options)));
}

async function apply(parts: CliParts, agent: string, options: Applying): Promise<number> {
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
    return isOtherwise(written) ? EXIT.failed : EXIT.done;
  });
}

type Written = Extract<QueryOutput<'rank.apply'>, { ok: true }>;

/** Whether another chain is in force than the one that was approved: some other file goes before the one that was written. */
const isOtherwise = ({ run }: Written): boolean => run?.phases.post_check.state === 'failed';

function writtenText(written: Written): string {
  const { files, run } = written;
  const changes = files.map(({ path, receipt }) =>
    receipt === null ? `${path} says so already.` : `Changed ${path}. To take it back: understudy undo ${receipt}`,
  );
  const objection = run && isOtherwise(written) ? [otherwiseText(run)] : [];
  return [...changes, ...objection].join('\n');
}

const otherwiseText = ({ agent }: Run): string =>
  `${notePhrase({ code: 'written', isAsApproved: false })}: understudy chains get ${asArgument(agent)}`;

const ALIKE = 'The file says so already. Nothing would be changed.';
