import type { Handlers } from '../../contract/contract';
import type { DemoPort } from './ports';

const NO_DEMO = { state: 'failed' as const, reason: 'This Understudy cannot run the demo.' };

export const demoHandlers = (demo: DemoPort | null): Pick<Handlers, 'demo.status' | 'demo.start' | 'demo.stop'> => ({
  'demo.status': () => demo?.status() ?? NO_DEMO,
  'demo.start': () => demo?.start() ?? NO_DEMO,
  'demo.stop': () => demo?.stop() ?? NO_DEMO,
});
