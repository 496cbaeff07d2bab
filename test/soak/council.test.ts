import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CouncilStage, isFact, openCouncilStage } from '../support/council-stage';
import { SIX } from '../support/council-world';

const STAGES = ['Reconnaissance', 'Deep Analysis', 'Cross-Reference', 'Oracle Review', 'Synthesis', 'Presentation'];

let stage: CouncilStage;

beforeAll(async () => {
  stage = await openCouncilStage();
});
afterAll(() => stage?.close());

describe('given an OpenCode that is killed in the middle of a stage', () => {
  it.each(STAGES)(
    '%s: when another one takes the run up, then nothing is lost and nothing done twice',
    async (name) => {
      let isHanging = true;
      let hung = '';
      stage.answer((asked) => {
        if (!isHanging || asked.stage !== name || (hung !== '' && hung !== asked.hero)) return null;
        hung = asked.hero;
        return { kind: 'hang' };
      });
      const run = await stage.begin();
      const opencode = await run.play();
      await stage.untilAsked((asked) => asked.stage === name);
      process.kill(opencode.child.pid, 'SIGKILL');
      await opencode.child.exited;
      isHanging = false;
      const other = await run.play();
      await run.until(isFact('run:finished'));
      await other.stop();
      const { completed } = await run.state();
      expect(completed.filter((id) => SIX.includes(id))).toEqual(SIX);
      const answered = (await run.events()).flatMap((event) => (event.type === 'turn.answered' ? [event.command] : []));
      expect(new Set(answered).size).toBe(answered.length);
    },
  );
});
