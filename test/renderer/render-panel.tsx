import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { answer, type Handlers, type LinkState, type PanelApi, type PushName } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import { App } from '../../src/renderer/app/App';
import { checkedApi, NoAnswer, type Transport } from '../../src/renderer/app/api';
import { createPanel, PanelContext } from '../../src/renderer/app/panel';
import { quietHandlers } from '../support/quiet-handlers';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** A core the test speaks for: what it pushes is what the panel hears, through the real checks. */
export class ScriptedCore {
  readonly api: PanelApi;
  readonly asked: { name: string; input: unknown }[] = [];
  handlers: Handlers;
  isAnswering = true;
  readonly #hearers = new Map<string, Set<(data: unknown) => void>>();
  #onLink: (state: LinkState) => void = () => {};
  #snapshot: unknown;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    const accepted = () => ({ accepted: true as const, rev: snapshot.rev + 1 });
    this.handlers = { ...quietHandlers(() => snapshot), 'health.reset': accepted, 'person.act': accepted };
    const transport: Transport = {
      ask: async (name, input) => {
        this.asked.push({ name, input });
        if (!this.isAnswering) throw new NoAnswer('Understudy cannot be reached.');
        const answered = await answer(this.handlers, name, input);
        if (!answered.ok) throw new Error(answered.reason);
        return answered.value;
      },
      on: (name, listener) => {
        this.#hearers.set(name, (this.#hearers.get(name) ?? new Set()).add(listener));
        if (name === 'snapshot') listener(this.#snapshot);
        return () => this.#hearers.get(name)?.delete(listener);
      },
      onLink: (listener) => {
        this.#onLink = listener;
        listener('open');
        return () => {};
      },
    };
    this.api = checkedApi(transport);
  }

  push(data: unknown, name: PushName = 'snapshot'): void {
    if (name === 'snapshot') this.#snapshot = data;
    act(() => {
      for (const hear of this.#hearers.get(name) ?? []) hear(data);
    });
  }

  link(state: LinkState): void {
    act(() => this.#onLink(state));
  }
}

/** Draws the whole panel at an address. @returns the page, and what removes it. */
export function renderPanel(core: ScriptedCore, address = '#/now') {
  window.location.hash = address;
  const page = document.createElement('div');
  document.body.append(page);
  const panel = createPanel(core.api);
  const root = createRoot(page);
  act(() =>
    root.render(
      <PanelContext value={panel}>
        <App />
      </PanelContext>,
    ),
  );
  const remove = () => {
    act(() => root.unmount());
    panel.dispose();
    page.remove();
  };
  return { page, panel, remove };
}

/** The text of an element as a reader would see it, without runs of white space. */
export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** The row of the agent called `name`. */
export function agentRow(page: Element, name: string): Element {
  const row = [...page.querySelectorAll('.agent')].find(
    (item) => item.querySelector('.agent-name')?.getAttribute('title') === name,
  );
  if (!row) throw new TypeError(`There is no row for the agent "${name}".`);
  return row;
}

/** Presses a button and lets its answer arrive. */
export async function press(button: Element | null | undefined): Promise<void> {
  if (!(button instanceof HTMLElement)) throw new TypeError('There is no such button.');
  await act(async () => button.click());
}
