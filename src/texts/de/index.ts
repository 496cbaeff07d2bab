/** The texts in German. */

import { proposals } from './proposals';
import { setup } from './setup';
import { shell } from './shell';

export const german = { proposals, setup, shell };
