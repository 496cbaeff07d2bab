import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRow, Snapshot } from '../../src/contract/snapshot';
import { hrefOf } from '../../src/renderer/app/routes';
import { sampleSnapshot } from '../support/sample-snapshot';
import { renderPanel, ScriptedCore } from './render-panel';

const CORPUS = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Egnp.exe',
  `${'x'.repeat(280)}`,
];

let shown: ReturnType<typeof renderPanel> | null = null;
afterEach(() => {
  shown?.remove();
  shown = null;
});

/** A snapshot in which everything a stranger can name is this text. */
function hostile(text: string): Snapshot {
  const snapshot = sampleSnapshot();
  const model = `evil/${text}`;
  const failure = { kind: 'auth', status: 401, message: text, at: snapshot.at } as const;
  const row: ModelRow = {
    ...snapshot.models[0]!,
    model,
    provider: text,
    name: text,
    agents: [text],
    lastFailure: failure,
  };
  const chain = [{ model, state: 'blocked' as const, code: text }];
  const agent = { ...snapshot.sessions[0]!.agents[0]!, agent: text, chain, active: model, lead: model, position: 0 };
  const problem = { severity: 'error', message: text, line: 1, column: 1 } as const;
  return {
    ...snapshot,
    sessions: [{ ...snapshot.sessions[0]!, project: text, directory: `/p/${text}`, agents: [agent] }],
    chains: [{ directory: `/p/${text}`, agent: text, chain }],
    models: [row],
    events: [{ ...snapshot.events[2]!, agent: text, model, to: model, detail: text, code: text }],
    config: [{ path: text, directory: null, problems: [problem] }],
    questions: [{ id: text, session: text, agent: text, model, to: model, kind: 'auth', skippedAt: null }],
  };
}

describe.each(CORPUS)('given a model, an agent, a project and an error called %s', (text) => {
  it.each([
    '#/now',
    hrefOf('chains', `/p/${text}|${text}`),
    hrefOf('models', `evil/${text}`),
    '#/events/15',
    `#/models/${text}`,
  ])('when %s is opened, then it is text and nothing else', async (address) => {
    const snapshot = hostile(text);
    const core = new ScriptedCore(snapshot);
    const led = (model: string) => ({ model, abilities: snapshot.models[0]!.abilities });
    const leads = { agent: text, from: led(`from/${text}`), to: led(`to/${text}`) };
    const written = { chain: 'own' as const, path: text, line: 1, policy: text, leads };
    const history = { failures: [snapshot.models[0]!.lastFailure!], states: [], firstWordMs: null };
    core.handlers = {
      ...core.handlers,
      'model.history': () => history,
      'decision.explain': () => ({
        event: snapshot.events[0]!,
        rule: { kind: 'quota', steps: [{ step: 'switch' }] },
        asked: [],
        isFromHistory: false,
      }),
      'chains.get': () => ({
        chains: [{ agent: text, models: [`evil/${text}`], tiers: [{ name: text, size: 1 }], ...written }],
        isUnread: false,
        problems: [],
      }),
    };
    shown = renderPanel(core, address);
    await act(async () => {});
    expect(document.querySelectorAll('script, img, iframe, object, embed, svg[onload], [onerror]')).toHaveLength(0);
    const links = [...shown.page.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
    expect(links.filter((href) => !href.startsWith('#/'))).toEqual([]);
    expect(shown.page.textContent).toContain(text);
  });
});
