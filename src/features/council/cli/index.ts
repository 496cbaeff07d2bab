import type { Command } from 'commander';
import type { CliParts } from '../../../cli/parts';
import { addCouncilExport } from './export';
import { addCouncilImport } from './import';
import { addLook } from './look';
import { addRemove } from './remove';
import { addResume } from './resume';
import { addSay } from './say';
import { addStart } from './start';

/** Adds the commands of the council: several models look at one thing, and no voice of theirs is lost to an error. */
export function addCouncil(program: Command, parts: CliParts, finish: (code: number) => void): void {
  const council = program
    .command('council')
    .description(
      'have several of your models review a repository or think about a problem together, and get one report',
    );
  addStart(council, parts, finish);
  addLook(council, parts, finish);
  addResume(council, parts, finish);
  addSay(council, parts, finish);
  addCouncilExport(council, parts, finish);
  addRemove(council, parts, finish);
  addCouncilImport(council, parts, finish);
}
