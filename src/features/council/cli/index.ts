import type { Command } from 'commander';
import type { CliParts, Finish } from '../../../cli/parts';
import { addRemove } from './remove';
import { addResume } from './resume';
import { addStop } from './say';
import { addShow } from './show';
import { addStart } from './start';

export { importCouncil } from './import';
export { answerRun } from './say';

export function addCouncil(council: Command, parts: CliParts, finish: Finish): void {
  addStart(council, parts, finish);
  addShow(council, parts, finish);
  addStop(council, parts, finish);
  addResume(council, parts, finish);
  addRemove(council, parts, finish);
}
