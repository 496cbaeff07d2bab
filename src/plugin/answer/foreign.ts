import { type ModelId, providerOf } from '../../engine';
import { remember } from '../../engine/tools';
import { dataOf, isRecord, type Json } from './wire';

/** Only their issuer can read these fields. */
const SEALED: readonly string[] = [
  'signature',
  'encrypted_content',
  'thoughtSignature',
  'thought_signature',
  'reasoning_opaque',
];
const SEALED_TYPES: readonly unknown[] = ['redacted_thinking', 'reasoning.encrypted'];
/** Items that the Responses API stores per account. */
const ITEM_ID = /^(?:rs|msg|fc)_/;
/** Tool-call ids that Anthropic refuses for a character (Moonshot issues them), or OpenAI for their length. */
const ODD_ID = /[^\w-]|^.{41}/;
const ODD_LETTERS = /[^\w-]/g;
const ID_MAX = 40;
const CALL_IDS: readonly string[] = ['id', 'call_id', 'tool_use_id', 'tool_call_id'];
/** Other bodies are readable for every account. */
const HINT =
  /signature|encrypted|redacted|reasoning_opaque|"id": ?"(?:rs|msg|fc)_|"(?:\w+_)?id": ?"(?:[^"]*[^\w"-]|[^"]{41})|"thinking": ?\{"type": ?"enabled/i;

const SEALED_EVENT = /signature|encrypted|redacted|reasoning_opaque|"id": ?"(?:rs|msg|fc)_/i;
/** Events searched for odd ids: ids of responses and items are always odd. */
const CALL_EVENT = /"(?:call_id|tool_use|function)"/;

export function sealedIn(event: string): readonly string[] {
  if (!SEALED_EVENT.test(event) && !CALL_EVENT.test(event)) return [];
  try {
    const found: string[] = [];
    collect(JSON.parse(dataOf(event)), found);
    return found;
  } catch {
    // silent: an event that is no JSON, or is nested too deep to walk, has no sealed values for us
    return [];
  }
}

function collect(value: unknown, found: string[]): void {
  if (Array.isArray(value)) for (const each of value) collect(each, found);
  if (!isRecord(value)) return;
  found.push(...sealsOf(value), ...oddIdsOf(value));
  for (const each of Object.values(value)) collect(each, found);
}

function sealsOf(part: Json): string[] {
  const { id, data, type } = part;
  return [
    ...SEALED.map((name) => part[name]),
    ...(SEALED_TYPES.includes(type) ? [data] : []),
    ...(typeof id === 'string' && ITEM_ID.test(id) ? [id] : []),
  ].filter((value): value is string => typeof value === 'string' && value !== '');
}

const oddIdsOf = ({ id, call_id: called, type, function: named }: Json): string[] =>
  [named !== undefined || type === 'tool_use' ? id : called].filter(
    (each): each is string => typeof each === 'string' && ODD_ID.test(each),
  );

type IsForeign = (sealed: string) => boolean;

/** Gemini 3 and later refuse a call without a seal. */
const NEEDS_SEAL = /(?:^|\/)gemini-(?![12](?:[.-]|$))/i;
/** Google documents this seal for calls of another model. */
const SKIPS_CHECK = 'skip_thought_signature_validator';

/**
 * Removes parts of other accounts that the provider may refuse, and adds the substitutes it requires; null if
 * unchanged. Text, calls and results stay.
 */
export function withoutForeign(body: string, isForeign: IsForeign, url = ''): string | null {
  if (!HINT.test(body) && !(NEEDS_SEAL.test(url) && body.includes('functionCall'))) return null;
  const state = { isChanged: false };
  const isAnthropic = body.includes('"tool_use_id"');
  const withIds = (key: string, value: unknown): unknown => {
    if (!CALL_IDS.includes(key) || typeof value !== 'string' || ITEM_ID.test(value)) return value;
    const id = (isAnthropic ? value.replaceAll(ODD_LETTERS, '_') : value).slice(0, ID_MAX);
    if (id === value || !isForeign(value)) return value;
    state.isChanged = true;
    return id;
  };
  let json: unknown;
  try {
    json = JSON.parse(body, withIds);
  } catch {
    // silent: a body that is no JSON holds no sealed values
    return null;
  }
  if (!isRecord(json)) return null;
  const isPart = (part: Json): boolean => sealsOf(part).some(isForeign);
  const seal = NEEDS_SEAL.test(String(json.model ?? url)) ? SKIPS_CHECK : null;
  const left = (list: readonly unknown[], keep: (part: Json) => unknown): unknown[] =>
    list.flatMap((part) => {
      const keptPart = isRecord(part) ? keep(part) : part;
      state.isChanged ||= keptPart !== part;
      return keptPart === null ? [] : [keptPart];
    });
  const lists: Readonly<Record<string, (part: Json) => unknown>> = {
    input: (item) => (isPart(item) ? withoutSeal(item) : item),
    contents: (turn) => {
      const rest = inside(turn, 'parts', left, (part) => (isPart(part) ? withoutSeal(part) : part));
      return rest && seal ? withSeal(rest, seal) : rest;
    },
    messages: (message) => messageWithout(message, { isPart, left, seal }),
  };
  const changed = Object.entries(lists).flatMap(([name, keep]) => {
    const list = json[name];
    return Array.isArray(list) ? [[name, left(list, keep)] as const] : [];
  });
  const whole: Json = { ...json, ...Object.fromEntries(changed) };
  const { thinking, ...unthinking } = whole;
  if (isThoughtMissing(whole)) return JSON.stringify(unthinking);
  return state.isChanged ? JSON.stringify(whole) : null;
}

function withSeal(turn: Json, seal: string): Json {
  const parts: readonly unknown[] = Array.isArray(turn.parts) ? turn.parts : [];
  const first = parts.find((part): part is Json => isRecord(part) && isRecord(part.functionCall));
  if (!first || first.thoughtSignature) return turn;
  return { ...turn, parts: parts.map((part) => (part === first ? { ...first, thoughtSignature: seal } : part)) };
}

/** Anthropic refuses to think in a turn that called a tool and did not begin with a thought. */
function isThoughtMissing({ thinking, messages }: Json): boolean {
  if (!isRecord(thinking) || thinking.type !== 'enabled' || !Array.isArray(messages)) return false;
  const turns: readonly Json[] = messages.filter(isRecord);
  const partsOf = (turn?: Json): readonly unknown[] => (Array.isArray(turn?.content) ? turn.content : ['']);
  const isOther = (part: unknown): boolean => !isRecord(part) || part.type !== 'tool_result';
  const start = turns.findLastIndex((turn) => turn.role === 'user' && partsOf(turn).some(isOther));
  const [first] = partsOf(turns[start + 1]);
  return isRecord(first) && !/thinking/.test(String(first.type));
}

type Left = (list: readonly unknown[], keep: (part: Json) => unknown) => unknown[];

function inside(whole: Json, name: string, left: Left, keep: (part: Json) => unknown): Json | null {
  const list = whole[name];
  if (!Array.isArray(list)) return whole;
  const parts = left(list, keep);
  if (parts.length === list.length && parts.every((part, at) => part === list[at])) return whole;
  return parts.length === 0 ? null : { ...whole, [name]: parts };
}

/** Thoughts are removed with their seal: other providers accept neither alone. */
const THOUGHTS: readonly unknown[] = [
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reasoning.encrypted',
  'reasoning.text',
];
function withoutSeal(part: Json): Json | null {
  if (THOUGHTS.includes(part.type) || part.thought === true) return null;
  if (part.type === 'item_reference') return typeof part.id === 'string' && part.id.startsWith('rs_') ? null : part;
  const rest = Object.entries(part).filter(
    ([name, value]) => !SEALED.includes(name) && !(name === 'id' && ITEM_ID.test(String(value))),
  );
  return Object.fromEntries(rest);
}

type Filter = Readonly<{ isPart: (part: Json) => boolean; left: Left; seal: string | null }>;

function messageWithout(message: Json, filter: Filter): Json | null {
  const { isPart, left } = filter;
  if (message.role !== 'assistant') return message;
  const keep = (part: Json): Json | null => (isPart(part) ? withoutSeal(part) : part);
  const hasCalls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  const content = inside(message, 'content', left, keep);
  if (content === null && !hasCalls) return null;
  const details = inside(content ?? { ...message, content: null }, 'reasoning_details', left, keep);
  const { reasoning_details: _, ...without } = content ?? message;
  const read = details ?? without;
  const called = inside(read, 'tool_calls', left, (call) => callWithout(call, filter)) ?? read;
  return isPart(called) ? withoutSeal(called) : called;
}

/** Google's chat wire puts the seal into `extra_content`. */
function callWithout(call: Json, { isPart, seal }: Filter): Json {
  const { extra_content: extra, ...rest } = call;
  const google = isRecord(extra) ? extra.google : undefined;
  if (!isRecord(google) || !isPart(google)) return call;
  return seal ? { ...call, extra_content: { google: { thought_signature: seal } } } : rest;
}

const SEALED_MAX = 2_000;
const SESSIONS_MAX = 50;
/** A value may be tens of kilobytes; length and end identify it. */
const keyOf = (sealed: string): string => `${sealed.length} ${sealed.slice(-32)}`;

/** Issuers of sealed values, in memory only. */
export type Issued = Readonly<{
  note(session: string, model: ModelId, sealed: readonly string[]): void;
  /** Null if no other account has answered. */
  foreignTo(session: string, model: ModelId): IsForeign | null;
}>;

type Session = Readonly<{ issuerOf: Map<string, string>; issuers: Set<string> }>;

export function createIssued(): Issued {
  const sessions = new Map<string, Session>();
  return {
    note(session, model, sealed) {
      const issuer = providerOf(model);
      const issued: Session = sessions.get(session) ?? { issuerOf: new Map(), issuers: new Set() };
      if (sealed.length === 0 && issued.issuers.has(issuer)) return;
      remember(sessions, session, issued, SESSIONS_MAX).issuers.add(issuer);
      for (const each of sealed) remember(issued.issuerOf, keyOf(each), issuer, SEALED_MAX);
    },
    foreignTo(session, model) {
      const issuer = providerOf(model);
      const { issuerOf, issuers } = sessions.get(session) ?? {};
      if (!issuerOf || !issuers || (issuers.size === 1 && issuers.has(issuer))) return null;
      return (sealed) => (issuerOf.get(keyOf(sealed)) ?? issuer) !== issuer;
    },
  };
}

export const issued = createIssued();

export const noteEvents =
  (session: string, model: ModelId) =>
  (event: string): void =>
    issued.note(session, model, sealedIn(event));
