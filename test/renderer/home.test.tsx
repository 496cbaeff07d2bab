import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentRow, Snapshot } from '../../src/contract/snapshot';
import { clock } from '../../src/wording/wording';
import { agentRow as agent, modelRow, snapshotOf, understudyRow } from '../support/rows';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

async function show(snapshot: Snapshot, handlers: Partial<ScriptedCore['handlers']> = {}) {
  const core = new ScriptedCore(snapshot);
  core.handlers = { ...core.handlers, ...handlers };
  shown = renderPanel(core, '#/now');
  await act(async () => {});
  return { core, page: shown.page };
}

afterEach(() => {
  shown?.remove();
  shown = null;
});

const [SONNET, GPT] = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'] as const;
const SHOP = '/home/ada/shop';
type State = AgentRow['chain'][number]['state'];
const chainOf = (...states: readonly State[]): AgentRow['chain'] =>
  states.map((state, index) => ({ model: [SONNET, GPT][index] ?? `p/model-${index}`, state, code: null }));
const armedOf = (...states: readonly State[]): Snapshot['chains'][number] => ({
  ...{ directory: '/home/ada/shop', agent: 'build', chain: chainOf(...states) },
});
const entries = (page: Element) => [...page.querySelectorAll('.q')].map((row) => textOf(row));
const rows = (page: Element) =>
  [...page.querySelectorAll('.map-row:not(.map-head)')].map((row) => [
    textOf(row.querySelector('.map-agents')),
    [...row.querySelectorAll('.seat')].map((seat) => `${textOf(seat)}${seat.hasAttribute('aria-current') ? ' *' : ''}`),
    textOf(row.querySelector('.verd')),
  ]);

describe('given a spent budget that stops an agent which has not spoken', () => {
  it('when the page is shown, then its row says so, and not that it is protected', async () => {
    const chains = [{ ...armedOf('ready', 'ready'), isHalted: true }];
    const { page } = await show({ ...snapshotOf([]), chains });
    expect(rows(page).map((row) => row.at(-1))).toEqual(['Budget spent']);
  });
});

describe('given a busy afternoon', () => {
  it('when the page is shown, then all there is to see to stands below the headline, the worst first', async () => {
    const { page } = await show(sampleSnapshot());
    expect([textOf(page.querySelector('h1')), textOf(page.querySelector('.lede'))]).toEqual([
      ...['mistral needs you.', '4 of 4 agents have a fallback model in the chain.'],
    ]);
    expect(entries(page)).toEqual([
      'mistral needs you. Fix the problem that mistral reports, then reset it.Fix…',
      `plan uses gpt-5, 2 of 4. claude-opus-4-1 is rate limited (429).${clock(SAMPLE_AT + 14 * 60_000)} · 14 min, provider saysWhy?`,
      'review uses claude-sonnet-4.5:free, 3 of 3. devstral-medium is refusing the API key (401).Why?Fix…',
      `build has one model left now. When it fails, work stops.${clock(SAMPLE_AT + 14 * 60_000)} · 14 min, provider says`,
    ]);
  });

  it('when an entry is asked why, then the decision is told below it, with what else can be done', async () => {
    const event = sampleSnapshot().events.find(({ id }) => id === 15);
    if (!event) throw new Error('no event');
    const { core, page } = await show(sampleSnapshot(), {
      'decision.explain': () => ({
        event,
        rule: { kind: 'rate_limit', steps: [{ step: 'switch' }] },
        asked: [],
        isFromHistory: false,
      }),
    });
    const why = page.querySelector('[aria-label="Why does plan use gpt-5?"]');
    await press(why);
    const told = page.querySelector('.q-why:not([hidden])');
    expect([why?.getAttribute('aria-expanded'), textOf(told?.querySelector('.facts') ?? null)]).toEqual([
      ...['true', expect.stringContaining('RuleWhen a model is rate limited: switch to the next model.')],
    ]);
    expect(told?.querySelector('a')?.getAttribute('href')).toBe('#/sessions/ses_live');
    await press(told?.querySelector('[aria-label="Pin here: plan"]') ?? null);
    expect(core.asked.at(-1)).toEqual({
      name: 'person.act',
      input: {
        act: {
          ...{ type: 'agent.pinned', directory: '/home/ada/code/storefront-api', agent: 'plan' },
          ...{ model: 'openai/gpt-5', forMs: 1_800_000 },
        },
        rev: 41,
      },
    });
  });

  it('when the agent comes home in a newer snapshot, then entry and map follow without a reload', async () => {
    const { core, page } = await show(sampleSnapshot());
    const next = sampleSnapshot();
    const session = next.sessions[0]!;
    const well = <Row extends Pick<AgentRow, 'chain'>>(row: Row) => ({
      ...row,
      chain: row.chain.map((link) => ({ ...link, state: 'ready' as const })),
    });
    const home = { ...well(session.agents[0]!), active: session.agents[0]!.lead, position: 0, why: null };
    const sessions = [{ ...session, agents: [home] }];
    core.push({ ...next, rev: next.rev + 1, models: [], chains: next.chains.map(well), sessions });
    expect([entries(page), rows(page).map(([, , standing]) => standing)]).toEqual([
      ...[[], ['Protected', 'Protected', 'Protected']],
    ]);
  });
});

describe('given eight agents', () => {
  const seven = Array.from({ length: 7 }, (_, index) => understudyRow({ agent: `a${index}`, key: `k${index}` }));

  it('when more than six are to be seen to, then five are shown, and the others when they are asked for', async () => {
    const { page } = await show(snapshotOf(seven));
    expect(entries(page)).toHaveLength(5);
    await press([...page.querySelectorAll('.queue button')].find((button) => textOf(button) === 'Show 2 more') ?? null);
    expect(entries(page)).toHaveLength(7);
  });

  it('when six are to be seen to, then all are shown', async () => {
    const { page } = await show(snapshotOf(seven.slice(0, 6)));
    expect(entries(page)).toHaveLength(6);
  });
});

describe('given the map of who is protected', () => {
  it('when agents have equal chains and stand the same way, then they share a row; the worst is first', async () => {
    const armed = (name: string, ...states: State[]) => ({
      ...{ directory: SHOP, agent: name, chain: chainOf(...states) },
    });
    const snapshot = snapshotOf([understudyRow({ agent: 'plan', chain: chainOf('cooling', 'ready') })], {
      chains: [
        ...[armed('build', 'ready', 'ready'), armed('docs', 'ready', 'ready'), armed('plan', 'cooling', 'ready')],
        { ...armed('explore', 'ready'), isAlone: true },
        armed('review', 'ready', 'ready', 'ready', 'ready', 'ready', 'ready', 'ready'),
      ],
      others: [{ directory: SHOP, agent: 'general', lead: null, by: 'nobody' }],
    });
    const { page } = await show(snapshot);
    expect(rows(page)).toEqual([
      ['explore', ['claude-sonnet-4-5, ready, active *', 'none'], 'No fallback'],
      ['general', ['unknown', 'none'], 'No fallback'],
      ['plan', ['claude-sonnet-4-5, cooling', 'gpt-5, ready, active *'], 'Model 2 of 2'],
      ['build, docs', ['claude-sonnet-4-5, ready, active *', 'gpt-5, ready'], 'Protected'],
      [
        'review',
        [
          ...['claude-sonnet-4-5, ready, active *', 'gpt-5, ready'],
          ...['model-2, ready', 'model-3, ready', 'model-4, ready'],
        ],
        'Protected',
      ],
    ]);
    expect(textOf(page.querySelector('.seat-more'))).toBe('+2');
    expect([...page.querySelectorAll('.map-agent')].map((link) => link.getAttribute('href'))).toContain(
      `#/chains/${encodeURIComponent(`${SHOP}|docs`)}`,
    );
  });

  it.each<[string, AgentRow | null, Partial<Snapshot>, string]>([
    [
      'an answer is waited for',
      agent(),
      {
        questions: [
          {
            ...{ id: 'q', session: 'ses_1', agent: 'build', model: SONNET, to: GPT, kind: 'overloaded' },
            skippedAt: null,
          },
        ],
      },
      'Waits for you',
    ],
    ['nobody is left', agent({ chain: chainOf('open', 'cooling') }), {}, 'All models unavailable'],
    ['it has stopped', agent({ status: 'exhausted' }), {}, 'Stopped'],
    ['it is left out', agent({ isLeftOut: true }), {}, 'Paused'],
    [
      'it stands still',
      agent({ waits: { by: 'host', model: SONNET, kind: 'overloaded', status: 529, since: 0, until: null } }),
      {},
      'Waits for a retry',
    ],
    [
      'it waits by itself',
      agent({ waits: { by: 'hold', model: SONNET, kind: 'overloaded', status: 529, since: 0, until: 9 } }),
      {},
      'Waits for a retry',
    ],
    [
      'fallback is off',
      agent({ chain: chainOf('ready') }),
      { others: [{ directory: '/home/ada/shop', agent: 'build', lead: SONNET, by: 'off' }] },
      'Fallback off',
    ],
    ['it has not been told of', agent({ chain: chainOf('ready') }), {}, 'No fallback'],
    ['nobody has spoken, and all are out', null, { chains: [armedOf('open', 'cooling')] }, 'No model now'],
    ['nobody has spoken, and one is left', null, { chains: [armedOf('open', 'ready')] }, 'One model left'],
    [
      'the model of last resort is there beside them',
      null,
      { chains: [{ ...armedOf('ready', 'cooling'), backup: { model: 'z/last', state: 'ready', code: null } }] },
      'Protected',
    ],
    [
      'fallback is paused',
      agent(),
      { pause: { until: null, since: 0, by: 'panel' }, chains: [armedOf('ready', 'ready')] },
      'Paused',
    ],
    ['all is well', agent(), {}, 'Protected'],
  ])('when %s, then its row says so', async (_, row, change, standing) => {
    const { page } = await show(snapshotOf(row ? [row] : [], change));
    expect(rows(page).map(([, , said]) => said)).toEqual([standing]);
  });

  it('when fallback is switched off, then no chain is asked for, and nobody is called without a fallback model', async () => {
    const others = [{ directory: '/home/ada/shop', agent: 'build', lead: SONNET, by: 'off' as const }];
    const { page } = await show(snapshotOf([agent({ chain: chainOf('ready') })], { others }));
    expect(textOf(page.querySelector('.lede'))).not.toMatch(/fallback model in the chain/);
    expect(textOf(page)).not.toContain('Add a fallback model.');
  });

  it('when two projects are open, then each agent is named with its own', async () => {
    const armed = (directory: string, ...states: State[]) => ({
      ...{ directory, agent: 'build', chain: chainOf(...states) },
    });
    const { page } = await show(
      snapshotOf([], { chains: [armed(SHOP, 'ready', 'ready'), armed('/home/ada/blog', 'ready', 'ready')] }),
    );
    expect(rows(page).map(([names]) => names)).toEqual(['build shop, build blog']);
  });
});

describe('given the ribbons of models', () => {
  const at = SAMPLE_AT;
  const HOUR = 3_600_000;
  const models = [
    modelRow({ model: SONNET, state: 'cooling', since: at - HOUR, until: at + HOUR, source: 'provider' }),
    modelRow({ model: GPT }),
  ];

  it('when the page is shown, then each has its 24 hours in words and in stretches, and what is left of now', async () => {
    const asked: unknown[] = [];
    const { page } = await show(snapshotOf([], { at, models }), {
      'models.states': (input) => {
        asked.push(input);
        return [
          {
            model: SONNET,
            states: [
              { state: 'ready', at: at - 23 * HOUR },
              { state: 'cooling', at: at - HOUR },
            ],
          },
        ];
      },
    });
    expect(asked).toEqual([{ models: [SONNET, GPT] }]);
    const lanes = [...page.querySelectorAll('.rib')];
    expect(lanes.map((lane) => lane.getAttribute('aria-label'))).toEqual([
      'In the last 24 hours: ready 22 h, cooling 60 min.',
      'No change of state in the last 24 hours.',
    ]);
    expect([...(lanes[0]?.children ?? [])].map((part) => [part.className, part.getAttribute('style')])).toEqual([
      ['s-ready', 'left: 4.17%; width: 91.67%;'],
      ['s-cooling', 'left: 95.83%; width: 4.17%;'],
    ]);
    expect(page.querySelector('.cool i')?.getAttribute('style')).toBe('width: 50.00%;');
    expect([...page.querySelectorAll('.rb-legend span')].map(textOf)).toEqual(['Ready', 'Cooling']);
  });

  it('when there are ten, then nine have a ribbon, and the caption says where the other one is', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => modelRow({ model: `p/m${index}` }));
    const { page } = await show(snapshotOf([], { at, models: ten }));
    const caption = page.querySelector('#ribbons')?.parentElement?.querySelector('.cap') ?? null;
    expect([page.querySelectorAll('.rib').length, textOf(caption)]).toEqual([
      ...[9, '10 of 10 ready; 1 more under Models'],
    ]);
  });
});
