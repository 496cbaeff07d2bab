import type { RecordedRequest, ScriptedStep, Wire } from '../../src/demo/scripted-provider';

/** Marks a value as sealed by an account, for {@link refusalOf}. */
export const sealOf = (issuer: string): string => `SEAL-${issuer}-SEAL`;

export const issuersIn = ({ body }: Pick<RecordedRequest, 'body'>): readonly string[] => [
  ...new Set([...JSON.stringify(body ?? null).matchAll(/SEAL-([\w-]+?)-SEAL/g)].map(([, issuer = '']) => issuer)),
];

const invalid = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
const openrouter = (cause: unknown) => ({
  error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(cause) } },
});

const SIGNATURE = 'messages.1.content.0: Invalid `signature` in `thinking` block';
/** Error of each wire for a value of another issuer, as in these reports. */
const NOT_ISSUED: Readonly<Record<Wire, unknown>> = {
  // github.com/tombii/better-ccflare/issues/52
  anthropic: anthropic(SIGNATURE),
  // github.com/openai/codex/issues/8145
  'openai-responses': invalid('The encrypted content gAAA...DQ== could not be verified.', 'invalid_encrypted_content'),
  // github.com/google-gemini/gemini-cli/issues/13467
  google: google('Corrupted thought signature.'),
  // github.com/can1357/oh-my-pi/issues/3399
  openrouter: openrouter(anthropic(SIGNATURE)),
  // github.com/caozhiyuan/copilot-api/issues/73
  'openai-compatible': invalid(SIGNATURE, 'invalid_request_body'),
};

const PREFILL = 'This model does not support assistant message prefill. The conversation must end with a user message.';
/** github.com/anomalyco/opencode/issues/19981 */
const PREFILLED: Readonly<Record<Wire, unknown>> = {
  anthropic: anthropic(PREFILL),
  'openai-responses': invalid(PREFILL),
  google: google(PREFILL),
  openrouter: openrouter(anthropic(PREFILL)),
  'openai-compatible': invalid(PREFILL),
};

/** github.com/anomalyco/opencode/issues/3077 */
const UNTHOUGHT =
  'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.';

type Json = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const conversationOf = ({ body }: RecordedRequest): readonly Json[] => {
  const { messages, input, contents } = (body ?? {}) as Json;
  return listOf(messages ?? input ?? contents);
};
const partsOf = (entry: Json): readonly Json[] => [...listOf(entry.content), ...listOf(entry.parts)];

/** Ids of tool calls, on Anthropic and chat wires. */
const callIdsIn = (request: RecordedRequest): readonly string[] =>
  conversationOf(request).flatMap((entry) => [
    ...listOf(entry.tool_calls).map(({ id }) => String(id)),
    ...partsOf(entry).flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
  ]);

/** True if Gemini 3 misses a signature: the first call of each step since the user's last message needs one. */
function isUnsigned(request: RecordedRequest): boolean {
  const turns = conversationOf(request);
  const start = turns.findLastIndex((turn) => turn.role === 'user' && partsOf(turn).some(({ text }) => text));
  return turns
    .slice(start + 1)
    .map((turn) => partsOf(turn).find(({ functionCall }) => functionCall))
    .some((call) => call !== undefined && !call.thoughtSignature);
}

function isUnthought(request: RecordedRequest): boolean {
  const { thinking } = request.body as Readonly<{ thinking?: { type?: string } }>;
  const turns = conversationOf(request);
  const start = turns.findLastIndex(
    (turn) => turn.role === 'user' && partsOf(turn).some(({ type }) => type !== 'tool_result'),
  );
  const [first] = partsOf(turns[start + 1] ?? {});
  return thinking?.type === 'enabled' && first !== undefined && !/thinking/.test(String(first.type));
}

/**
 * The error with which a real provider rejects a request that this account cannot read; null if it can. Model names
 * with `mistral` or `gemini-3` add their rules.
 */
export function refusalOf(request: RecordedRequest, issuer: string): ScriptedStep | null {
  const { wire, model } = request;
  const refuse = (body: unknown): ScriptedStep => ({ kind: 'status', status: 400, body });
  if (issuersIn(request).some((each) => each !== issuer)) return refuse(NOT_ISSUED[wire]);
  const last = conversationOf(request).at(-1);
  if (last?.role === 'assistant' || last?.role === 'model') return refuse(PREFILLED[wire]);
  const ids = callIdsIn(request);
  // github.com/anomalyco/opencode/issues/1279
  if (wire === 'anthropic' && ids.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id)))
    return refuse(anthropic("messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"));
  if (wire === 'anthropic' && isUnthought(request)) return refuse(anthropic(UNTHOUGHT));
  // github.com/langchain-ai/langchain/pull/24668
  const odd = model.includes('mistral') ? ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id)) : undefined;
  if (odd !== undefined)
    return refuse(invalid(`Tool call id was ${odd} but must be a-z, A-Z, 0-9, with a length of 9.`));
  // github.com/karthink/gptel/issues/1146
  if (model.includes('gemini-3') && isUnsigned(request))
    return refuse(google('Function call is missing a thought_signature in functionCall parts.'));
  return null;
}
