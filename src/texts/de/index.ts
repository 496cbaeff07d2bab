/** The texts in German. */

import { demo } from './demo';
import { draft } from './draft';
import { more } from './more';
import { probe } from './probe';
import { setup } from './setup';
import { shell } from './shell';

export const german = { demo, draft, more, probe, setup, shell };
