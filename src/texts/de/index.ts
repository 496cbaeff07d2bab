/** The texts in German. */

import { commands } from './commands';
import { eventLog } from './event-log';
import { faults } from './faults';
import { keys } from './keys';
import { setup } from './setup';
import { shell } from './shell';

export const german = { commands, eventLog, faults, keys, setup, shell };
