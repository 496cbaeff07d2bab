/** The texts in German. */

import { eventLog } from './event-log';
import { shell } from './shell';

export const german = { eventLog, shell };
