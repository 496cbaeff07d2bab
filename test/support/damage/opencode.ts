import { inTime } from '../../../src/node/base/within';
import { startOpencode, textOf } from '../../../src/node/opencode';
import { knowOpencode } from '../known-opencode';
import { openStage } from '../stage';

const [LEAD, SPARE] = ['LEAD ANSWERS', 'UNDERSTUDY ANSWERS'];
/** A longer turn counts as hung, also on a busy machine. */
const LIMIT_MS = 120_000;
const STOP_MS = 30_000;

export type Opencodes = Readonly<{
  /** Records in a home that OpenCode lets turns be moved, as after earlier use. */
  introduce(home: string): Promise<void>;
  /** Starts an OpenCode with a limited primary. @returns descriptions of broken promises. */
  playOn(home: string): Promise<readonly string[]>;
  close(): Promise<void>;
}>;

export async function openOpencodes(): Promise<Opencodes> {
  const stage = await openStage();
  // Each home gets its own server.
  await stage.server.stop();
  const { binary, sandbox, provider } = stage;
  return {
    introduce: (home) => knowOpencode(home, binary),
    async playOn(home) {
      const { directory, ids } = await stage.makeCase({ git: false });
      provider.script(ids[0] ?? '', [
        { kind: 'status', status: 429, headers: { 'retry-after': '60' } },
        { kind: 'text', text: LEAD },
      ]);
      provider.script(ids[1] ?? '', [{ kind: 'text', text: SPARE }]);
      const env = { UNDERSTUDY_HOME: home };
      const server = await startOpencode({ binary, sandbox, env }).catch((error: Error) => error.message);
      if (typeof server === 'string') return [`OpenCode does not start: ${server.slice(0, 400)}`];
      const ask = async (): Promise<string> => {
        const session = await server.createSession(directory);
        return textOf(await server.prompt(session, { text: 'One' })) ?? 'nothing';
      };
      const asked = ask().catch((error: Error) => `an error: ${error.message}`);
      const said = await inTime(asked, LIMIT_MS, 'nothing in time');
      const ended = await server.stop(STOP_MS);
      const crash = /\n\s+at .*(?:opencode-understudy|understudy).*:\d+:\d+/.exec(server.stderr());
      return [
        ...(said === SPARE ? [] : [`OpenCode answers ${said.slice(0, 300)}`]),
        ...(crash ? [`the companion throws: ${server.stderr().slice(0, 400)}`] : []),
        ...(ended.signal === 'SIGKILL' ? ['OpenCode does not end'] : []),
      ];
    },
    close: stage.close,
  };
}
