/** The texts in German. */

import { shell } from './shell';
import { usage } from './usage';

export const german = { shell, usage };
