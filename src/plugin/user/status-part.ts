import { statusMarkdown } from '../../wording/status-text';
import type { Companion } from '../runtime/host';
import { ownSnapshot } from '../runtime/own-snapshot';

export { tuiStatus } from './tui-status';

export const fallbackStatus = (companion: Pick<Companion, 'brain' | 'instance' | 'usage'>, directory: string): string =>
  statusMarkdown(ownSnapshot(companion), directory);
