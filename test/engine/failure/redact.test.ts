import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/engine';
import { redactEvidence } from '../../../src/engine/tools';

describe('given a text with a secret in it', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-abcDEF1234567890abcd.', 'Incorrect API key provided: [key]'],
    ['Authorization: Bearer abcdefghij0123456789', 'Authorization: [key]'],
    ['key=AIzaSyA1234567890abcdefghijklmno', 'key=[key]'],
    ['(ghp_16C7e42F292c6912E7710c838347Ae178B4a)', '([key])'],
    ['AKIAIOSFODNN7EXAMPLE is not valid', '[key] is not valid'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl was refused', 'token [key] was refused'],
    ['"api_key": "hunter2hunter2"', '"api_key": "[key]"'],
    ['password=correcthorse', 'password=[key]'],
    ['account jane.doe+x@mail.example.com is closed', 'account [e-mail] is closed'],
    ['request 0123456789abcdef0123456789abcdef failed', 'request [key] failed'],
    ['x_sk-ant-abc123def456', 'x_[key]'],
    ['Fireworks said no to fw_3ZkL9pQrStUvWxYz12345', 'Fireworks said no to [key]'],
    ['glpat-AbCdEfGhIjKlMnOpQrSt has expired', '[key] has expired'],
    ['xoxb-123456789012-abcdefABCDEF is revoked', '[key] is revoked'],
    ['github_pat_11ABCDEFG0abcdefghij_KLM', '[key]'],
    ['npm_AbCdEfGhIjKl0123456789 and pplx-0123456789abcdef', '[key] and [key]'],
    ['secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1 is wrong', 'secret [key] is wrong'],
    ['0123456789abcdef0123456789abcdef.AbCdEfGh12345678 is no key', '[key] is no key'],
    ['id.AbCdEfGh12345678 is no key', 'id.AbCdEfGh12345678 is no key'],
    ['GET https://jane:hunter2@proxy.example.com/v1 failed', 'GET https://[key]@proxy.example.com/v1 failed'],
    ['socks5://token@10.0.0.1:1080', 'socks5://[key]@10.0.0.1:1080'],
    ['https://u:p@ss@host/v1', 'https://[key]@host/v1'],
    [String.raw`"https:\/\/u:p@ss@host\/v1"`, String.raw`"https:\/\/[key]@host\/v1"`],
    ['POST /v1beta/models/x:generate?key=abc&alt=sse', 'POST /v1beta/models/x:generate?key=[key]&alt=sse'],
    ['https://h/p?a=1&access_token=s3cr3t#top', 'https://h/p?a=1&access_token=[key]#top'],
    ['https://h/p?X-Amz-Signature=fe12&X-Amz-Date=2026', 'https://h/p?X-Amz-Signature=[key]&X-Amz-Date=2026'],
    ['Cookie: sid=abc123; theme=dark', 'Cookie: [key]'],
    ['{"set-cookie":"sid=abc123; Path=/; HttpOnly"}', '{"set-cookie":"[key]"}'],
    ['Authorization: Token abcdef', 'Authorization: [key]'],
    ['ENOENT: /home/jane/.local/share/x.json', 'ENOENT: ~/.local/share/x.json'],
    ['file:///Users/jane/app', 'file://~/app'],
    ['/var/home/jane/x and /mnt/c/Users/jane/y', '~/x and ~/y'],
    [String.raw`C:\Users\Jane Doe\AppData\x`, String.raw`~\AppData\x`],
    [String.raw`"C:\\Users\\jane\\x"`, String.raw`"~\\x"`],
    [String.raw`"\/home\/jane\/x" and "\/var\/home\/jane"`, String.raw`"~\/x" and "~"`],
    [String.raw`{\"a\":\"\\/Users\\/jane\\/x\"}`, String.raw`{\"a\":\"~\\/x\"}`],
    ['C:/Users/Jane Doe/AppData/x', '~/AppData/x'],
    ['C:/Users/Jane van der Doe/x', '~/x'],
    ['"C:/Users/Jane Doe" is locked', '"~" is locked'],
    [String.raw`C:\Users\Jane Doe was not found`, '~ was not found'],
    ['C:/Users/jane was not found', '~ was not found'],
    ['/home/jane Doe/x', '~ Doe/x'],
    [`-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBg\n'.repeat(3)}-----END PRIVATE KEY-----`, '[key]'],
    ['-----BEGIN RSA PRIVATE KEY----- MIIEvQ', '[key]'],
  ])('when it is %j, then it reads %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('given a text without one', () => {
  it.each([
    'The model `gpt-5.3-codex-spark` does not exist',
    'skip_special_tokens is not supported',
    'Please see https://ai.google.dev/gemini-api/docs/rate-limits',
    'internationalizationinternationalization',
    'https://example.com/home/pricing and https://example.com/Users/guide',
    'Rate limit reached for gpt-5 (org: acme) on tokens per min: Limit 30000, Used 28000',
    'models/gemini-2.5-pro is not found for API version v1beta',
    'The cookie jar is empty, the token bucket too',
    'POST https://api.example.com/v1/chat/completions?alt=sse&page=2',
    'user@ and @home',
  ])('when it is %j, then it stays as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('when it has line breaks and tabs, then they are one space each run', () => {
    expect(redact('  one\n\n\ttwo  ')).toBe('one two');
  });

  it('when it is 501 characters long, then 499 and an ellipsis are kept', () => {
    expect([redact('é'.repeat(500)).length, redact('é'.repeat(501))]).toEqual([500, `${'é'.repeat(499)}…`]);
  });
});

describe('given a key that lies where reading stops (20,000 characters)', () => {
  it('when white space before it folds away, then not half of it is kept', () => {
    const text = `x${' '.repeat(19_990)}sk-abcdefghijklmnop123456`;
    expect(redact(text)).toBe('x');
  });
});

describe('given evidence', () => {
  it('when it is redacted, then its message is safe and only headers that hold hints remain', () => {
    expect(
      redactEvidence({
        phase: 'body',
        status: 429,
        message: 'no sk-abcdefghijklmnop1234',
        headers: { 'retry-after': '3', 'x-api-key': 'hidden' },
      }),
    ).toEqual({ phase: 'body', status: 429, message: 'no [key]', headers: { 'retry-after': '3' } });
  });
});

describe('given 20,000 characters made to slow patterns down', () => {
  it.each([
    ['words with hyphens', 'a-'],
    ['word characters', 'a'],
    ['digits with hyphens', '1-a'],
    ['dots', 'a.'],
    ['at signs', 'a@'],
    ['at signs with dots', 'a@a.'],
    ['key prefixes', 'sk-'],
    ['Bearer', 'Bearer '],
    ['quotes', 'token="'],
    ['schemes', '://'],
    ['schemes with names', 'a://b'],
    ['queries', '?key'],
    ['queries with values', '?key=a'],
    ['cookies', 'cookie:'],
    ['cookies with lists', 'cookie:a;'],
    ['homes', '/home/'],
    ['homes elsewhere', 'C:\\Users\\a '],
    ['homes with slashes', 'C:/Users/a B '],
    ['escaped homes', '\\/home'],
    ['schemes with many signs', '://a@'],
    ['beginnings of keys', '-----BEGIN '],
    ['base64', 'aB1/'],
  ])('when they repeat %s, then a pattern that runs away ends the test', { timeout: 5_000 }, (_, unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length));
    for (const each of [text, `${text}@`, `@${text}`]) expect(redact(each).length).toBeLessThanOrEqual(500);
  });
});
