import type { CouncilImport } from '../../../cli/commands/own-data';
import { confirmAndWriteWith } from '../../../cli/commands/write';
import { type CliParts, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { plain } from '../../../wording/status-text';
import { planCouncilImport } from '../node/council-import';
import { listed } from '../rules/base/text';

export async function importCouncil(parts: CliParts, file: string, options: CouncilImport): Promise<number> {
  const { directory, env } = parts;
  const { force: isForced = false, create = false } = options;
  const planned = await planCouncilImport({
    file,
    directory,
    env,
    home: stateHome(env),
    isForced,
    create,
    actor: 'cli',
  });
  if (!planned.ok) return refuse(parts, options, plainLines(`${planned.reason}${createHint(planned.reason)}`));
  const { plan, left, notes, doubts } = planned;
  const stays =
    left.length === 0 ? null : `${listed(left)} ${left.length === 1 ? 'has' : 'have'} another value in ${plan.path}`;
  if (stays !== null && plan.diff === '')
    return refuse(parts, options, plainLines(`${stays}. Nothing was changed. To replace it, add --force.`));
  if (!options.json) {
    if (stays !== null) say(parts, `${stays}. It stays. To replace it, add --force.`);
    for (const each of notes) say(parts, each);
    for (const each of doubts) say(parts, `Warning: ${each} Runs will be refused for it.`);
  }
  return await confirmAndWriteWith(parts, options, plan, { left, notes, doubts });
}

const createHint = (reason: string): string =>
  reason.includes('there is no such file') ? ' To create it, add --create.' : '';

const plainLines = (text: string): string => text.split('\n').map(plain).join('\n');

const say = (parts: CliParts, text: string): void => parts.printError(wrapText(plain(text), parts.columns));
