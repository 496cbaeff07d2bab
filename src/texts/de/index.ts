/** The texts in German. */

import { sessions } from './sessions';
import { shell } from './shell';

export const german = { sessions, shell };
