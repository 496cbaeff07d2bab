import { afterEach, describe, expect, it } from 'vitest';
import { createDrafts, createPolicyDrafts } from '../../src/renderer/app/drafts';
import { keepView } from '../../src/renderer/app/kept-view';
import { forTab } from '../../src/renderer/app/remembered';

afterEach(() => sessionStorage.clear());

/** Drafts as a page has them once it is loaded. */
function loaded() {
  const panel = { drafts: createDrafts(), policyDrafts: createPolicyDrafts() };
  keepView(panel, forTab);
  return panel.drafts;
}

describe('given a draft with one step', () => {
  it('when the page is loaded again, then the draft and its step are there', () => {
    const [base, now] = [
      { models: ['a/1', 'b/1'], tiers: [] },
      { models: ['b/1', 'a/1'], tiers: [] },
    ];
    const drafts = { plan: { base, now, past: [base], future: [], theirs: null } };
    loaded().setState(drafts);
    window.dispatchEvent(new Event('pagehide'));
    expect(loaded().getState()).toEqual(drafts);
  });
});
