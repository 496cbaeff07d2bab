/** The texts in German. */

import { acts } from './acts';
import { amounts } from './amounts';
import { chains } from './chains';
import { config } from './config';
import { events } from './events';
import { explanation } from './explanation';
import { kinds } from './kinds';
import { models } from './models';
import { now } from './now';
import { proposals } from './proposals';
import { reasons } from './reasons';
import { settings } from './settings';
import { setup } from './setup';
import { shell } from './shell';
import { shortcuts } from './shortcuts';
import { standing } from './standing';
import { states } from './states';
import { steps } from './steps';
import { whatIf } from './what-if';
import { words } from './words';

export const german = {
  acts,
  amounts,
  chains,
  config,
  events,
  explanation,
  kinds,
  models,
  now,
  proposals,
  reasons,
  settings,
  setup,
  shell,
  shortcuts,
  standing,
  states,
  steps,
  whatIf,
  words,
};
