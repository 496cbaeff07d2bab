/** The texts in German. */

import { sessions } from './sessions';
import { setup } from './setup';
import { shell } from './shell';

export const german = { sessions, setup, shell };
