import * as z from 'zod';
import { QUOTE_CHECKS, SEVERITIES } from '../base/types';

/** Longer than this no text of a participant is kept, in characters. */
const TEXT_MAX = 2_000;
const SHORT_MAX = 200;
/** Findings in one call; more are a mistake, and the first are taken. */
const FINDINGS_MAX = 100;

const Text = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.slice(0, TEXT_MAX));
const Short = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.slice(0, SHORT_MAX));
const Line = z.coerce.number().int().min(1).max(10_000_000);
const FindingRef = z.string().regex(/^f\d{1,6}$/, 'expected the id of a finding, such as f3');
/** Paths inside the repository: what leads out of it is nobody's finding. */
const File = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .transform((path) => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''))
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'expected a path inside the repository');

/** What somebody has found, with the very words it is about. */
export const NewFinding = z.object({
  severity: z.enum(SEVERITIES),
  title: Short,
  file: File,
  line: Line,
  endLine: Line.optional(),
  quote: z
    .string()
    .min(1)
    .transform((text) => text.slice(0, TEXT_MAX)),
  evidence: Text,
  suggestion: Text.optional(),
});
export type NewFinding = z.infer<typeof NewFinding>;

/** What is said of a finding of somebody else. */
const Remark = z.union([
  z.object({ confirms: FindingRef, why: Text }),
  z.object({ challenges: FindingRef, why: Text }),
  z.object({ buildsOn: FindingRef, why: Text }),
]);
export type Remark = z.infer<typeof Remark>;

/** What the host found where a finding points. */
export const Checked = z.object({ check: z.enum(QUOTE_CHECKS), at: z.number().int().positive().nullable() });
export type Checked = z.infer<typeof Checked>;

const Hero = z.string().trim().toLowerCase().min(1).max(60);

const SHAPES = {
  PostFindings: z.object({ findings: z.array(z.union([Remark, NewFinding])) }),
  UpdateKnowledge: z.object({ key: Short, text: Text }),
  CompleteStage: z.object({ summary: Text }),
  AnalyzeInput: z.object({
    kind: Short,
    summary: Text,
    languages: z.array(Short).max(30),
    size: Short,
    signals: z.array(Short).max(30),
    risks: z.array(Short).max(30),
  }),
  SelectHeroes: z.object({
    process: Short,
    heroes: z
      .array(z.object({ id: Hero, brief: Text }))
      .min(1)
      .max(20),
  }),
  SummonReinforcement: z.object({ hero: Hero, brief: Text, because: z.array(FindingRef).max(50) }),
  DismissHero: z.object({ hero: Hero, because: Text }),
  PresentReport: z.object({
    headline: Text,
    order: z.array(FindingRef).max(500),
    praise: z.array(Text).max(30),
  }),
} as const;
export type Tool = keyof typeof SHAPES;
export const TOOLS = Object.keys(SHAPES) as readonly Tool[];

/** One thing that a participant does, as it is understood. */
export type Call = { [Name in Tool]: Readonly<{ tool: Name } & z.infer<(typeof SHAPES)[Name]>> }[Tool];
/** The same, as it is read back from where it was kept. */
export const Call = z.looseObject({ tool: z.enum(TOOLS as [Tool, ...Tool[]]) }).transform((value, context): Call => {
  const { tool, ...rest } = value;
  const parsed = SHAPES[tool].safeParse(rest);
  if (parsed.success) return { tool, ...parsed.data } as Call;
  context.addIssue({ code: 'custom', message: faultIn(parsed.error) });
  return z.NEVER;
});

/** What an answer of a participant comes to. */
export type Said = Readonly<{
  calls: readonly Call[];
  /** What could not be understood, in words for whoever said it. */
  problems: readonly string[];
}>;

/** Of what was wrong as much is told as helps. */
const PROBLEMS_MAX = 20;
/** Blocks read of one answer: more are no answer. */
const BLOCKS_MAX = 40;
/** A line that begins or ends a block; what is quoted inside a line may hold a fence as well. */
const FENCE = /^[ \t]*(`{3,})[ \t]*([\w-]*)[ \t]*$/;
/** What a block of calls may be called. */
const CALLED: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'understudy']);

/**
 * Reads what a participant does out of its answer: fenced blocks of JSON, each one call or a list of them, `{ "tool": "CompleteStage",
 * "summary": "…" }`. What is no such block is talk, which is nobody's to judge.
 *
 * @param allowed the tools of the stage: another one is told, and not done.
 */
export function readCalls(answer: string, allowed: readonly Tool[]): Said {
  const calls: Call[] = [];
  const problems: string[] = [];
  for (const { text, isNamed } of blocksIn(answer)) {
    const values = valuesIn(text);
    // What is not said to be JSON may be anything.
    if (values === null && isNamed) problems.push(`A block is no JSON: ${text.trim().slice(0, 60)}`);
    for (const value of values ?? []) {
      const said = readCall(value, allowed);
      calls.push(...said.calls);
      problems.push(...said.problems);
    }
  }
  return { calls, problems: problems.slice(0, PROBLEMS_MAX) };
}

/** The blocks of an answer that may hold calls; code in another language is talk. */
function blocksIn(answer: string): readonly Readonly<{ text: string; isNamed: boolean }>[] {
  const blocks: { text: string; isNamed: boolean }[] = [];
  let open: Readonly<{ fence: string; name: string; lines: string[] }> | null = null;
  for (const line of answer.split(/\r?\n/)) {
    const [, fence = '', name = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (fence !== '') open = { fence, name: name.toLowerCase(), lines: [] };
    } else if (fence.length >= open.fence.length && name === '') {
      if (CALLED.has(open.name)) blocks.push({ text: open.lines.join('\n'), isNamed: open.name !== '' });
      open = null;
      if (blocks.length === BLOCKS_MAX) break;
    } else open.lines.push(line);
  }
  return blocks;
}

function valuesIn(block: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(block);
    return Array.isArray(value) ? value : [value];
  } catch {
    // Several objects, one a line.
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.length > 1 ? lines.map((line) => JSON.parse(line) as unknown) : null;
    } catch {
      return null;
    }
  }
}

const wrong = (problem: string): Said => ({ calls: [], problems: [problem] });

function readCall(value: unknown, allowed: readonly Tool[]): Said {
  if (typeof value !== 'object' || value === null) return wrong('A call is an object with "tool" and what it takes.');
  const { tool, input, ...own } = value as { tool?: unknown; input?: unknown };
  const name = TOOLS.find((each) => each === tool);
  if (name === undefined)
    return wrong(
      `"${typeof tool === 'string' ? tool.slice(0, 40) : ''}" is no tool. Now there are ${allowed.join(', ')}.`,
    );
  if (!allowed.includes(name)) return wrong(`${name} is not for now. Now there are ${allowed.join(', ')}.`);
  const given = typeof input === 'object' && input !== null ? input : own;
  if (name === 'PostFindings') return readFindings(given);
  const parsed = SHAPES[name].safeParse(given);
  return parsed.success
    ? { calls: [{ tool: name, ...parsed.data } as Call], problems: [] }
    : wrong(`${name}: ${faultIn(parsed.error)}`);
}

/** Each finding by itself: one that is wrong does not cost the others. */
function readFindings(given: object): Said {
  const { findings } = given as { findings?: unknown };
  if (!Array.isArray(findings) || findings.length === 0)
    return wrong('PostFindings: findings: expected a list of findings.');
  const good: (NewFinding | Remark)[] = [];
  const problems: string[] = [];
  findings.slice(0, FINDINGS_MAX).forEach((value: unknown, at) => {
    const parsed = isRemark(value) ? Remark.safeParse(value) : NewFinding.safeParse(value);
    if (parsed.success) good.push(parsed.data);
    else problems.push(`PostFindings: finding ${at + 1}: ${faultIn(parsed.error)}`);
  });
  const lost = findings.length - FINDINGS_MAX;
  if (lost > 0) problems.push(`PostFindings: at most ${FINDINGS_MAX} at once; ${lost} were left out.`);
  return { calls: good.length === 0 ? [] : [{ tool: 'PostFindings', findings: good }], problems };
}

const isRemark = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ['confirms', 'challenges', 'buildsOn'].some((key) => key in value);

const faultIn = (error: z.ZodError): string => {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'it'}: ${issue.message}` : 'it was not understood.';
};
