import type { Command } from 'commander';
import { readConfigured } from '../../node/config/chains';
import { examine } from '../../node/setup/doctor';
import type { Finding } from '../../node/setup/finding';
import { plain, table } from '../../wording/status-text';
import { type Paint, painter } from '../paint';
import { type CliParts, EXIT, type JsonOption, showLines } from '../parts';
import { lookAtCore } from './core';
import { setupPlace } from './place';

type Finish = (code: number) => void;
type DoctorFlags = JsonOption & Readonly<{ models?: boolean }>;

/** Adds the commands that say what is in force and what is wrong; they need no running core. */
export function addDoctor(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('doctor')
    .description('look at everything between OpenCode and a saved turn, and say what to do')
    .option('--models', 'start OpenCode to learn which models it has; takes some seconds')
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nEnds with 6 when something keeps turns unprotected.')
    .action(async (options: DoctorFlags) => finish(await doctor(parts, options)));
  program
    .command('config')
    .description('list every value in force, and the file and line that says so')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await config(parts, options)));
}

async function doctor(parts: CliParts, options: DoctorFlags): Promise<number> {
  const findings = await examine(setupPlace(parts), await lookAtCore(parts), options.models);
  showLines(parts, options, findings, (rows) => doctorText(rows, painter(parts.hasColour)));
  return findings.some(({ verdict }) => verdict === 'fail') ? EXIT.unwell : EXIT.done;
}

const MARKS = { ok: ['✓', 'green'], warn: ['!', 'yellow'], fail: ['✗', 'red'] } as const;

function doctorText(findings: readonly Finding[], paint: Paint): string {
  const lines = findings.flatMap(({ verdict, says, fix }) => {
    const [mark, style] = MARKS[verdict];
    const said = `${paint(style, mark)} ${plain(says)}`;
    return fix === null ? [said] : [said, `    ${paint('bold', 'Do:')} ${plain(fix)}`];
  });
  const failing = findings.filter(({ verdict }) => verdict === 'fail').length;
  const isPaused = findings.some(({ check }) => check === 'switching.paused');
  const well = isPaused
    ? 'Turns are not protected until fallback is resumed.'
    : 'Turns are protected as far as can be seen.';
  return [...lines, '', failing === 0 ? well : `To fix: ${failing}.`].join('\n');
}

async function config(parts: CliParts, options: JsonOption): Promise<number> {
  const { values } = await readConfigured(parts.directory, parts.env);
  showLines(parts, options, values, (rows) =>
    table(
      rows.map(({ key, value, path, line }) => [
        key,
        JSON.stringify(value),
        path === null ? 'default' : `${path}${line === null ? '' : `:${line}`}`,
      ]),
    ).join('\n'),
  );
  return EXIT.done;
}
