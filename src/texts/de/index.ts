/** The texts in German. */

import { setup } from './setup';
import { shell } from './shell';
import { usage } from './usage';

export const german = { setup, shell, usage };
