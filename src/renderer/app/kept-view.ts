import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import type { Panel } from './panel';
import { type Memory, remember, remembered } from './remembered';

const NAME = 'view';
const Tier = z.object({ id: z.int(), name: z.string().nullable(), size: z.int().nonnegative() });
const Lists = z.object({ models: z.array(z.string()), tiers: z.array(Tier) });

const View = z.object({
  hash: z.string(),
  top: z.number(),
  drafts: z.record(
    z.string(),
    z.object({ base: Lists, now: Lists, past: z.array(Lists), future: z.array(Lists), theirs: Lists.nullable() }),
  ),
  policyDrafts: z.record(
    z.string(),
    z.object({ typed: z.record(z.string(), z.string()), ownName: z.string(), isForAll: z.boolean() }).nullable(),
  ),
});

/** Restores drafts and scroll position once: the desktop shell closes long-hidden windows and reopens their address. */
export function keepView({ drafts, policyDrafts }: Pick<Panel, 'drafts' | 'policyDrafts'>, memory?: Memory): void {
  const view = View.safeParse(parseJson(remembered(NAME, memory) ?? '')).data;
  remember(NAME, '', memory);
  if (view) {
    drafts.setState(view.drafts);
    policyDrafts.setState(view.policyDrafts);
    if (view.hash === window.location.hash) scrollOnceDrawn(view.top);
  }
  const keep = () => {
    const view: z.input<typeof View> = {
      hash: window.location.hash,
      top: window.scrollY,
      drafts: mutable(drafts.getState()),
      policyDrafts: mutable(policyDrafts.getState()),
    };
    remember(NAME, JSON.stringify(view), memory);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) keep();
  });
  window.addEventListener('pagehide', keep);
}

// Read-only state is read back as plain data.
const mutable = <T, Plain>(state: T): Plain => state as unknown as Plain;

/** The page reaches its full height only once it is drawn. */
function scrollOnceDrawn(top: number): void {
  if (top <= 0) return;
  const watch = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < top + window.innerHeight) return;
    watch.disconnect();
    window.scrollTo(0, top);
  });
  watch.observe(document.body);
}
