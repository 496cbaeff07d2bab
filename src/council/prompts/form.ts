import type { Tool } from '../said/calls';

const FINDING = `{ "severity": "critical|major|minor|praise", "title": "…", "file": "path/in/the/repository", "line": 12, "endLine": 14, "quote": "the very text of that line", "evidence": "why it matters", "suggestion": "what to do" }`;

/** How each tool is written, by an example. */
const FORMS: Readonly<Record<Tool, string>> = {
  PostFindings: `{ "tool": "PostFindings", "findings": [ ${FINDING} ] }`,
  UpdateKnowledge: '{ "tool": "UpdateKnowledge", "key": "short name", "text": "what the others should know" }',
  CompleteStage: '{ "tool": "CompleteStage", "summary": "what you did and found, in a few sentences" }',
  AnalyzeInput:
    '{ "tool": "AnalyzeInput", "kind": "…", "summary": "…", "languages": ["…"], "size": "…", "signals": ["…"], "risks": ["…"] }',
  SelectHeroes:
    '{ "tool": "SelectHeroes", "process": "CODE_REVIEW", "heroes": [ { "id": "sentinel", "brief": "what it shall look at" } ] }',
  SummonReinforcement: '{ "tool": "SummonReinforcement", "hero": "alchemist", "brief": "…", "because": ["f3"] }',
  DismissHero: '{ "tool": "DismissHero", "hero": "bard", "because": "…" }',
  PresentReport: '{ "tool": "PresentReport", "headline": "…", "order": ["f2", "f1"], "praise": ["…"] }',
};

/** What one may say of somebody else's finding, inside `PostFindings`. */
const REMARKS =
  '{ "confirms": "f3", "why": "…" }, { "challenges": "f4", "why": "…" } or { "buildsOn": "f5", "why": "…" }';

/**
 * How a participant says what it does: in fenced blocks of JSON, which the host reads. Tools of the host's own would have to be offered to
 * every session there is.
 */
export function formText(tools: readonly Tool[], canRemark = false): string {
  return [
    'Say what you do in fenced blocks of JSON, one call each; everything else you write is read by nobody:',
    ...tools.map((tool) => `\`\`\`json\n${FORMS[tool]}\n\`\`\``),
    ...(canRemark ? [`In PostFindings the list may also hold ${REMARKS}.`] : []),
  ].join('\n');
}
