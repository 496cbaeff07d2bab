/** The texts in German. */

import { setup } from './setup';
import { shell } from './shell';

export const german = { setup, shell };
