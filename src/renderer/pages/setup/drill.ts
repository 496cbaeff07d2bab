import type { PanelApi } from '../../../contract/contract';
import type { DrillResult } from '../../../contract/drill';
import { reasonOf } from '../../app/asked';

/** Runs a drill of one agent, or of OpenCode's default for null. Never rejects: whoever gives no answer has failed it. */
export const runDrill = (api: PanelApi, directory: string, agent: string | null): Promise<DrillResult> =>
  api.ask('drill.run', { directory, agent }).catch((error: unknown) => ({ ok: false, reason: reasonOf(error) }));
