import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { clock } from '../../src/wording/wording';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { agentRow, press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

const SESSION = '#/sessions/ses_live';

async function show(change: Partial<Snapshot> = {}, hash = '#/now') {
  const core = new ScriptedCore({ ...sampleSnapshot(), ...change });
  shown = renderPanel(core, hash);
  // The view of sessions is a file of its own.
  await act(async () => void (await import('../../src/renderer/pages/sessions/SessionsPage')));
  await act(async () => {});
  return { core, page: shown.page };
}

const PLAN = { directory: '/home/ada/code/storefront-api', agent: 'plan' };
const question = (id: string, skippedAt: number | null): Snapshot['questions'][number] => {
  const [model, to] = ['lmstudio/qwen3', 'openai/gpt-5'];
  return { id, session: 'ses_live', agent: 'sentinel', model, to, kind: 'overloaded', skippedAt };
};
const acts = (core: ScriptedCore) => core.asked.filter(({ name }) => name === 'person.act').map(({ input }) => input);

afterEach(() => {
  shown?.remove();
  shown = null;
});

describe('given two questions that wait for a person', () => {
  const questions = [question('t1|qwen', SAMPLE_AT + 42_000), question('t2|qwen', null)];

  it('when the page is shown, then only the open one is put, with its time and what follows', async () => {
    const { page } = await show({ questions });
    expect([...page.querySelectorAll('.ask')].map(textOf)).toEqual([
      'May gpt-5 answer for sentinel?qwen3 is overloaded. Unless you choose yes, sentinel is paused in this session until you bring it back. 1 question more.0:42then pausedYesNo',
    ]);
  });

  it.each([
    ['Yes', true],
    ['No', false],
  ])('when %s is pressed, then the core hears it', async (name, yes) => {
    const { core, page } = await show({ questions });
    await press([...page.querySelectorAll('.ask button')].find((button) => textOf(button) === name));
    expect(acts(core)).toEqual([{ act: { type: 'question.answered', question: 't1|qwen', yes }, rev: 41 }]);
  });
});

describe('given an agent on its understudy', () => {
  it('when it is held there, then it is pinned for 30 min, and Undo lets it go with the new revision', async () => {
    const { core, page } = await show({}, SESSION);
    await press(agentRow(page, 'plan').querySelector('[aria-label="Pin here: plan"]'));
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo'));
    expect(acts(core)).toEqual([
      { act: { type: 'agent.pinned', ...PLAN, model: 'openai/gpt-5', forMs: 1_800_000 }, rev: 41 },
      { act: { type: 'agent.pinned', ...PLAN, model: null, forMs: null }, rev: 42 },
    ]);
  });

  it('when it is pinned, then the row says until when and lets it go', async () => {
    const pin = { ...PLAN, model: 'openai/gpt-5', until: SAMPLE_AT + 60_000, since: SAMPLE_AT, by: 'panel' };
    const { core, page } = await show({ pins: [pin] }, SESSION);
    expect(textOf(agentRow(page, 'plan'))).toMatch(/You pinned it to gpt-5.*Until/);
    await press(page.querySelector('[aria-label="Unpin: plan"]'));
    expect(acts(core)).toEqual([{ act: { type: 'agent.pinned', ...PLAN, model: null, forMs: null }, rev: 41 }]);
  });

  it('when another agent is pinned and the queue lets it go, then the toast is a sentence about that one', async () => {
    const pin = {
      ...PLAN,
      agent: 'build',
      model: 'openai/gpt-5',
      until: SAMPLE_AT + 60_000,
      since: SAMPLE_AT,
      by: 'panel',
    };
    const { page } = await show({ pins: [pin] });
    await press(page.querySelector('.q [aria-label="Unpin build"]'));
    expect(textOf(document.querySelector('.toast [role=alert], .toast span'))).toBe('build follows its chain again.');
  });

  it('when its lead waits for a person, then the row leads to the page that says what to mend', async () => {
    const { page } = await show({}, SESSION);
    expect(agentRow(page, 'review').querySelector('[aria-label="Fix devstral-medium"]')?.getAttribute('href')).toBe(
      '#/models/mistral%2Fdevstral-medium',
    );
  });

  it('when somebody asks why, then the latest decision is told: evidence, rule, every model with its reason', async () => {
    const { core, page } = await show({}, SESSION);
    const event = sampleSnapshot().events.find(({ id }) => id === 15)!;
    core.handlers = {
      ...core.handlers,
      'decision.explain': () => ({
        event,
        rule: { kind: 'rate_limit', steps: [{ step: 'switch' }] },
        asked: [],
        isFromHistory: false,
      }),
    };
    const row = agentRow(page, 'plan');
    const why = row.querySelector('[aria-expanded]');
    expect([why?.getAttribute('aria-label'), why?.getAttribute('aria-expanded')]).toEqual([
      'Why does plan use gpt-5?',
      'false',
    ]);
    await press(why);
    expect(core.asked).toContainEqual({ name: 'decision.explain', input: { session: 'ses_live', agent: 'plan' } });
    const told = row.parentElement?.querySelector('.agent-why');
    expect(textOf(told?.querySelector('.facts'))).toContain(
      'RuleWhen a model is rate limited: switch to the next model.',
    );
    expect([...(told?.querySelectorAll('tbody tr') ?? [])].map((line) => textOf(line.lastElementChild))).toEqual([
      'rate limited limit.rate_limit',
      'the first available model chain.first',
      'available, but an earlier model was chosen chain.later',
      'available, but an earlier model was chosen chain.later',
    ]);
  });
});

describe('given an agent whose only model is limited, so that OpenCode waits with its turn', () => {
  it('when the page is shown, then headline and row say so until when, and its button leads to where a fallback is added', async () => {
    const sample = sampleSnapshot();
    const until = SAMPLE_AT + 832_000;
    const sessions = sample.sessions.map((session) => ({
      ...session,
      agents: session.agents.map((row) =>
        row.agent === 'plan'
          ? {
              ...row,
              ...{ position: 0, lead: row.active, why: null, chain: row.chain.slice(0, 1), isAlone: true },
              waits: { by: 'host', model: row.lead, kind: 'rate_limit', status: 429, since: SAMPLE_AT, until } as const,
            }
          : row,
      ),
    }));
    const { page } = await show({ sessions });
    const title = `plan is stuck until about ${clock(until)}: it has no fallback model.`;
    expect(textOf(page.querySelector('h1'))).toContain(title);
    const [first] = page.querySelectorAll('.q');
    const link = first?.querySelector('a');
    expect(textOf(first?.querySelector('b') ?? null)).toBe(title);
    expect([textOf(link ?? null), link?.getAttribute('href'), link?.getAttribute('aria-label')]).toEqual([
      ...['Add one…', `#/chains/${encodeURIComponent(`${PLAN.directory}|plan`)}`, 'Add one… plan'],
    ]);
  });
});

describe('given an agent that is left out of its session', () => {
  it('when it is brought back, then the core hears its name and session', async () => {
    const [session, ...rest] = sampleSnapshot().sessions;
    const [first, ...others] = session!.agents;
    const agents = [{ ...first!, isLeftOut: true }, ...others];
    const { core, page } = await show({ sessions: [{ ...session!, agents }, ...rest] });
    await press(page.querySelector('[aria-label="Bring back plan"]'));
    expect(acts(core)).toEqual([{ act: { type: 'speaker.retried', session: 'ses_live', agent: 'plan' }, rev: 41 }]);
  });
});

describe('given switching that can be paused', () => {
  it('when it is paused for 1 hour, then the consequence is told first', async () => {
    const { core, page } = await show();
    await press([...page.querySelectorAll('.head button')].find((button) => textOf(button) === 'Pause…'));
    expect(textOf(document.querySelector('.dialog-lines'))).toBe(
      'The next message of each agent goes to its primary, available or not. When a model fails, work stops.',
    );
    await press(document.querySelectorAll('dialog input')[1]);
    await press(document.querySelector('dialog .btn-main'));
    expect(acts(core)).toEqual([{ act: { type: 'switching.paused', forMs: 3_600_000 }, rev: 41 }]);
  });

  it('when it is paused already, then the page says until when and lets it go on', async () => {
    const { core, page } = await show({ pause: { until: SAMPLE_AT, since: SAMPLE_AT, by: 'panel' } });
    expect(textOf(page.querySelector('.head-actions'))).toContain(`Paused until ${clock(SAMPLE_AT)}`);
    await press([...page.querySelectorAll('.head button')].find((button) => textOf(button) === 'Resume'));
    expect(acts(core)).toEqual([{ act: { type: 'switching.resumed' }, rev: 41 }]);
  });
});
