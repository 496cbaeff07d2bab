import { describe, expect, it } from 'vitest';
import { failureOfAnswer, type ProviderAnswer, readEach } from '../../support/provider-fixtures';

type Part = Partial<ProviderAnswer>;

const failureOf = (provider: string, part: Part) =>
  failureOfAnswer({ provider, wire: 'chat', status: 429, body: '', ...part });

const said = (message: string, more: Part = {}): Part => ({ ...more, body: { error: { message } } });
const routed = (raw: unknown): Part => ({
  status: 400,
  body: { error: { message: 'Provider returned error', code: 400, metadata: { raw } } },
});
const wrapped = (inner: unknown): string => JSON.stringify({ error: inner });
const METRIC = 'Quota exceeded for metric: requests';
const LIMITED = 'Rate limit reached for requests';
const GONE = { message: 'The model m does not exist' };

/** A rule for the kind: its word absent, then each case with the kind and scope that follow. */
const KINDS: readonly (readonly [
  name: string,
  vendors: readonly [string, string],
  absent: readonly [Part, string],
  cases: readonly (readonly [Part, string])[],
])[] = [
  [
    'the figure of a limit',
    ['google', 'my-proxy'],
    [said(METRIC), 'rate_limit model'],
    [
      [said(`${METRIC}, limit: 0`), 'permission model'],
      [said(`${METRIC}, limit: 20`), 'rate_limit model'],
      [said(`${METRIC}, limit: 40`), 'rate_limit model'],
      [said(`${METRIC}, limit: 0 * ${METRIC}, limit: 0`), 'permission model'],
      [said(`${METRIC}, limit: 0 * ${METRIC}, limit: 40`), 'rate_limit model'],
    ],
  ],
  [
    'a limit per day',
    ['openai', 'my-proxy'],
    [said(LIMITED), 'rate_limit model'],
    [
      [said(`${LIMITED} per day`), 'quota provider'],
      [said(`${LIMITED}: daily`), 'quota provider'],
      [said(`${LIMITED} on tokens per day (TPD)`), 'quota provider'],
      [said(`${LIMITED} per minute and per day`), 'rate_limit model'],
      [said(`${LIMITED} per day: Limit 0`), 'permission model'],
    ],
  ],
  [
    'a limit per day of one model',
    ['groq', 'openai'],
    [said('Rate limit reached in organization org-1 on requests per day'), 'quota provider'],
    [
      [said('Rate limit reached for gpt-4o in organization org-1 on requests per day'), 'quota model'],
      [said('Rate limit reached for model `m` on tokens per day'), 'quota model'],
      [said('Rate limit reached for gpt-4o in organization org-1 on requests per minute'), 'rate_limit model'],
    ],
  ],
  [
    'a budget',
    ['litellm', 'anthropic'],
    [said(LIMITED), 'rate_limit model'],
    [
      [said('Budget has been exceeded! Current cost: 0, Max budget: 0'), 'quota provider'],
      [said('Budget has been exceeded! Current cost: 5, Max budget: 5', { status: 400 }), 'quota provider'],
      [said('Exceeded budget for model=m'), 'quota model'],
      [said('Budget exceeded: 105.5 >= 100 dollars', { status: 403 }), 'quota provider'],
    ],
  ],
  [
    'words of an overload',
    ['moonshotai', 'google'],
    [said(LIMITED), 'rate_limit model'],
    [
      [said('The engine is currently overloaded'), 'overloaded model'],
      [
        { body: { error: { type: 'rate_limit_error', message: 'The engine is currently overloaded' } } },
        'overloaded model',
      ],
      [
        { body: { error: { status: 'RESOURCE_EXHAUSTED', message: 'No capacity available for model m' } } },
        'overloaded model',
      ],
    ],
  ],
  [
    'the inner reason of a router',
    ['openrouter', 'my-proxy'],
    [routed(undefined), 'invalid_request request'],
    [
      [routed(''), 'invalid_request request'],
      [routed(GONE.message), 'model_not_found model'],
      [routed(wrapped(GONE)), 'model_not_found model'],
      [routed({ error: GONE }), 'model_not_found model'],
      [routed(wrapped({ message: wrapped(GONE) })), 'model_not_found model'],
      [routed(wrapped({ ...GONE, code: 'invalid_request_error' })), 'model_not_found model'],
    ],
  ],
  [
    'details of Google',
    ['google', 'google-vertex'],
    [{ body: { error: { status: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted' } } }, 'rate_limit model'],
    [
      [
        {
          body: {
            error: {
              status: 'RESOURCE_EXHAUSTED',
              message: 'Resource has been exhausted',
              details: [{ reason: 'INSUFFICIENT_G1_CREDITS_BALANCE' }],
            },
          },
        },
        'quota provider',
      ],
      [
        {
          body: {
            error: {
              status: 'RESOURCE_EXHAUSTED',
              message: 'Resource has been exhausted',
              details: [{ violations: [{ quotaId: 'RequestsPerDay' }] }],
            },
          },
        },
        'quota model',
      ],
      [
        {
          body: {
            error: {
              status: 'RESOURCE_EXHAUSTED',
              message: 'Resource has been exhausted',
              details: [{ reason: 'RATE_LIMIT_EXCEEDED' }],
            },
          },
        },
        'rate_limit model',
      ],
    ],
  ],
  [
    'a code at the top of a body',
    ['cerebras', 'my-proxy'],
    [{ status: 400, body: { message: 'No.' } }, 'invalid_request request'],
    [
      [{ status: 400, body: { message: 'No.', code: '' } }, 'invalid_request request'],
      [{ status: 400, body: { message: 'No.', code: 'insufficient_quota' } }, 'quota provider'],
      [{ status: 400, body: { message: 'No.', type: 'rate_limit_error' } }, 'rate_limit model'],
      [
        { status: 400, body: { message: 'No.', type: 'rate_limit_error', code: 'insufficient_quota' } },
        'quota provider',
      ],
      [{ status: 400, body: { type: 'budget_exceeded', error: { message: 'No.' } } }, 'quota provider'],
    ],
  ],
];

describe.each(KINDS)('given a kind by %s', (_, vendors, absent, cases) => {
  it.each([['absent', [absent]] as const, ['present, doubled or at 0', cases] as const])(
    'when it is %s, then kind and scope follow for both vendors',
    async (_case, rows) => {
      for (const vendor of vendors) {
        const kinds = await readEach(rows, async ([part]) => {
          const { kind, scope } = await failureOf(vendor, part);
          return `${kind} ${scope}`;
        });
        expect([vendor, ...kinds]).toEqual([vendor, ...rows.map(([, expected]) => expected)]);
      }
    },
  );
});

describe('given a refusal of the request itself', () => {
  it.each([
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    'For model o3 the parameter temperature is not supported.',
    'messages.0: `tool_use` ids were found without `tool_result` blocks immediately after',
    'max_completion_tokens [16384] must be greater than thinking_budget [32768]',
    'The thinking budget 40000 is invalid. Please choose a value between 512 and 24576.',
    "Invalid 'tools[0].function.name': string does not match pattern.",
    'cache_control: at most 4 blocks with cache_control may be provided. Found 5.',
  ])('when it says %j, then it stays one, with a general code and without', async (message) => {
    const parts = [{ message }, { message, type: 'invalid_request_error' }].map((error) => ({
      status: 400,
      body: { error },
    }));
    for (const vendor of ['openai', 'anthropic', 'my-proxy'])
      expect(await readEach(parts, async (part) => (await failureOf(vendor, part)).kind)).toEqual([
        'invalid_request',
        'invalid_request',
      ]);
  });
});

describe('given x-should-retry on a refusal without a reason', () => {
  it.each([
    [undefined, undefined, 'invalid_request'],
    ['true', true, 'server_error'],
    ['false', false, 'invalid_request'],
    ['0', undefined, 'invalid_request'],
    ['', undefined, 'invalid_request'],
  ])('when it is %j, then a retry is %j and the kind %s, for both vendors', async (value, mayRetry, kind) => {
    const part = said('No.', { status: 400, ...(value === undefined ? {} : { headers: { 'x-should-retry': value } }) });
    for (const vendor of ['openai', 'my-proxy']) expect(await failureOf(vendor, part)).toMatchObject({ kind });
    expect((await failureOf('openai', part)).mayRetry).toBe(mayRetry);
  });
});
