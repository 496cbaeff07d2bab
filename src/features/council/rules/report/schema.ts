import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS, QUOTE_CHECKS, SEVERITIES } from '../base/types';
import { STAGE_IDS } from '../process/process';

const Count = z.int().nonnegative();
const Line = z.int().positive();
const Moment = z.iso.datetime();

const Word = z.object({
  by: z.string().describe('The hero that wrote it.'),
  why: z.string().describe('The reason, in its own words.'),
});

const ReportFinding = z.object({
  id: z.string().describe('ID such as `f3`, unchanged during the run.'),
  severity: z.enum(SEVERITIES).describe('Effective severity; never critical if the quote was not found.'),
  title: z.string().describe('The claim in a few words.'),
  file: z.string().describe('Path inside the repository.'),
  line: Line.describe('Actual line of the quote; the reported line if it was not found.'),
  movedFrom: Line.nullable().describe('Reported line, if different; otherwise null.'),
  endLine: Line.nullable().describe('Last line; null for a single line.'),
  quote: z.string().describe('The quoted text. Invisible characters are named, such as ‹U+202E›.'),
  evidence: z.string().describe('Why it matters, in the author’s words.'),
  suggestion: z.string().nullable().describe('Suggested change; null without one.'),
  check: z
    .enum(QUOTE_CHECKS)
    .describe('Result of the search for the quote: verified, moved to another line, not found, or file unread.'),
  foundBy: z.array(z.string()).describe('Heroes that found it independently, the first one first.'),
  support: Count.describe('Number of other heroes that found or confirmed it.'),
  confirmedBy: z.array(Word).describe('Heroes that agreed.'),
  challengedBy: z.array(Word).describe('Heroes that disagreed.'),
  builtOn: z.array(Word).describe('Heroes that added something.'),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

const HeardMember = z.object({
  id: z.string().describe('`oracle`, or the ID of a hero.'),
  name: z.string().describe('The name of the hero, or "The Oracle".'),
  title: z.string().nullable().describe('Title of the hero; null for the Oracle.'),
  speaker: z.string().describe('Speaker that played it, by its configured name.'),
  model: z.string().nullable().describe('Model of that speaker that answered last; null if none did.'),
  findings: Count.describe('Findings or ideas that it posted first.'),
  words: Count.describe('Remarks on posts of other heroes.'),
});

const Unheard = z.object({
  who: z.string().describe('Name of a hero, or configured name of a speaker.'),
  kind: z.enum(['hero', 'speaker']).describe('A hero is a role; a speaker is a model that plays roles.'),
  why: z.string().describe('The reason.'),
  isPartly: z.boolean().describe('It contributed before.'),
});

const ReportStage = z.object({
  id: z.enum(STAGE_IDS).describe('The stage.'),
  name: z.string().describe('Display name of the stage.'),
  isCompleted: z.boolean().describe('The stage is over, even if not every participant contributed.'),
  summedUpBy: z.array(z.string()).describe('Participants that summarized it.'),
});

const ReportEvidence = z.object({
  file: z.string().describe('Path inside the repository.'),
  line: Line.describe('Actual line of the quote; the reported line if it was not found.'),
  quote: z.string().describe('The quoted text. Invisible characters are named, such as ‹U+202E›.'),
  check: z.enum(QUOTE_CHECKS).describe('Result of the search for the quote.'),
});

const ReportOption = z.object({
  id: z.string().describe('ID such as `i3`, unchanged during the run.'),
  rank: z.int().positive().nullable().describe('Rank by points, from 1; null before any ballot.'),
  points: z.number().nonnegative().describe('Borda points of all ballots; halves are possible.'),
  firstPlaces: Count.describe('Ballots that rank it first.'),
  title: z.string().describe('The idea in a few words.'),
  text: z.string().describe('The idea, with several lines.'),
  proposedBy: z.array(z.string()).describe('Heroes that proposed it independently, the first one first.'),
  supportedBy: z.array(Word).describe('Heroes that support it.'),
  challengedBy: z.array(Word).describe('Heroes that challenge it.'),
  builtOn: z.array(Word).describe('Heroes that added something.'),
  evidence: z.array(ReportEvidence).describe('Places in the repository it refers to.'),
});
export type ReportOption = z.infer<typeof ReportOption>;

const ReportBrainstorm = z.object({
  question: z.string().nullable().describe('Question as framed by the Oracle; null if it did not.'),
  criteria: z.array(z.string()).describe('Criteria for an answer.'),
  constraints: z.array(z.string()).describe('Constraints on an answer.'),
  gaps: z.array(z.string()).describe('Gaps after the first round, named by the Oracle.'),
  options: z.array(ReportOption).describe('By rank; in order of posting before any ballot.'),
  ballots: z
    .array(
      z.object({
        by: z.string().describe('Hero of the ballot.'),
        ranking: z.array(z.string()).describe('IDs of ideas, best first; missing ideas count as last.'),
      }),
    )
    .describe('All ballots.'),
  dissent: z
    .array(
      z.object({
        by: z.string().describe('Hero that disagrees.'),
        about: z.string().nullable().describe('ID of the idea; null if it concerns the whole.'),
        why: z.string().describe('The reason, in its own words.'),
      }),
    )
    .describe('Objections to the first idea, and others that the Oracle selected.'),
  nextSteps: z.array(z.string()).describe('Next steps proposed by the Oracle.'),
});
export type ReportBrainstorm = z.infer<typeof ReportBrainstorm>;

export const CouncilReport = z.object({
  version: z.literal(1).describe('Version of this format.'),
  run: z.string().describe('ID of the run.'),
  activity: z.enum(ACTIVITIES).nullable().describe('Kind of run; null for an input without a process.'),
  process: z.enum(PROCESS_IDS).nullable().describe('Process of the run; null for an input without one.'),
  input: z
    .object({
      problem: z.string().nullable().describe('The problem; null for a review.'),
      repo: z.string().nullable().describe('A path or an address; null without a repository.'),
    })
    .describe('Input of the run.'),
  begunAt: Moment.describe('In UTC.'),
  endedAt: Moment.nullable().describe('In UTC; null before the end.'),
  outcome: z
    .enum(['finished', 'stopped', 'paused', 'unfinished'])
    .describe('`unfinished` while in progress; `paused` while it waits for the user.'),
  headline: z.string().describe('Result in one sentence.'),
  isHeadlineByRule: z
    .boolean()
    .describe('The Oracle did not present the report; headline and order follow severity and support.'),
  brainstorm: ReportBrainstorm.nullable().describe('Ideas and their ranking; null for a review.'),
  findings: z.array(ReportFinding).describe('In the Oracle’s order; findings that it omitted follow, by severity.'),
  unproved: z
    .array(ReportFinding)
    .describe('Findings with a quote that was not found, or with a file that could not be read.'),
  praise: z
    .object({
      findings: z.array(ReportFinding).describe('Good code, with its place.'),
      words: z.array(z.string()).describe('Other praise by the Oracle.'),
    })
    .describe('Praise.'),
  synthesis: z
    .object({ by: z.string().describe('The hero that wrote it.'), text: z.string().describe('With several lines.') })
    .nullable()
    .describe('Summary of all findings; null without one.'),
  heard: z.array(HeardMember).describe('Participants with a stored contribution, in the order of joining.'),
  notHeard: z.array(Unheard).describe('Participants without a contribution, or with an incomplete one.'),
  secrets: z.array(z.string()).optional().describe('Files not read because they may hold secrets; at most 200.'),
  stages: z.array(ReportStage).describe('Stages of the process, in order.'),
  fallbacks: z
    .array(
      z.object({
        speaker: z.string().describe('Configured name.'),
        from: z.string().describe('Its own model.'),
        to: z.string().describe('Fallback model.'),
        hasAnswered: z.boolean().describe('True if it answered last for that speaker.'),
      }),
    )
    .describe('Fallback models used by speakers.'),
  retries: Count.describe('Retries of the same model after failures.'),
  cost: z
    .object({
      spent: z.number().nonnegative().describe('US dollars, without turns of unknown price.'),
      cap: z.number().nonnegative().nullable().describe('US dollars at which the run pauses; null without a cap.'),
      unpricedTurns: Count.describe('Turns of unknown price.'),
      tokens: z
        .object({ input: Count.describe('Tokens in.'), output: Count.describe('Tokens out.') })
        .describe('Of all turns.'),
    })
    .describe('Cost of the run.'),
  isDefaultParty: z.boolean().describe('The Oracle could not choose, so the default party took part.'),
  isLessGrounded: z.boolean().describe('The configured knowledge source failed to answer in time at least once.'),
});
export type CouncilReport = z.infer<typeof CouncilReport>;
