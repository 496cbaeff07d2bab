/** The texts in German. */

import { acts } from './acts';
import { amounts } from './amounts';
import { chains } from './chains';
import { commands } from './commands';
import { config } from './config';
import { eventLog } from './event-log';
import { events } from './events';
import { explanation } from './explanation';
import { faults } from './faults';
import { keys } from './keys';
import { kinds } from './kinds';
import { models } from './models';
import { now } from './now';
import { proposals } from './proposals';
import { reasons } from './reasons';
import { setup } from './setup';
import { shell } from './shell';
import { standing } from './standing';
import { states } from './states';
import { whatIf } from './what-if';
import { words } from './words';

export const german = {
  commands,
  eventLog,
  faults,
  keys,
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
  setup,
  shell,
  standing,
  states,
  whatIf,
  words,
};
