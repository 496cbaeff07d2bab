/** The texts in German. */

import { acts } from './acts';
import { amounts } from './amounts';
import { chains } from './chains';
import { config } from './config';
import { demo } from './demo';
import { draft } from './draft';
import { events } from './events';
import { explanation } from './explanation';
import { kinds } from './kinds';
import { models } from './models';
import { more } from './more';
import { now } from './now';
import { probe } from './probe';
import { proposals } from './proposals';
import { reasons } from './reasons';
import { setup } from './setup';
import { shell } from './shell';
import { shortcuts } from './shortcuts';
import { standing } from './standing';
import { states } from './states';
import { whatIf } from './what-if';
import { words } from './words';

export const german = {
  acts,
  amounts,
  chains,
  config,
  demo,
  draft,
  events,
  explanation,
  kinds,
  models,
  more,
  now,
  probe,
  proposals,
  reasons,
  setup,
  shell,
  shortcuts,
  standing,
  states,
  whatIf,
  words,
};
