import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CouncilStage, isFact, openCouncilStage, sixOf } from '../support/council-stage';
import { SIX } from '../support/council-world';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';

const STAGES = ['Reconnaissance', 'Deep Analysis', 'Cross-Reference', 'Oracle Review', 'Synthesis', 'Presentation'];
const OPENCODE2 = process.env.OPENCODE2_BIN ?? '';

describe.each([
  ['OpenCode 1', true, opencodeBinary],
  ['OpenCode 2', OPENCODE2 !== '', async () => opencode2Binary()],
] as const)('given an %s that is killed in the middle of a stage', (_, isThere, binary) => {
  let stage: CouncilStage;

  beforeAll(async () => {
    if (isThere) stage = await openCouncilStage(binary);
  });
  afterAll(() => stage?.close());

  it.skipIf(!isThere).each(STAGES)(
    '%s: when another one takes the run up, then nothing is lost and nothing done twice',
    async (name) => {
      let isHanging = true;
      let hung = '';
      const { run, opencode } = await stage.playing((asked) => {
        if (!isHanging || asked.stage !== name || (hung !== '' && hung !== asked.hero)) return null;
        hung = asked.hero;
        return { kind: 'hang' };
      });
      await stage.untilAsked((asked) => asked.stage === name);
      process.kill(opencode.child.pid, 'SIGKILL');
      await opencode.child.exited;
      isHanging = false;
      const other = await run.play();
      await run.until(isFact('run:finished'));
      await other.stop();
      expect(sixOf((await run.state()).completed)).toEqual(SIX);
      const answered = (await run.events()).flatMap((event) => (event.type === 'turn.answered' ? [event.command] : []));
      expect(new Set(answered).size).toBe(answered.length);
    },
    60_000,
  );
});
