import type { PanelApi } from '../../../contract/contract';
import type { DrillResult } from '../../../contract/drill';
import { reasonOf } from '../../app/asked';

/** A null agent is OpenCode's default. Never rejects. */
export const runDrill = (api: PanelApi, directory: string, agent: string | null): Promise<DrillResult> =>
  api.ask('drill.run', { directory, agent }).catch((error: unknown) => ({ ok: false, reason: reasonOf(error) }));
