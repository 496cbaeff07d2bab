import type { CarriedName, QueryName } from '../contract';

/** Every question the window may ask. A copy of the contract's names, without its schemas: a test keeps them equal. */
export const QUERY_NAMES = [
  'snapshot.get',
  'phrases.unknown',
  'scorecard.get',
  'scorecard.agents',
  'scorecard.export',
  'what-if.play',
  'model.history',
  'models.states',
  'events.page',
  'events.counts',
  'decision.explain',
  'health.reset',
  'person.act',
  'app.info',
  'app.report',
  'config.get',
  'config.preview',
  'config.apply',
  'phrases.preview',
  'usage.get',
  'usage.export',
  'data.info',
  'data.backup',
  'data.import',
  'data.erase',
  'sessions.list',
  'sessions.timeline',
  'drill.run',
  'settings.get',
  'settings.set',
  'notices.list',
  'notices.read',
  'notices.test',
  'model.probe',
  'models.latency',
  'demo.status',
  'demo.start',
  'demo.stop',
  'chains.get',
  'chains.preview',
  'chains.apply',
  'setup.propose',
  'setup.choice',
  'setup.choose',
  'setup.detect',
  'setup.diff',
  'setup.apply',
  'setup.undo',
  'setup.place',
  'setup.receipts',
  'doctor.run',
  'trust.get',
  'trust.allow',
  'trust.revoke',
  'shell.get',
  'shell.startAtLogin',
  'shell.theme',
  'shell.leaveGlance',
  'shell.language',
  'shell.openLink',
] as const satisfies readonly QueryName[];

/** Every push the window may hear. */
export const PUSH_NAMES = ['snapshot', 'change', 'notice'] as const satisfies readonly CarriedName[];

/** Where a question travels between the window and the main process. */
export const askChannel = (name: QueryName): string => `understudy:ask:${name}`;

/** Where a push travels from the main process to the window. */
export const pushChannel = (name: CarriedName): string => `understudy:push:${name}`;
