import { join } from 'node:path';

/** No provider keys, proxies or OpenCode settings. */
const KEPT_VARIABLES = [
  'PATH',
  'Path',
  'PATHEXT',
  'LANG',
  'LC_ALL',
  'TERM',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
] as const;

const DISABLED_FEATURES = [
  'MODELS_FETCH',
  'AUTOUPDATE',
  'SHARE',
  'LSP_DOWNLOAD',
  'DEFAULT_PLUGINS',
  'CLAUDE_CODE',
  'EXTERNAL_SKILLS',
  'EMBEDDED_WEB_UI',
] as const;

export type HomeFolders = Readonly<{ home: string; config: string; data: string; state: string; cache: string }>;

export function homeFolders(home: string): HomeFolders {
  return {
    home,
    config: join(home, '.config'),
    data: join(home, '.local', 'share'),
    state: join(home, '.local', 'state'),
    cache: join(home, '.cache'),
  };
}

/** Snapshots stay on, OpenCode's default. */
export function sandboxEnvironment(
  folders: HomeFolders,
  parent: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = KEPT_VARIABLES.flatMap((name) => {
    const value = parent[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    HOME: folders.home,
    USERPROFILE: folders.home,
    APPDATA: folders.config,
    LOCALAPPDATA: folders.data,
    XDG_CONFIG_HOME: folders.config,
    XDG_DATA_HOME: folders.data,
    XDG_STATE_HOME: folders.state,
    XDG_CACHE_HOME: folders.cache,
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(DISABLED_FEATURES.map((feature) => [`OPENCODE_DISABLE_${feature}`, '1'])),
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: '1',
  };
}
