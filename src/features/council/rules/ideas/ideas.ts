import type { IdeaId, MemberId } from '../base/types';
import type { StageId } from '../process/process';
import type { Checked, IdeaRemark, NewIdea } from '../said/calls';

type Word = Readonly<{ by: MemberId; why: string }>;

export type Evidence = Readonly<{ file: string; line: number; quote: string }> & Checked;

export type Idea = Readonly<{
  id: IdeaId;
  by: MemberId;
  stage: StageId;
  title: string;
  text: string;
  evidence: readonly Evidence[];
  alsoBy: readonly MemberId[];
  supports: readonly Word[];
  challenges: readonly Word[];
  buildsOn: readonly Word[];
}>;

const IDEAS_MAX = 200;

type Proposed = Readonly<{
  ideas: readonly Idea[];
  added: readonly Idea[];
  problems: readonly string[];
}>;

/** A repeated title replaces the author's idea, or counts as support for another author's. */
export function propose(
  ideas: readonly Idea[],
  { title, text }: Pick<NewIdea, 'title' | 'text'>,
  { by, stage, evidence }: Pick<Idea, 'by' | 'stage' | 'evidence'>,
): Proposed {
  const wanted = folded(title);
  const same = ideas.find((each) => folded(each.title) === wanted);
  if (same) {
    const mended =
      same.by === by
        ? { ...same, text, evidence }
        : { ...same, alsoBy: same.alsoBy.includes(by) ? same.alsoBy : [...same.alsoBy, by] };
    return { ideas: changed(ideas, mended), added: [], problems: [] };
  }
  if (ideas.length >= IDEAS_MAX)
    return { ideas, added: [], problems: [`There are ${IDEAS_MAX} ideas already. "${title}" was left out.`] };
  const idea: Idea = {
    id: `i${ideas.length + 1}`,
    by,
    stage,
    title,
    text,
    evidence,
    alsoBy: [],
    supports: [],
    challenges: [],
    buildsOn: [],
  };
  return { ideas: [...ideas, idea], added: [idea], problems: [] };
}

const folded = (title: string): string => title.toLowerCase().replace(/\s+/g, ' ').trim();

const changed = (ideas: readonly Idea[], idea: Idea): readonly Idea[] =>
  ideas.map((each) => (each.id === idea.id ? idea : each));

const KINDS = ['supports', 'challenges', 'buildsOn'] as const;

/** Authors cannot support themselves, and each participant counts once. */
export function remarkOn(ideas: readonly Idea[], entry: IdeaRemark, by: MemberId): Proposed {
  const kind = KINDS.find((each) => each in entry);
  const id = kind && (entry as Partial<Record<typeof kind, string>>)[kind];
  const idea = ideas.find((each) => each.id === id);
  if (!kind || !idea) return { ideas, added: [], problems: [`There is no idea ${id}.`] };
  if (idea.by === by || idea.alsoBy.includes(by)) return { ideas, added: [], problems: [`${id} is your own idea.`] };
  if (idea[kind].some((word) => word.by === by)) return { ideas, added: [], problems: [] };
  const noted = { ...idea, [kind]: [...idea[kind], { by, why: entry.why }] };
  return { ideas: changed(ideas, noted), added: [], problems: [] };
}

export const withoutTitles = (texts: readonly string[], ideas: readonly Idea[]): readonly string[] =>
  texts.filter((text) => !ideas.some(({ title, id }) => folded(text).includes(folded(title)) || hasWord(text, id)));

const hasWord = (text: string, word: string): boolean => text.split(/[^A-Za-z0-9]+/).includes(word);
