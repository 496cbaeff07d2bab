import type { CouncilHappening } from './councils';
import type { Draft } from './episode';

export type CouncilOrder =
  | Readonly<{ does: 'begin'; subject: string; notice: Draft['notice']; fields: Partial<Draft>; isOld: boolean }>
  | Readonly<{ does: 'tell'; notice: Draft['notice']; fields: Partial<Draft> }>
  | Readonly<{ does: 'end'; subject: string }>;

const asksOf = (run: string, question: string): string => `N22|${run}|${question}`;
const pauseOf = (run: string): string => `N23|${run}`;

/** @param wall Unix ms, to recognize expired questions. */
export function councilOrder(happening: CouncilHappening, wall: number): CouncilOrder {
  const { run } = happening;
  switch (happening.what) {
    case 'councilAsks': {
      const { project, question, speaker, model, to, failure, until } = happening;
      const council = { run, question: { id: question, speaker, failure }, pause: null };
      const fields = { project, model, to, until, council, isLoud: true };
      return { does: 'begin', subject: asksOf(run, question), notice: 'N22', fields, isOld: until <= wall };
    }
    case 'councilPaused': {
      const { project, pause, spent: cost, cap, isOld } = happening;
      const figures = { cost, ...(cap === null ? {} : { cap }) };
      const fields = { project, figures, council: { run, question: null, pause } };
      return { does: 'begin', subject: pauseOf(run), notice: 'N23', fields, isOld };
    }
    case 'councilSettled': {
      const { question } = happening;
      return { does: 'end', subject: question === null ? pauseOf(run) : asksOf(run, question) };
    }
    case 'councilFinished': {
      const { project, findings, ideas, activity, isEmpty } = happening;
      const { critical, major, minor, praise } = findings;
      const found = activity === 'code_review' ? { count: critical + major + minor + praise, critical } : { ideas };
      const figures = isEmpty ? { ...found, participants: 0 } : found;
      const council = { run, question: null, pause: null };
      return { does: 'tell', notice: 'N24', fields: { project, figures, council } };
    }
  }
}
