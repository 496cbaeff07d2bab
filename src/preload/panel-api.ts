import type { IpcRenderer, IpcRendererEvent, WebUtils } from 'electron';
import type { CarriedData, CarriedName, PanelCarrier, QueryInput, QueryName, QueryOutput } from '../contract/contract';
import { askChannel, pushChannel } from './channels';
import { PUSH_NAMES, QUERY_NAMES } from './names';

type Answer = Readonly<{ ok: true; value: unknown } | { ok: false; reason: string }>;

/** The window's functions beside the contract; only pages that the user handed a file to can get its path. */
type DesktopCarrier = PanelCarrier &
  Readonly<{
    /** Path of a file or folder that the user dropped onto the page; empty without one. */
    pathOf(file: Parameters<WebUtils['getPathForFile']>[0]): string;
  }>;

/**
 * The contract's panel side over Electron's messages. It exposes nothing of Electron: it rejects names outside the
 * contract, and listeners get data, never an event object.
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
      // The main process has validated the value against the contract.
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
    // The main process and the window end together: the link is open as long as there is a window.
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
