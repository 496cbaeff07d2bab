/** OpenCode 1.x; the last match decides. */
type Rule = Readonly<{ permission: string; pattern: string; action: 'allow' | 'deny' }>;
type Rule2 = Readonly<{ action: string; resource: string; effect: 'allow' | 'deny' }>;

const rule = (permission: string, pattern: string, action: Rule['action']): Rule => ({ permission, pattern, action });

/** Never asks, because no user can answer. MCP resources count as `read` too. */
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

export const readOnlyIn2 = (repo: string | null): readonly Rule2[] =>
  readOnlyIn(repo).map(({ permission, pattern, action }) => ({
    action: permission,
    resource: pattern,
    effect: action,
  }));
