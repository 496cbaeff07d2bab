/** A rule of OpenCode 1.x; the last that fits decides. */
type Rule = Readonly<{ permission: string; pattern: string; action: 'allow' | 'deny' }>;
/** The same of OpenCode 2.x. */
type Rule2 = Readonly<{ action: string; resource: string; effect: 'allow' | 'deny' }>;

const rule = (permission: string, pattern: string, action: Rule['action']): Rule => ({ permission, pattern, action });

/**
 * What a participant may do: read in one folder, and nothing else; nothing at all where there is none. Nothing is asked, because nobody is there to answer. What resources of MCP
 * servers say is `read` as well.
 */
export const readOnlyIn = (repo: string | null): readonly Rule[] => [
  rule('*', '*', 'deny'),
  ...(repo === null ? [] : readingIn(repo)),
];

const readingIn = (repo: string): readonly Rule[] => [
  rule('read', '*', 'allow'),
  rule('glob', '*', 'allow'),
  rule('grep', '*', 'allow'),
  ...['*.env', '*.env.*', '*.pem', '*.key', '*.git/*', 'mcp:*'].map((pattern) => rule('read', pattern, 'deny')),
  rule('external_directory', `${repo}/*`, 'allow'),
];

/** The same for OpenCode 2.x, which names things otherwise. */
export const readOnlyIn2 = (repo: string | null): readonly Rule2[] =>
  readOnlyIn(repo).map(({ permission, pattern, action }) => ({
    action: permission,
    resource: pattern,
    effect: action,
  }));
