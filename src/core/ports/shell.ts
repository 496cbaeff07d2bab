import type { Handlers, QueryOutput } from '../../contract/contract';

const IN_BROWSER = 'this panel is open in a browser';

type ShellQuery =
  | 'shell.get'
  | 'shell.startAtLogin'
  | 'shell.theme'
  | 'shell.leaveGlance'
  | 'shell.language'
  | 'shell.openLink'
  | 'notices.test';

/** For a panel in a browser, which opens pages and follows the theme without help. */
export function browserShell(): Pick<Handlers, ShellQuery> {
  const refuse = (): QueryOutput<'shell.theme'> => ({ ok: false, reason: `Not possible: ${IN_BROWSER}.` });
  return {
    'shell.get': () => ({ kind: 'browser', startsAtLogin: null, why: IN_BROWSER, tray: null, notices: null }),
    'shell.startAtLogin': refuse,
    'shell.theme': refuse,
    'shell.leaveGlance': refuse,
    'shell.language': refuse,
    'shell.openLink': refuse,
    'notices.test': () => ({ kind: 'unsupported' }),
  };
}
