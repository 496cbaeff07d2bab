import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptedProvider, ScriptedStep } from '../../../demo/scripted-provider';
import type { MemberId } from '../rules/base/types';
import type { StageId } from '../rules/process/process';
import { type Answer, answerTo, readBy } from './answers';
import { type Asked, readAsked } from './asked';
import { DYING_MODEL_ID, MODEL_IDS } from './cast';
import { SHOP } from './shop';

export type CouncilScript = Readonly<{
  release(): void;
  asked(): Readonly<{ answered: number; refused: number }>;
  readers(): ReadonlySet<MemberId>;
}>;

/** By reading time, in ms. */
const TAKES_MS: Partial<Readonly<Record<StageId, number>>> = {
  casting: 2_500,
  reconnaissance: 2_500,
  deep_analysis: 4_000,
  transition: 1_500,
  cross_reference: 2_500,
  oracle_review: 2_000,
  synthesis: 3_000,
  presentation: 2_500,
};
/** A failing speaker is skipped only while another participant is pending; this delay keeps one pending. */
const LAST: Readonly<{ who: MemberId; stage: StageId }> = { who: 'sage', stage: 'deep_analysis' };
const HELD_LIMIT_MS = 30_000;

const DIES_IN: StageId = 'deep_analysis';
const DEAD: ScriptedStep = { kind: 'status', status: 500 };

export type Playing = Readonly<{ isPaced: boolean; placeKey: 'filePath' | 'path' }>;

export function scriptCouncil(provider: ScriptedProvider, playing: Playing): CouncilScript {
  let release = (): void => undefined;
  const skipped = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [answered, refused] = [0, 0];
  const readers = new Set<MemberId>();
  for (const id of MODEL_IDS)
    provider.script(id, ({ body }) => {
      const request = readAsked({ body });
      if (id === DYING_MODEL_ID && (refused > 0 || request.stage === DIES_IN)) {
        refused++;
        return DEAD;
      }
      if (id === DYING_MODEL_ID) answered++;
      if (request.who !== null && hasSeenFile(request)) readers.add(request.who);
      const step = stepFor(request, { ...playing, inputTokens: tokensIn(JSON.stringify(body)) });
      if (request.who !== LAST.who || request.stage !== LAST.stage) return step;
      return {
        kind: 'held',
        until: Promise.race([skipped, delay(HELD_LIMIT_MS, undefined, { ref: false })]),
        of: step,
      };
    });
  return { release, asked: () => ({ answered, refused }), readers: () => readers };
}

function hasSeenFile({ who, read }: Asked): boolean {
  const file = readBy(who);
  const [first = ''] = file === null ? [] : SHOP[file].split('\n');
  return first !== '' && read?.includes(first) === true;
}

function stepFor(
  request: Asked,
  { isPaced, placeKey, inputTokens }: Playing & Readonly<{ inputTokens: number }>,
): ScriptedStep {
  const answer = answerTo(request);
  if (answer === null || request.stage === null) return { kind: 'text', text: 'This request is not part of the demo.' };
  const file = readBy(request.who);
  if (request.stage === 'reconnaissance' && file !== null && request.read === null)
    return {
      kind: 'toolCall',
      name: 'read',
      arguments: { [placeKey]: file },
      usage: { inputTokens, outputTokens: 30 },
    };
  const text = answerText(answer);
  const usage = { inputTokens, outputTokens: tokensIn(text) };
  const paceMs = isPaced ? (TAKES_MS[request.stage] ?? 0) / text.split(/\s+/).length : 0;
  return { kind: 'text', text, usage, paceMs };
}

export const answerText = ({ talk, calls }: Answer): string =>
  [talk, ...calls.map((call) => `\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\``)].join('\n\n');

const tokensIn = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN);
const CHARACTERS_A_TOKEN = 4;
