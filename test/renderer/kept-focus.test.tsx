import { afterEach, describe, expect, it } from 'vitest';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { renderPanel, ScriptedCore } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

afterEach(() => {
  shown?.remove();
  shown = null;
});

const questions = ['q1', 'q2'].map((id) => ({
  ...{ id, session: 'ses_1', agent: 'oracle', model: 'openai/gpt-5', to: null },
  ...{ kind: 'overloaded' as const, skippedAt: SAMPLE_AT + 60_000 },
}));

/** The page with a question that waits, and how it is without one. */
function show() {
  const core = new ScriptedCore({ ...sampleSnapshot(), questions: questions.slice(0, 1) });
  shown = renderPanel(core);
  const { page } = shown;
  const yes = page.querySelector<HTMLElement>('.ask .btn-main');
  const answered = async () => {
    await Promise.resolve();
    core.push({ ...sampleSnapshot(), rev: sampleSnapshot().rev + 1 });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { page, yes, answered };
}

describe('given a control that goes away by itself', () => {
  it('when it has the focus, then what is around it takes over', async () => {
    const { page, yes, answered } = show();
    yes?.focus();
    expect(document.activeElement).toBe(yes);
    await answered();
    expect([yes?.isConnected, document.activeElement]).toEqual([false, page.querySelector('main')]);
  });

  it('when the focus is elsewhere, then it stays there', async () => {
    const { page, yes, answered } = show();
    yes?.focus();
    const link = page.querySelector<HTMLElement>('nav a');
    link?.focus();
    await answered();
    expect([yes?.isConnected, document.activeElement]).toEqual([false, link]);
  });

  it('when it was left by a click beside it, then nothing takes the focus', async () => {
    const { yes, answered } = show();
    yes?.focus();
    yes?.blur();
    await answered();
    expect([yes?.isConnected, document.activeElement]).toEqual([false, document.body]);
  });
});
