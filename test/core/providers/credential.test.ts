import { describe, expect, it } from 'vitest';
import { accountSent } from '../../../src/core/providers/credential';

const sent = (headers: Readonly<Record<string, string>>, url = 'https://api.example.com/v1/chat/completions') =>
  accountSent({ url, header: (name) => headers[name] ?? null })?.account ?? null;

describe('given a request to a provider', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ['a key', { authorization: 'Bearer sk-proj-abc' }, 'sk-proj-abc'],
    ['a key of Anthropic’s', { 'x-api-key': 'sk-ant-api03-abc' }, 'sk-ant-api03-abc'],
    ['a key of Google’s', { 'x-goog-api-key': 'AIzaXyz' }, 'AIzaXyz'],
    ['an account by name', { authorization: 'Bearer a.b.c', 'chatgpt-account-id': 'acc-7' }, 'acc-7'],
    ['a login of Claude’s', { authorization: 'Bearer sk-ant-oat01-abc' }, 'login'],
    ['a token that is read', { authorization: 'Bearer eyJh.eyJz.sig-1' }, 'login'],
    ['a login of GitHub’s', { authorization: 'Bearer tid=1;exp=2' }, 'login'],
    ['a signed request', { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA1/2026/x, Signature=9' }, 'AKIA1'],
    [
      'a signed request for an hour',
      { authorization: 'AWS4-HMAC-SHA256 Credential=ASIA1/2026/x, Signature=9' },
      'login',
    ],
    ['nothing', {}, ''],
  ])('when it carries %s, then that is its account', (_, headers, account) => {
    expect(sent(headers)).toBe(`https://api.example.com ${account}`);
  });

  const tokenOf = (claims: unknown, signature = 'sig-1'): string => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'RS256' })}.${part(claims)}.${signature}`;
  };
  const CODEX = 'https://api.openai.com/auth';
  it.each<readonly [string, unknown, string]>([
    ['ChatGPT’s account', { [CODEX]: { chatgpt_account_id: 'acc-7' }, sub: 'u-1', exp: 1 }, 'acc-7'],
    [
      'whom it was made out to',
      { iss: 'https://auth.example.com', sub: 'u-1', exp: 1 },
      'https://auth.example.com u-1',
    ],
    ['nobody', { exp: 1 }, 'login'],
    ['something else', { sub: 7, [CODEX]: 'x' }, 'login'],
    ['too much', { sub: 'u'.repeat(300) }, 'login'],
    ['no object', [], 'login'],
  ])(
    'when it carries a token that names %s, then that is its account, however often the token changes',
    (_, claims, account) => {
      const said = ['sig-1', 'sig-2'].map((signature) =>
        sent({ authorization: `Bearer ${tokenOf(claims, signature)}` }),
      );
      expect(said).toEqual([`https://api.example.com ${account}`, `https://api.example.com ${account}`]);
    },
  );

  it('when its token is of no text, or longer than any is, then it is a login', () => {
    for (const token of ['eyJh.%%%.x', 'a.b.c', `eyJh.${'eyJz'.repeat(9_000)}.x`])
      expect(sent({ authorization: `Bearer ${token}` })).not.toContain('undefined');
    expect(sent({ authorization: `Bearer eyJh.${tokenOf({ sub: 'u', x: 'y'.repeat(40_000) }).split('.')[1]}.x` })).toBe(
      'https://api.example.com login',
    );
  });

  it('when the key stands in the address, then it counts, and the path does not', () => {
    expect(sent({}, 'https://g.example.com/v1/models/x:stream?key=AIza1&alt=sse')).toBe('https://g.example.com AIza1');
  });

  it('when its address is none, then nothing is known of it', () => {
    expect(sent({}, '/v1/chat')).toBeNull();
  });

  it('when the same key goes to another server, then that is another account', () => {
    const key = { authorization: 'Bearer k' };
    expect(sent(key, 'http://127.0.0.1:1234/v1')).not.toBe(sent(key));
  });

  it.each([
    ['a key', { authorization: 'Bearer sk-1' }, 'https://api.example.com/v1', null],
    ['a key for a server of the house', { authorization: 'Bearer sk-1' }, 'http://10.0.0.7:8080/v1', null],
    ['an account by name', { authorization: 'Bearer a.b.c', 'chatgpt-account-id': 'acc-7' }, 'https://a.example', null],
    ['a login that names nobody', { authorization: 'Bearer sk-ant-oat01-abc' }, 'https://api.example.com/v1', 'login'],
    ['nothing', {}, 'http://10.0.0.7:11434/v1', 'keyless'],
    ['a key for a server of its own', { authorization: 'Bearer sk-1' }, 'http://localhost:11434/v1', 'local'],
    ['the same by number', {}, 'http://127.0.0.1:11434/v1', 'local'],
    ['the same by another number', {}, 'http://[::1]:11434/v1', 'local'],
  ])('when it carries %s, then it is said whether another machine may mean the same', (_, headers, url, apart) => {
    const header = (name: string): string | null => (headers as Record<string, string>)[name] ?? null;
    expect(accountSent({ url, header })?.apart).toBe(apart);
  });
});
