import { keepOpen } from '../shared-stage';
import { openRealStage, type RealStage } from './real';

// Many projects are opened in it, so garbage collection stays on.
const take = keepOpen(() => openRealStage('plugins', { isThrifty: false }));

/**
 * The OpenCode 2 that files of a worker share which use their own projects and neither read the whole home nor change
 * the user's configuration. `close` closes the file's projects.
 */
export async function sharedStage2(): Promise<RealStage> {
  const running = await take();
  const { stage } = running;
  const before = stage.projects.length;
  return {
    ...stage,
    async close() {
      running.projects = stage.projects.length;
      await Promise.all(stage.projects.slice(before).map((directory) => stage.server.closeProject(directory)));
      stage.provider.clear();
    },
  };
}
