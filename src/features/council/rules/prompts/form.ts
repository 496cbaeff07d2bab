import type { ProcessId } from '../base/types';
import type { Tool } from '../said/calls';

const EVIDENCE =
  '"evidence": [ { "file": "path/in/the/repository", "line": 12, "quote": "the exact text of that line" } ]';
const FINDING = `{ "severity": "critical|major|minor|praise", "title": "…", "file": "path/in/the/repository", "line": 12, "endLine": 14, "quote": "the exact text of that line", "evidence": "why it matters", "suggestion": "what to do" }`;

const FORMS: Readonly<Record<Tool, string>> = {
  PostFindings: `{ "tool": "PostFindings", "findings": [ ${FINDING} ] }`,
  UpdateKnowledge: '{ "tool": "UpdateKnowledge", "key": "short name", "text": "what the others should know" }',
  CompleteStage: '{ "tool": "CompleteStage", "summary": "what you did and found, in a few sentences" }',
  AnalyzeInput:
    '{ "tool": "AnalyzeInput", "kind": "…", "summary": "…", "languages": ["…"], "size": "…", "signals": ["…"], "risks": ["…"] }',
  SelectHeroes:
    '{ "tool": "SelectHeroes", "process": "{process}", "heroes": [ { "id": "…", "brief": "what it shall look at" } ] }',
  SummonReinforcement: '{ "tool": "SummonReinforcement", "hero": "…", "brief": "…", "because": ["{posted}"] }',
  DismissHero: '{ "tool": "DismissHero", "hero": "…", "because": "…" }',
  PresentReport: '{ "tool": "PresentReport", "headline": "…", "order": ["f2", "f1"], "praise": ["…"] }',
  PostIdeas:
    '{ "tool": "PostIdeas", "ideas": [ { "title": "a few words", "text": "the idea, and why it would work" } ] }',
  RankIdeas: '{ "tool": "RankIdeas", "ranking": ["i2", "i5", "i1"] }',
  FrameProblem: '{ "tool": "FrameProblem", "question": "…", "criteria": ["…"], "constraints": ["…"] }',
  NameGaps: '{ "tool": "NameGaps", "gaps": ["a topic that no idea covers yet, without revealing any idea"] }',
  PresentOptions:
    '{ "tool": "PresentOptions", "headline": "…", "nextSteps": ["…"], "dissent": ["who does not agree, and why"] }',
};

const REMARKS: Partial<Readonly<Record<Tool, string>>> = {
  PostFindings:
    '{ "confirms": "f3", "why": "…" }, { "challenges": "f4", "why": "…" } or { "buildsOn": "f5", "why": "…" }',
  PostIdeas: '{ "supports": "i3", "why": "…" }, { "challenges": "i4", "why": "…" } or { "buildsOn": "i5", "why": "…" }',
};

type Formed = Readonly<{ process: ProcessId; canRemark: boolean; hasRepository: boolean }>;

/** Real tools would have to be registered for every session. */
export function formText(tools: readonly Tool[], { process, canRemark, hasRepository }: Formed): string {
  return [
    'Report your actions in fenced blocks of JSON, one call per block. All other text is ignored:',
    ...tools.map((tool) => `\`\`\`json\n${formOf(tool, process)}\n\`\`\``),
    ...(canRemark ? tools.flatMap((tool) => remarksText(tool)) : []),
    ...(hasRepository && tools.includes('PostIdeas')
      ? [`An idea that refers to the repository may have ${EVIDENCE}: the quote is checked.`]
      : []),
  ].join('\n');
}

const formOf = (tool: Tool, process: ProcessId): string =>
  FORMS[tool].replace('{process}', process).replace('{posted}', process === 'CODE_REVIEW' ? 'f3' : 'i3');

const remarksText = (tool: Tool): readonly string[] => {
  const remarks = REMARKS[tool];
  return remarks === undefined ? [] : [`In ${tool} the list may also hold ${remarks}.`];
};
