import * as z from 'zod';
import { type IdeaId, QUOTE_CHECKS, SEVERITIES } from '../base/types';

/** In characters. */
const TEXT_MAX = 2_000;
const SHORT_MAX = 200;
const LISTED_MAX = 100;
/** Far above any real answer, since JSON takes longer to parse than text. */
const ANSWER_MAX_CHARS = 2_097_152;
const BLOCKS_MAX = 1_000;
const VALUES_MAX = 25_000;
const LINES_MAX = 5_000;

// Lazy, because most processes never parse an answer.

const Text = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1)
    .transform((text) => text.slice(0, TEXT_MAX)),
);
const Short = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1)
    .transform((text) => text.slice(0, SHORT_MAX)),
);
const Quote = z.lazy(() =>
  z
    .string()
    .min(1)
    .transform((text) => text.slice(0, TEXT_MAX)),
);
const Line = z.lazy(() => z.coerce.number().int().min(1).max(10_000_000));
const FindingRef = z.lazy(() => z.string().regex(/^f\d{1,6}$/, 'expected the id of a finding, such as f3'));
/** Rejects paths that leave the repository. */
const File = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1)
    .max(500)
    .transform((path) => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''))
    .refine(
      (path) => !path.startsWith('/') && !path.split('/').includes('..'),
      'expected a path inside the repository',
    ),
);

export const NewFinding = z.lazy(() =>
  z.object({
    severity: z.enum(SEVERITIES),
    title: Short,
    file: File,
    line: Line,
    endLine: Line.optional(),
    quote: Quote,
    evidence: Text,
    suggestion: Text.optional(),
  }),
);
export type NewFinding = z.infer<typeof NewFinding>;

const Remark = z.lazy(() =>
  z.union([
    z.object({ confirms: FindingRef, why: Text }),
    z.object({ challenges: FindingRef, why: Text }),
    z.object({ buildsOn: FindingRef, why: Text }),
  ]),
);
export type Remark = z.infer<typeof Remark>;

const IdeaRef = z.lazy(
  () => z.string().regex(/^i\d{1,6}$/, 'expected the id of an idea, such as i3') as unknown as z.ZodType<IdeaId>,
);
const EVIDENCE_MAX = 5;

const NewIdea = z.lazy(() =>
  z.object({
    title: Short,
    text: Text,
    evidence: z
      .array(z.object({ file: File, line: Line, quote: Quote }))
      .transform((places) => places.slice(0, EVIDENCE_MAX))
      .optional(),
  }),
);
export type NewIdea = z.infer<typeof NewIdea>;

const IdeaRemark = z.lazy(() =>
  z.union([
    z.object({ supports: IdeaRef, why: Text }),
    z.object({ challenges: IdeaRef, why: Text }),
    z.object({ buildsOn: IdeaRef, why: Text }),
  ]),
);
export type IdeaRemark = z.infer<typeof IdeaRemark>;

export const Checked = z.lazy(() =>
  z.object({ check: z.enum(QUOTE_CHECKS), at: z.number().int().positive().nullable() }),
);
export type Checked = z.infer<typeof Checked>;

const Hero = z.lazy(() => z.string().trim().toLowerCase().min(1).max(60));

const SHAPES = {
  PostFindings: z.lazy(() => z.object({ findings: z.array(z.union([Remark, NewFinding])) })),
  PostIdeas: z.lazy(() => z.object({ ideas: z.array(z.union([IdeaRemark, NewIdea])) })),
  RankIdeas: z.lazy(() => z.object({ ranking: z.array(IdeaRef).min(1).max(500) })),
  UpdateKnowledge: z.lazy(() => z.object({ key: Short, text: Text })),
  CompleteStage: z.lazy(() => z.object({ summary: Text })),
  AnalyzeInput: z.lazy(() =>
    z.object({
      kind: Short,
      summary: Text,
      languages: z.array(Short).max(30),
      size: Short,
      signals: z.array(Short).max(30),
      risks: z.array(Short).max(30),
    }),
  ),
  SelectHeroes: z.lazy(() =>
    z.object({
      process: Short,
      heroes: z
        .array(z.object({ id: Hero, brief: Text }))
        .min(1)
        .max(20),
    }),
  ),
  SummonReinforcement: z.lazy(() =>
    z.object({ hero: Hero, brief: Text, because: z.array(z.union([FindingRef, IdeaRef])).max(50) }),
  ),
  DismissHero: z.lazy(() => z.object({ hero: Hero, because: Text })),
  PresentReport: z.lazy(() =>
    z.object({
      headline: Text,
      order: z.array(FindingRef).max(500),
      praise: z.array(Text).max(30),
    }),
  ),
  FrameProblem: z.lazy(() =>
    z.object({ question: Text, criteria: z.array(Short).max(10), constraints: z.array(Short).max(10) }),
  ),
  NameGaps: z.lazy(() => z.object({ gaps: z.array(Short).min(1).max(10) })),
  PresentOptions: z.lazy(() =>
    z.object({
      headline: Text,
      nextSteps: z.array(Text).max(20),
      dissent: z.array(Text).max(20),
    }),
  ),
} as const;
export type Tool = keyof typeof SHAPES;
export const TOOLS = Object.keys(SHAPES) as readonly Tool[];

export type Call = { [Name in Tool]: Readonly<{ tool: Name } & z.infer<(typeof SHAPES)[Name]>> }[Tool];
export const Call = z.lazy(() =>
  z.looseObject({ tool: z.enum(TOOLS as [Tool, ...Tool[]]) }).transform((value, context): Call => {
    const { tool, ...rest } = value;
    const parsed = SHAPES[tool].safeParse(rest);
    if (parsed.success) return { tool, ...parsed.data } as Call;
    context.addIssue({ code: 'custom', message: faultIn(parsed.error) });
    return z.NEVER;
  }),
);

export type Said = Readonly<{
  calls: readonly Call[];
  problems: readonly string[];
  omitted?: number | undefined;
}>;

const PROBLEMS_MAX = 20;
/** A fence inside a line is part of a quote. */
export const FENCE = /^[ \t]*(`{3,})[ \t]*(?:([\w-]+)[ \t]*)?$/;
const FENCES = new RegExp(`(?<![^\\n])${FENCE.source.slice(1, -1)}(?=\\r?\\n|$)`, 'g');
export const CALLED: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'understudy']);

type Reading = {
  allowed: readonly Tool[];
  calls: Call[];
  problems: string[];
  made: number;
  listed: number;
  omitted: number;
};

/**
 * Parses fenced blocks of JSON with one call or a list, `{ "tool": "CompleteStage", "summary": "…" }`; ignores other
 * text.
 * @param allowed other tools are reported as problems.
 */
export function* readCalls(answer: string, allowed: readonly Tool[]): Generator<void, Said> {
  const reading: Reading = { allowed, calls: [], problems: [], made: 0, listed: 0, omitted: 0 };
  const blocks = blocksIn(answer.slice(0, ANSWER_MAX_CHARS));
  for (const { text, isNamed } of blocks) {
    yield;
    const values = valuesIn(text);
    // A block without a language may hold anything.
    if (values === null && isNamed)
      reading.problems.push(`A block is no JSON, or too long: ${text.trim().slice(0, 60)}`);
    for (const value of values ?? []) readCall(reading, value);
  }
  const { calls, problems, omitted } = reading;
  if (answer.length > ANSWER_MAX_CHARS || blocks.length === BLOCKS_MAX)
    problems.unshift(`Only ${ANSWER_MAX_CHARS} characters and ${BLOCKS_MAX} blocks of an answer are read.`);
  if (omitted > 0)
    problems.unshift(`Of an answer ${LISTED_MAX} calls, findings and ideas are read; ${omitted} were left out.`);
  return { calls, problems: problems.slice(0, PROBLEMS_MAX), ...(omitted > 0 ? { omitted } : {}) };
}

function blocksIn(answer: string): readonly Readonly<{ text: string; isNamed: boolean }>[] {
  const blocks: { text: string; isNamed: boolean }[] = [];
  let open: Readonly<{ fence: string; name: string; from: number }> | null = null;
  for (const { 0: line, 1: fence = '', 2: name = '', index } of answer.matchAll(FENCES)) {
    if (open === null) open = { fence, name: name.toLowerCase(), from: index + line.length };
    else if (fence.length >= open.fence.length && name === '') {
      if (CALLED.has(open.name)) blocks.push({ text: answer.slice(open.from, index), isNamed: open.name !== '' });
      open = null;
      if (blocks.length === BLOCKS_MAX) break;
    }
  }
  return blocks;
}

function valueCountOf(text: string): number {
  let [count, isInString] = [1, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isInString && sign === '\\') at++;
    else if (sign === '"') isInString = !isInString;
    else if (!isInString && (sign === ',' || sign === '[' || sign === '{')) count++;
  }
  return count;
}

export function valuesIn(block: string): readonly unknown[] | null {
  if (valueCountOf(block) > VALUES_MAX) return null;
  const value = parseJson(block);
  if (value !== undefined) return Array.isArray(value) ? value : [value];
  const lines = block.split('\n', LINES_MAX + 1).filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > LINES_MAX) return null;
  const values = lines.map(parseJson);
  return values.includes(undefined) ? null : values;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // silent: a participant may write any text, and the block is reported as unreadable
    return undefined;
  }
}

function readCall(reading: Reading, value: unknown): void {
  const { allowed, calls, problems } = reading;
  const call = isObject(value) ? (value as Readonly<{ tool?: unknown; input?: unknown }>) : {};
  const given = isObject(call.input) ? call.input : call;
  const name = TOOLS.find((each) => each === call.tool);
  const isListing = name === 'PostFindings' || name === 'PostIdeas';
  const list: unknown = isListing ? (given as Readonly<Record<string, unknown>>)[LISTS[name].key] : null;
  if (++reading.made > LISTED_MAX) reading.omitted += Array.isArray(list) ? list.length : 1;
  else if (!isObject(value)) problems.push('A call is an object with "tool" and what it takes.');
  else if (name === undefined)
    problems.push(
      `"${typeof call.tool === 'string' ? call.tool.slice(0, 40) : ''}" is no tool. Now there are ${allowed.join(', ')}.`,
    );
  else if (!allowed.includes(name)) problems.push(`${name} is not for now. Now there are ${allowed.join(', ')}.`);
  else if (isListing) readList(reading, name, list);
  else {
    const parsed = SHAPES[name].safeParse(given);
    if (parsed.success) calls.push({ tool: name, ...parsed.data } as Call);
    else problems.push(`${name}: ${faultIn(parsed.error)}`);
  }
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An invalid entry must not discard the others. */
const LISTS = {
  PostFindings: {
    key: 'findings',
    one: 'finding',
    shape: NewFinding,
    remark: Remark,
    kinds: ['confirms', 'challenges', 'buildsOn'],
  },
  PostIdeas: {
    key: 'ideas',
    one: 'idea',
    shape: NewIdea,
    remark: IdeaRemark,
    kinds: ['supports', 'challenges', 'buildsOn'],
  },
} as const;

function readList(reading: Reading, tool: keyof typeof LISTS, list: unknown): void {
  const { key, one, shape, remark, kinds } = LISTS[tool];
  const { calls, problems } = reading;
  if (!Array.isArray(list) || list.length === 0)
    return void problems.push(`${tool}: ${key}: expected a list of ${key}.`);
  const good: unknown[] = [];
  const taken: readonly unknown[] = list.slice(0, LISTED_MAX - reading.listed);
  for (const [at, value] of taken.entries()) {
    const parsed = isRemark(value, kinds) ? remark.safeParse(value) : shape.safeParse(value);
    if (parsed.success) good.push(parsed.data);
    else problems.push(`${tool}: ${one} ${at + 1}: ${faultIn(parsed.error)}`);
  }
  reading.listed += taken.length;
  reading.omitted += list.length - taken.length;
  // The compiler cannot follow the schema through the table.
  if (good.length > 0) calls.push({ tool, [key]: good } as unknown as Call);
}

const isRemark = (value: unknown, kinds: readonly string[]): boolean =>
  isObject(value) && kinds.some((key) => key in value);

export type Place = Readonly<{ file: string; line: number; quote: string }>;

export function placesIn(call: Call): readonly (Place | null)[] {
  if (call.tool === 'PostFindings') return call.findings.map((each) => ('quote' in each ? each : null));
  if (call.tool === 'PostIdeas') return call.ideas.flatMap((each) => ('title' in each ? (each.evidence ?? []) : []));
  return [];
}

const faultIn = (error: z.ZodError): string => {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'it'}: ${issue.message}` : 'it was not understood.';
};
