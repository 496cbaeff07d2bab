import { afterEach, describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/contract/snapshot';
import { plainRow } from '../../src/core/history/event-rows';
import { createMetrics, type Metrics } from '../../src/panel/metrics';
import { eventSentence } from '../../src/wording/event-words';
import { CHAIN, failed, openArmedCore, prompted, started } from '../core/virtual-core';
import { fakeHost } from '../support/panel-host';
import { modelRow, snapshotOf } from '../support/rows';
import { sampleAgent } from '../support/sample-agent';
import { sampleHeadroom } from '../support/sample-headroom';
import { sampleScorecard } from '../support/sample-scorecard';

let metrics: Metrics | null = null;
afterEach(() => metrics?.close());

const switchRow = (id: number, durationMs: number | null): EventRow => {
  const { turn: _, ...row } = plainRow('switch.rate_limit', { model: 'acme/lead', to: 'globex/steady', durationMs });
  return { ...row, id, at: 0 };
};

/** Samples by name and labels, without help and types. */
async function samples(from: Metrics): Promise<Map<string, number>> {
  const lines = (await from.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('given a core with a scorecard of 11 attempts', () => {
  it('when metrics are read, then they are its counts, by the names and units of Prometheus', async () => {
    const alert = { since: '2026-11-01T10:00:00.000Z', until: '2026-11-01T10:05:00.000Z' };
    const host = fakeHost(snapshotOf([], { models: [modelRow({ model: 'acme/lead', state: 'open' })] }), {
      'scorecard.get': () => ({ ...sampleScorecard(), alert }),
    });
    metrics = createMetrics(host);
    const seen = await samples(metrics);
    expect(
      [
        'understudy_attempts_total{model="acme/lead",outcome="success"}',
        'understudy_attempts_total{model="acme/lead",outcome="failure"}',
        'understudy_failures_total{model="acme/lead",kind="overloaded"}',
        'understudy_tokens_total{model="globex/steady",kind="cache_read"}',
        'understudy_cost_usd_total{model="globex/steady"}',
        'understudy_circuit_openings_total{model="acme/lead"}',
        'understudy_switches_total{from="acme/lead",to="globex/steady"}',
        'understudy_turns_saved_total',
        'understudy_turns_total{outcome="answered"}',
        'understudy_failure_alert',
        'understudy_model_state{model="acme/lead",state="open"}',
        'understudy_model_state{model="acme/lead",state="ready"}',
        'understudy_info{version="0.1.0"}',
        'understudy_switch_duration_seconds_count',
      ].map((name) => seen.get(name)),
    ).toEqual([4, 3, 1, 1_200, 0.0246, 1, 9, 3, 8, 1, 1, 0, 1, 0]);
  });

  it('when tools have failed, then each reason is counted, and none where nobody would have told', async () => {
    const card = sampleScorecard();
    const toolReasons = { validation: 2, permission: 0, not_found: 0, timeout: 1, execution: 0 };
    const [first, ...others] = card.models;
    const models = [{ ...first!, errors: { tool: 3, toolReasons, toolRepeats: 1, provider: 3 } }, ...others];
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'scorecard.get': () => ({ ...card, models }) }));
    const seen = [...(await samples(metrics))].filter(([name]) => name.startsWith('understudy_tool_failures_total'));
    const named = (reason: string) => `understudy_tool_failures_total{model="${first?.model}",reason="${reason}"}`;
    expect(seen).toEqual(Object.entries(toolReasons).map(([reason, count]) => [named(reason), count]));
  });

  it('when turns waited and models were asked again, then retries, waits and the seconds they took are counted', async () => {
    const card = sampleScorecard();
    const totals = { ...card.totals, retries: 4, waits: { count: 3, totalMs: 12_500, p50Ms: 4_000, p95Ms: 5_000 } };
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'scorecard.get': () => ({ ...card, totals }) }));
    const seen = await samples(metrics);
    const names = ['understudy_retries_total', 'understudy_waits_total', 'understudy_waited_seconds_total'];
    expect(names.map((name) => seen.get(name))).toEqual([4, 3, 12.5]);
  });

  it('when providers were out of reach, tools failed again and answers were continued, then each model has its counts', async () => {
    const card = sampleScorecard();
    const [first, second, ...others] = card.models;
    const toolReasons = { validation: 2, permission: 0, not_found: 0, timeout: 1, execution: 0 };
    const told = {
      ...first!,
      networkActivations: 2,
      errors: { tool: 3, toolReasons, toolRepeats: 1, provider: 3 },
      quality: { ...first!.quality, continued: 5 },
    };
    const models = [told, { ...second!, networkActivations: 0 }, ...others];
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'scorecard.get': () => ({ ...card, models }) }));
    const seen = await samples(metrics);
    const of = (name: string) => [told.model, second?.model].map((model) => seen.get(`${name}{model="${model}"}`));
    expect(of('understudy_network_openings_total')).toEqual([2, 0]);
    // Of the second model nobody would have told.
    expect(of('understudy_tool_repeats_total')).toEqual([1, undefined]);
    expect(of('understudy_continued_answers_total')).toEqual([5, undefined]);
  });

  it('when an agent has had turns in the last day, then its availability is told, and no share where nothing has ended', async () => {
    const asked: unknown[] = [];
    const snapshot = snapshotOf([]);
    const ask = (range: unknown) => {
      asked.push(range);
      return [sampleAgent('oracle', { value: null, lower: null, upper: null, n: 0 })];
    };
    metrics = createMetrics(fakeHost(snapshot, { 'scorecard.agents': ask }));
    const seen = await samples(metrics);
    expect(asked).toEqual([{ sinceMs: snapshot.at - 86_400_000 }]);
    expect(
      [
        'understudy_agent_turns{agent="oracle",outcome="answered"}',
        'understudy_agent_availability_ratio{agent="oracle"}',
        'understudy_agent_lead_availability_ratio{agent="oracle"}',
        'understudy_agent_fallback_answered_ratio{agent="oracle"}',
        'understudy_agent_waited_seconds{agent="oracle"}',
      ].map((name) => seen.get(name)),
    ).toEqual([7, 0.875, 0.5, undefined, 95]);
  });

  it('when limits of accounts are known, then what is left of each is told, and nothing of one that has begun anew', async () => {
    const snapshot = snapshotOf([]);
    metrics = createMetrics(fakeHost({ ...snapshot, headroom: sampleHeadroom(snapshot.at) }));
    const seen = [...(await samples(metrics))].filter(([name]) => name.startsWith('understudy_headroom'));
    const resetAt = (ms: number) => (snapshot.at + ms) / 1_000;
    expect(seen).toEqual([
      ['understudy_headroom_ratio{account="anthropic",window="unified-5h",model=""}', expect.closeTo(0.28, 9)],
      ['understudy_headroom_ratio{account="anthropic",window="unified-7d",model=""}', expect.closeTo(0.59, 9)],
      [
        'understudy_headroom_ratio{account="openai (work)",window="tokens",model="openai/gpt-5"}',
        expect.closeTo(0.82, 9),
      ],
      [
        'understudy_headroom_reset_timestamp_seconds{account="anthropic",window="unified-5h",model=""}',
        resetAt(7_200_000),
      ],
      [
        'understudy_headroom_reset_timestamp_seconds{account="anthropic",window="unified-7d",model=""}',
        resetAt(216_000_000),
      ],
      [
        'understudy_headroom_reset_timestamp_seconds{account="openai (work)",window="tokens",model="openai/gpt-5"}',
        resetAt(11_000),
      ],
    ]);
  });

  it('when single attempts cannot be read, then everything else is told all the same', async () => {
    const gone = () => {
      throw new Error('gone');
    };
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'scorecard.agents': gone }));
    const text = await metrics.text();
    expect([text.includes('understudy_info'), text.includes('understudy_agent_turns{')]).toEqual([true, false]);
  });

  it('when a name holds quotes, then it is escaped', async () => {
    metrics = createMetrics(fakeHost(snapshotOf([])));
    expect(await metrics.text()).toContain('model="=evil/<script>alert(1)</script>|`x`,\\"y\\""');
  });

  it('when two switches are timed after the first look, then each is counted once, in seconds', async () => {
    const host = fakeHost(snapshotOf([], { events: [switchRow(7, 90_000)] }));
    metrics = createMetrics(host);
    await metrics.text();
    host.publish(snapshotOf([], { events: [switchRow(8, null), switchRow(7, 90_000)] }));
    host.publish(snapshotOf([], { events: [switchRow(9, 250), switchRow(8, 30), switchRow(7, 90_000)] }));
    const seen = await samples(metrics);
    expect([
      seen.get('understudy_switch_duration_seconds_count'),
      seen.get('understudy_switch_duration_seconds_sum'),
      seen.get('understudy_switch_duration_seconds_bucket{le="0.05"}'),
    ]).toEqual([2, 0.28, 1]);
  });

  it('when the core does not answer, then there are no metrics', async () => {
    const gone = () => {
      throw new Error('gone');
    };
    metrics = createMetrics(fakeHost(snapshotOf([]), { 'scorecard.get': gone }));
    await expect(metrics.text()).rejects.toThrow('Understudy does not answer.');
  });
});

describe('given ten requests that fail within five minutes', () => {
  it('when the tenth has failed, then one row says so and the gauge is 1; when it is over, then it is 0 again', async () => {
    const { core, tell, clock } = openArmedCore();
    metrics = createMetrics(core.host);
    const alert = async () => (await samples(metrics as Metrics)).get('understudy_failure_alert');
    const told = async () =>
      (await core.host.handlers['snapshot.get'](null)).events.filter(({ code }) => code === 'failures.many');
    const fail = (n: number): void => {
      tell(prompted({ turn: `t${n}` }));
      const decided = { kind: 'keep', code: 'keep.lead' } as const;
      tell(started({ attempt: `a${n}`, turn: `t${n}`, model: CHAIN[0], decided }));
      tell(failed(`a${n}`, { phase: 'body', status: 500, message: 'broken' }));
      clock.advance(1_000);
    };
    for (let n = 0; n < 9; n++) fail(n);
    expect([await alert(), await told()]).toEqual([0, []]);
    fail(9);
    fail(10);
    const [row, ...others] = await told();
    expect([await alert(), others]).toEqual([1, []]);
    expect(eventSentence(row as EventRow)).toMatch(/^Ten requests failed within five minutes/);
    clock.advance(600_000);
    expect(await alert()).toBe(0);
  });
});
