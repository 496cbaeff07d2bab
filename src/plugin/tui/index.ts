import type { TuiApi } from './host';
import type { TuiContext } from './host2';
import { startTui1 } from './opencode1';
import { startTui2 } from './opencode2';

/**
 * OpenCode 1 loads this file from `tui.json` and calls `tui`; OpenCode 2 loads it with the companion's folder and
 * calls `setup`.
 */
export default {
  id: 'understudy-tui',
  tui: (api: TuiApi) => startTui1(api),
  setup: (context: TuiContext) => startTui2(context),
};
