import { CALLED, FENCE, valuesIn } from './calls';

type Block = Readonly<{ fence: string; name: string; lines: string[] }>;

/** An incomplete answer ends where a call block begins. */
export function withoutCalls(answer: string): string {
  const talk: string[] = [];
  let open: Block | null = null;
  for (const line of answer.split(/\r?\n/)) {
    const [, fence = '', name = ''] = FENCE.exec(line) ?? [];
    if (open === null && fence === '') talk.push(line);
    else if (open === null) open = { fence, name: name.toLowerCase(), lines: [line] };
    else {
      open.lines.push(line);
      if (fence.length < open.fence.length || name !== '') continue;
      if (!hasCalls(open)) talk.push(...open.lines);
      open = null;
    }
  }
  if (open !== null && !mayHaveCalls(open)) talk.push(...open.lines);
  return talk
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const hasCalls = ({ name, lines }: Block): boolean =>
  CALLED.has(name) && valuesIn(lines.slice(1, -1).join('\n')) !== null;

const mayHaveCalls = ({ name, lines }: Block): boolean =>
  CALLED.has(name) && /^\s*(?:[[{]|$)/.test(lines.slice(1).join('\n'));
