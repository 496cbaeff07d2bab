import { describe, expect, it } from 'vitest';
import { queries } from '../../../src/contract/contract';
import { registerFeatures } from '../../../src/contract/feature-queries';

registerFeatures();

/** Asked of a panel, and nothing of it touches a file of anybody’s; `stage.test.ts` tries a demo with the others. */
const READING = [
  ...['snapshot.get', 'phrases.unknown', 'scorecard.get', 'scorecard.agents', 'scorecard.export', 'what-if.play'],
  ...['model.history', 'models.states', 'trust.get', 'setup.choice'],
  ...['events.page', 'events.counts', 'decision.explain', 'health.reset', 'person.act', 'app.info', 'app.report'],
  ...['config.get', 'config.preview', 'phrases.preview', 'usage.get', 'usage.export', 'data.info', 'sessions.list'],
  ...['sessions.timeline', 'drill.run', 'settings.get', 'notices.list', 'notices.read', 'notices.test', 'model.probe'],
  ...['models.latency', 'demo.status', 'demo.start', 'demo.stop', 'chains.get', 'chains.preview', 'setup.propose'],
  ...['setup.detect', 'setup.diff', 'setup.receipts', 'doctor.run', 'shell.get', 'shell.theme', 'shell.leaveGlance'],
  ...[
    'shell.language',
    'shell.openLink',
    'chains.offers',
    'usage.models',
    'usage.agents',
    'headroom.course',
    'fleet.get',
  ],
  ...['council.runs', 'council.run', 'council.transcript', 'council.plan', 'council.export'],
  ...['rank.get', 'rank.values', 'rank.export', 'rank.weights', 'rank.costs', 'rank.run', 'rank.preview'],
];
const WRITING = [
  ...['setup.apply', 'setup.undo', 'setup.place', 'chains.apply', 'config.apply', 'settings.set', 'data.backup'],
  ...['data.erase', 'data.import', 'shell.startAtLogin', 'trust.allow', 'trust.revoke', 'setup.choose'],
  ...['rank.change', 'rank.import', 'rank.act', 'rank.apply'],
  ...['council.begin', 'council.resume', 'council.say', 'council.remove'],
];

describe('given the questions of a panel', () => {
  it('when there is a new one, then it must be said whether it writes, and a demo must be tried with it', () => {
    expect(Object.keys(queries).toSorted()).toEqual([...READING, ...WRITING].toSorted());
  });
});
