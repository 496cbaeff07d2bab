import type { IpcRenderer, IpcRendererEvent, WebUtils } from 'electron';
import type { CarriedData, CarriedName, PanelCarrier, QueryInput, QueryName, QueryOutput } from '../contract/contract';
import { askChannel, pushChannel } from './channels';
import { PUSH_NAMES, QUERY_NAMES } from './names';

type Answer = Readonly<{ ok: true; value: unknown } | { ok: false; reason: string }>;

/** Only for files that the user handed to the page. */
type DesktopCarrier = PanelCarrier &
  Readonly<{
    /** Empty without a path. */
    pathOf(file: Parameters<WebUtils['getPathForFile']>[0]): string;
  }>;

/** Exposes nothing of Electron, not even event objects. */
export function createPanelApi(
  ipc: Pick<IpcRenderer, 'invoke' | 'on' | 'off'>,
  files: Pick<WebUtils, 'getPathForFile'>,
): DesktopCarrier {
  return Object.freeze({
    async ask<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> {
      if (!isOneOf(QUERY_NAMES, name)) throw new Error('Unknown query.');
      const answer = (await ipc.invoke(askChannel(name), input)) as Answer;
      if (!answer.ok) throw new Error(answer.reason);
      // Checked by the main process.
      return answer.value as QueryOutput<Q>;
    },
    on<N extends CarriedName>(name: N, listener: (data: CarriedData<N>) => void): () => void {
      if (!isOneOf(PUSH_NAMES, name)) throw new Error('Unknown push.');
      const hear = (_event: IpcRendererEvent, data: CarriedData<N>): void => listener(data);
      ipc.on(pushChannel(name), hear);
      return () => {
        ipc.off(pushChannel(name), hear);
      };
    },
    // The link lives as long as the window.
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
