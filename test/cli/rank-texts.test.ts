import { describe, expect, it } from 'vitest';
import { painter } from '../../src/cli/paint';
import { answer, type Handlers } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { proposalText, rankText } from '../../src/features/ranking/cli/texts';
import type { RankAnswer } from '../../src/features/ranking/contract/ranking';
import { createRankingDesk } from '../../src/features/ranking/core/desk';
import { rankingStage } from '../support/ranking-port';

registerFeatures();

/** What is answered of two models, one of which leads. */
async function answered(models: readonly string[]): Promise<RankAnswer> {
  const catalogue = Object.fromEntries(models.map((model) => [model, { vendor: 'openai', tools: true }]));
  const { port } = rankingStage({ catalogue, present: models.slice(0, 1) });
  const desk = createRankingDesk({ port, wall: () => 1_790_000_000_000, schedule: () => () => undefined });
  const reply = await answer(desk as unknown as Handlers, 'rank.get', { directory: '/p', agent: 'build' });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.value as RankAnswer;
}

describe('given a proposal in a terminal', () => {
  it('when it has colours, then they are whole, and one of a thing is not said to be several', async () => {
    const text = proposalText(await answered(['openai/gpt-5']), painter(true));
    expect(text.split('\n')[0]).toBe('\u001b[1mPremium\u001b[22m');
    expect(text).toContain('\n1 model of 1 vendor through 1 account, US\n');
  });
});

describe('given models that may be published under another name', () => {
  it('when a name would be run by a shell, then the command that is shown has it in quotes', async () => {
    const text = rankText(await answered(['evil/$(date)-claude-opus-4-5']), painter(false));
    expect(text).toContain("understudy chains data match 'evil/$(date)-claude-opus-4-5' anthropic/");
  });
});
