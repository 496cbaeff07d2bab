import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stagesOf } from '../../src/features/council/rules/process/process';
import type { Input } from '../../src/features/council/rules/process/route';
import { type CouncilStage, isFact, openCouncilStage } from '../support/council-stage';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';

const OPENCODE2 = process.env.OPENCODE2_BIN ?? '';
const REVIEW: Input = { problem: null, repo: 'fixture', isDeep: false };
const DEEP: Input = { problem: 'Where should the price be kept?', repo: null, isDeep: true };
const STAGES = [
  ...stagesOf('CODE_REVIEW').map(({ name }) => [name, 'CODE_REVIEW', REVIEW] as const),
  ...stagesOf('DEEP').map(({ name }) => [name, 'DEEP', DEEP] as const),
];

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
    '%s of %s: when another one takes the run up, then nothing is lost and nothing done twice',
    async (name, played, input) => {
      let isHanging = true;
      let hung = '';
      const { run, opencode } = await stage.playing(
        (asked) => {
          if (!isHanging || asked.stage !== name || (hung !== '' && hung !== asked.hero)) return null;
          hung = asked.hero;
          return { kind: 'hang' };
        },
        {},
        {},
        input,
      );
      await stage.untilAsked((asked) => asked.stage === name);
      process.kill(opencode.child.pid, 'SIGKILL');
      await opencode.child.exited;
      isHanging = false;
      const other = await run.play();
      await run.until(isFact('run:finished'));
      await other.stop();
      const stages: readonly string[] = stagesOf(played).map(({ id }) => id);
      expect((await run.state()).completed.filter((id) => stages.includes(id))).toEqual(stages);
      const answered = (await run.events()).flatMap((event) => (event.type === 'turn.answered' ? [event.command] : []));
      expect(new Set(answered).size).toBe(answered.length);
    },
    60_000,
  );
});
