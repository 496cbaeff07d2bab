/** The texts in German. */

import { proposals } from './proposals';
import { shell } from './shell';

export const german = { proposals, shell };
