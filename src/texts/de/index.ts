import { acts } from './acts';
import { agents } from './agents';
import { amounts } from './amounts';
import { attention } from './attention';
import { budget } from './budget';
import { chains } from './chains';
import { choice } from './choice';
import { commands } from './commands';
import { config } from './config';
import { councilNews } from './council-news';
import { councilPage } from './council-page';
import { councilRun } from './council-run';
import { demo } from './demo';
import { draft } from './draft';
import { editor } from './editor';
import { eventLog } from './event-log';
import { events } from './events';
import { explanation } from './explanation';
import { faults } from './faults';
import { fleetPage } from './fleet-page';
import { glance } from './glance';
import { headroom } from './headroom';
import { headroomPage } from './headroom-page';
import { inbox } from './inbox';
import { keys } from './keys';
import { kinds } from './kinds';
import { models } from './models';
import { more } from './more';
import { notices } from './notices';
import { now } from './now';
import { probe } from './probe';
import { proposals } from './proposals';
import { ranking } from './ranking';
import { rankingPage } from './ranking-page';
import { reasons } from './reasons';
import { records } from './records';
import { sessions } from './sessions';
import { settings } from './settings';
import { setup } from './setup';
import { shell } from './shell';
import { standing } from './standing';
import { states } from './states';
import { steps } from './steps';
import { time } from './time';
import { tray } from './tray';
import { trust } from './trust';
import { usage } from './usage';
import { whatIf } from './what-if';
import { words } from './words';

export const german = {
  acts,
  agents,
  amounts,
  attention,
  chains,
  choice,
  commands,
  config,
  councilNews,
  councilPage,
  councilRun,
  demo,
  draft,
  editor,
  eventLog,
  events,
  explanation,
  faults,
  fleetPage,
  glance,
  budget,
  headroom,
  headroomPage,
  inbox,
  keys,
  kinds,
  models,
  more,
  notices,
  now,
  probe,
  proposals,
  ranking,
  rankingPage,
  reasons,
  sessions,
  settings,
  setup,
  shell,
  records,
  standing,
  states,
  steps,
  time,
  tray,
  trust,
  usage,
  whatIf,
  words,
};
