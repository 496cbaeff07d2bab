import type { IpcRenderer, IpcRendererEvent, WebUtils } from 'electron';
import type { CarriedData, CarriedName, PanelCarrier, QueryInput, QueryName, QueryOutput } from '../contract/contract';
import { askChannel, pushChannel } from './channels';
import { PUSH_NAMES, QUERY_NAMES } from './names';

type Answer = Readonly<{ ok: true; value: unknown } | { ok: false; reason: string }>;

/** What the window has beside the contract: only who is asked for it by a person's own hand knows where a file lies. */
type DesktopCarrier = PanelCarrier &
  Readonly<{
    /** Where a file or folder lies that was dropped onto the page; empty for what lies nowhere. */
    pathOf(file: Parameters<WebUtils['getPathForFile']>[0]): string;
  }>;

/**
 * The panel's side of the contract over Electron's messages. Nothing of Electron passes through it: names outside the
 * contract are refused here, and listeners get data, never an event object.
 */
export function createPanelApi(
  ipc: Pick<IpcRenderer, 'invoke' | 'on' | 'off'>,
  files: Pick<WebUtils, 'getPathForFile'>,
): DesktopCarrier {
  return Object.freeze({
    async ask<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> {
      if (!isOneOf(QUERY_NAMES, name)) throw new Error('There is no such question.');
      const answer = (await ipc.invoke(askChannel(name), input)) as Answer;
      if (!answer.ok) throw new Error(answer.reason);
      // The main process has checked the value against the contract.
      return answer.value as QueryOutput<Q>;
    },
    on<N extends CarriedName>(name: N, listener: (data: CarriedData<N>) => void): () => void {
      if (!isOneOf(PUSH_NAMES, name)) throw new Error('There is no such push.');
      const hear = (_event: IpcRendererEvent, data: CarriedData<N>): void => listener(data);
      ipc.on(pushChannel(name), hear);
      return () => {
        ipc.off(pushChannel(name), hear);
      };
    },
    // The main process and the window live and die together: the link is open as long as anyone can ask.
    onLink(listener: (state: 'open') => void): () => void {
      listener('open');
      return () => {};
    },
    pathOf: (file: Parameters<WebUtils['getPathForFile']>[0]) => files.getPathForFile(file),
  });
}

function isOneOf(names: readonly string[], name: unknown): boolean {
  return typeof name === 'string' && names.includes(name);
}
