/** The texts in German. */

import { shell } from './shell';

export const german = { shell };
