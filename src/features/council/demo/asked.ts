import type { RecordedRequest } from '../../../demo/scripted-provider';
import { capitalised } from '../rules/base/text';
import { type FindingId, type MemberId, ORACLE } from '../rules/base/types';
import { HEROES } from '../rules/cast/heroes';
import { CASTING, type StageId, stagesOf, TRANSITION } from '../rules/process/process';

export type Asked = Readonly<{
  /** Null if not from a participant. */
  who: MemberId | null;
  stage: StageId | null;
  isMending: boolean;
  read: string | null;
  findings: Known;
}>;

export type Known = ReadonlyMap<string, FindingId>;

type Message = Readonly<{ role?: unknown; content?: unknown }>;

/** Recognises the texts of `src/features/council/rules/prompts`. */
export function readAsked({ body }: Pick<RecordedRequest, 'body'>): Asked {
  const { messages } = (body ?? {}) as Readonly<{ messages?: unknown }>;
  const all = (Array.isArray(messages) ? messages : []) as readonly Message[];
  const texts = (role: string): readonly string[] =>
    all.filter((message) => message.role === role).map(({ content }) => textIn(content));
  const users = texts('user');
  const opened = users.findLast((text) => stageIn(text) !== null) ?? '';
  return {
    who: whoIn(texts('system').join('\n')),
    stage: stageIn(opened),
    isMending: users.at(-1)?.startsWith('About what you said:') === true,
    read: all.at(-1)?.role === 'tool' ? textIn(all.at(-1)?.content) : null,
    findings: findingsIn(opened),
  };
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = (Array.isArray(content) ? content : []) as readonly Readonly<{ text?: unknown }>[];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function whoIn(system: string): MemberId | null {
  const name = /You are the (\w+)/.exec(system)?.[1];
  if (name === capitalised(ORACLE)) return ORACLE;
  return HEROES.find((hero) => hero.name === name)?.id ?? null;
}

function stageIn(text: string): StageId | null {
  const found = PLAYED.find(({ name, goal }) =>
    [`${name}. ${goal}`, `Stage: ${name}. ${goal}`].some((line) => text.startsWith(line) || text.includes(`\n${line}`)),
  );
  return found?.id ?? null;
}

const PLAYED = [CASTING, TRANSITION, ...stagesOf('CODE_REVIEW')];

const FINDING = /^- (f\d+) \[[a-z]+\] (.+?) — /gm;

const findingsIn = (text: string): Known =>
  new Map([...text.matchAll(FINDING)].map(([, id, title]) => [title ?? '', id as FindingId]));
