import { join } from 'node:path';
import { namesOrNone } from './look';

export const RUN_VARIABLE = 'UNDERSTUDY_COUNCIL';
const RUN_SHAPE = /^r\d{8}-\d{6}-[a-z0-9]{4}$/;

export const councilFolder = (home: string): string => join(home, 'council');
export const runFolder = (home: string, run: string): string => join(councilFolder(home), run);
export const isRunName = (name: string): boolean => RUN_SHAPE.test(name);
export const isAppointed = (): boolean => isRunName(process.env[RUN_VARIABLE] ?? '');

export async function runsIn(home: string): Promise<readonly string[]> {
  const names = await namesOrNone(councilFolder(home));
  return names.filter(isRunName).toSorted().toReversed();
}
