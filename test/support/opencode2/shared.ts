import { keepOpen } from '../shared-stage';
import { openRealStage, type RealStage } from './real';

// Many projects are opened in it: it gives memory back.
const take = keepOpen(() => openRealStage('plugins', { isThrifty: false }));

/**
 * The OpenCode 2 that all files of a worker share which play turns in projects of their own, and neither look at the whole
 * home nor change the user's configuration. `close` closes the projects that the file has made.
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
