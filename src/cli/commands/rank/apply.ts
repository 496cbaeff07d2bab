import type { Command } from 'commander';
import { paintDiff, painter } from '../../paint';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../parts';
import { addScope, fileScope, type ScopeFlags } from '../place';
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
    const refusal = await writeAgreed(parts, options, files, diff);
    if (refusal !== null) return refuse(parts, options, refusal);
    const written = await host.ask('rank.apply', { ...input, settled, seen: files.map(({ seen }) => seen) });
    if (!written.ok) return refuse(parts, options, written.reason);
    show(parts, options, written, ({ files: changed }) =>
      changed
        .map(({ path, receipt }) =>
          receipt === null
            ? `${path} says so already.`
            : `Changed ${path}. To take it back: understudy undo ${receipt}`,
        )
        .join('\n'),
    );
    return EXIT.done;
  });
}

const ALIKE = 'The file says so already. Nothing would be changed.';

async function writeAgreed(
  parts: CliParts,
  { yes, json }: Applying,
  files: readonly Readonly<{ path: string; diff: string }>[],
  diff: string,
): Promise<string | null> {
  if (yes || files.every((file) => file.diff === '')) return null;
  const paths = files.map(({ path }) => path).join(' and ');
  if (json || !parts.isTerminal)
    return `${paths} would be changed. Nothing was changed: look with --dry-run, then say --yes.`;
  parts.print(paintDiff(diff, painter(parts.hasColour)));
  return (await parts.ask(`Change ${paths}?`)) ? null : 'Nothing was changed.';
}
