import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { metricsPath, openMetrics } from '../../../src/features/council/node/metrics';
import { councilStep } from '../../../src/features/council/rules/run/step';
import { initialCouncil } from '../../../src/features/council/rules/state/state';
import { dutiful, openWorld, settingsOf, setupFor, speaker } from '../../support/council-world';

it('writes retries and accepted fallbacks as lines of JSON, and nothing of what was said', async () => {
  const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')], { oracle: 'gpt' });
  const world = openWorld(setupFor(settings), (prompt) =>
    prompt.model === 'anthropic/claude' ? { fails: { kind: 'rate_limit' }, retries: 2 } : { says: dutiful(prompt) },
  );
  world.play(100);
  world.tell({ type: 'question.answered', yes: true, actor: 'test' });
  world.play();
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const metrics = openMetrics(
    home,
    () => undefined,
    () => new Date(0),
  );
  world.log.reduce((state, { event, at }) => {
    const step = councilStep(state, event, at);
    metrics.note(step, event);
    return step.state;
  }, initialCouncil);
  await metrics.flush();
  const lines = (await readFile(metricsPath(home), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const about = { timestamp: '1970-01-01T00:00:00.000Z', session_id: 'r1', ai_id: 'claude' };
  expect(lines[0]).toEqual({ ...about, event: 'retry_attempt', attempt: 2, error_type: 'rate_limit', duration_ms: 5 });
  expect(lines.at(-1)).toEqual({
    ...{ ...about, event: 'fallback_accepted' },
    ...{ primary_model: 'anthropic/claude', fallback_model: 'anthropic/claude-small' },
  });
  expect((await stat(metricsPath(home))).mode & 0o777).toBe(0o600);
  await rm(home, { recursive: true });
});
