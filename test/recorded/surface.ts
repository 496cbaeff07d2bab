import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PersonAct } from '../../src/contract/acts';
import { queries } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { NOTICES } from '../../src/contract/preferences';
import { type TrayRow, trayMenu } from '../../src/main/tray-menu';
import { COMMANDS as SLASH_COMMANDS } from '../../src/plugin/user/command-list';
import { cliUser } from '../cli/real-cli';
import { WORLDS, worldOf } from '../support/layout-worlds';
import { storedNames } from './names';

/**
 * All that people and programs can reach: sorted lists. A name that changes with time or amount has `#` for its digits.
 * Controls are `role name`, by the view that shows them.
 */
export type Surface = Readonly<{
  queries: readonly string[];
  acts: readonly string[];
  configurationKeys: readonly string[];
  commands: readonly string[];
  slashCommands: readonly string[];
  notices: readonly string[];
  trayItems: readonly string[];
  controls: Readonly<Record<string, readonly string[]>>;
}>;

const FILE = join(import.meta.dirname, 'surface.json');
const CONFIG = 'model-fallback.json';
/** Noon of a day, Unix ms. */
const AT = 1_767_960_000_000;

export const isRecording = process.env.UNDERSTUDY_RECORD_SURFACE !== undefined;
export const recordedSurface = (): Surface => JSON.parse(readFileSync(FILE, 'utf8'));
export const recordSurface = (part: Partial<Surface>): void =>
  writeFileSync(FILE, `${JSON.stringify({ ...recordedSurface(), ...part }, null, 2)}\n`);

export const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();
const DATE = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+/g;
export const withoutDigits = (name: string): string => name.replaceAll(DATE, '#').replaceAll(/\d+(?:[.,:]\d+)*/g, '#');

/** Everything but the controls, which only a browser can list. */
export async function surfaceWithoutControls(): Promise<Omit<Surface, 'controls'>> {
  registerFeatures();
  return {
    queries: sorted(Object.keys(queries)),
    acts: sorted(PersonAct.options.map((act) => act.shape.type.value)),
    configurationKeys: sorted([...storedNames()].filter((name) => name.startsWith(CONFIG))),
    commands: await commandsWithOptions(),
    slashCommands: sorted(Object.keys(SLASH_COMMANDS)),
    notices: sorted(NOTICES),
    trayItems: sorted(WORLDS.flatMap((world) => itemsOf(trayMenu(worldOf(world, AT).snapshot, { mutedUntil: null })))),
  };
}

/** Each runnable command and each of its options, as the completion of the command line lists them. */
async function commandsWithOptions(): Promise<readonly string[]> {
  const { run } = await cliUser();
  const { said } = await run(['completion', 'fish']);
  return sorted(
    said.split('\n').flatMap((line) => {
      const command = line.match(/'__understudy_within ([^']+)'/)?.[1];
      const option = line.match(/ -l (\S+)/)?.[1];
      if (command === undefined) return [];
      return option === undefined || option === 'help' ? [command] : [command, `${command} --${option}`];
    }),
  );
}

function itemsOf(rows: readonly TrayRow[], path = ''): readonly string[] {
  return rows.flatMap((row) => {
    if (row.kind === 'separator') return [];
    const item = `${path}${row.kind} ${withoutDigits(row.label)}`;
    return row.kind === 'submenu' ? [item, ...itemsOf(row.rows, `${item} > `)] : [item];
  });
}
