import type { Command } from 'commander';
import { examine } from '../../node/setup/doctor';
import type { Finding } from '../../node/setup/finding';
import { plain } from '../../wording/status-text';
import { command } from '../command';
import { type Paint, painter } from '../paint';
import { type CliParts, EXIT, type Finish, type JsonOption, showLines } from '../parts';
import { lookAtCore } from './core';
import { setupPlace } from './place';

type DoctorFlags = JsonOption & Readonly<{ models?: boolean }>;

/** It needs no running core. */
export function addDoctor(program: Command, parts: CliParts, finish: Finish): void {
  command(program, 'doctor', 'find problems that keep turns unprotected, with a fix for each')
    .option('--models', 'start OpenCode to list its models; takes some seconds')
    .addHelpText('after', '\nEnds with 6 if it finds a problem to fix.')
    .action(async (options: DoctorFlags) => finish(await doctor(parts, options)));
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
    const line = `${paint(style, mark)} ${plain(says)}`;
    return fix === null ? [line] : [line, `    ${paint('bold', 'Do:')} ${plain(fix)}`];
  });
  const failing = findings.filter(({ verdict }) => verdict === 'fail').length;
  const isPaused = findings.some(({ check }) => check === 'switching.paused');
  const well = isPaused ? 'Turns are not protected until fallback is resumed.' : 'Turns are protected.';
  return [...lines, '', failing === 0 ? well : `To fix: ${failing}.`].join('\n');
}
