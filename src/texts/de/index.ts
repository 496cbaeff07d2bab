/** The texts in German. */

import { demo } from './demo';
import { draft } from './draft';
import { probe } from './probe';
import { shell } from './shell';

export const german = { demo, draft, probe, shell };
