import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS, QUOTE_CHECKS, SEVERITIES } from '../base/types';
import { STAGE_IDS } from '../process/process';

const Count = z.int().nonnegative();
const Line = z.int().positive();
const Moment = z.iso.datetime();

const Word = z.object({
  by: z.string().describe('The hero who says so.'),
  why: z.string().describe('Why, in its own words.'),
});

const ReportFinding = z.object({
  id: z.string().describe('The same in the whole run: `f3`.'),
  severity: z.enum(SEVERITIES).describe('What it counts as; never critical where its quote was not found.'),
  title: z.string().describe('The claim in a few words.'),
  file: z.string().describe('Path inside the repository.'),
  line: Line.describe('Where its quote stands; where it was said to stand, if it was not found.'),
  movedFrom: Line.nullable().describe('Where it was said to stand, if that is another line; else null.'),
  endLine: Line.nullable().describe('Its last line; null where only one was named.'),
  quote: z.string().describe('The text it is about. Characters that cannot be seen are named, as ‹U+202E›.'),
  evidence: z.string().describe('Why it matters, in the words of who found it.'),
  suggestion: z.string().nullable().describe('What could be done; null where nothing was suggested.'),
  check: z
    .enum(QUOTE_CHECKS)
    .describe('Whether the quote stands in the file: there, at another line, nowhere, or unread.'),
  foundBy: z.array(z.string()).describe('Heroes who found it by themselves, the first one first.'),
  support: Count.describe('How many others found or confirmed it.'),
  confirmedBy: z.array(Word).describe('Who looked at it and agreed.'),
  challengedBy: z.array(Word).describe('Who looked at it and did not agree.'),
  builtOn: z.array(Word).describe('Who had something to add.'),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

const HeardMember = z.object({
  id: z.string().describe('`oracle`, or the id of a hero.'),
  name: z.string().describe('The name of the hero, or "The Oracle".'),
  title: z.string().nullable().describe('The title of a hero; null for the Oracle.'),
  speaker: z.string().describe('Who played it, by the name in the configuration.'),
  model: z.string().nullable().describe('The model that answered last under that name; null where none did.'),
  findings: Count.describe('Findings or ideas that it was the first to post.'),
  words: Count.describe('Times it spoke for, against or on top of what somebody else had posted.'),
});

const Unheard = z.object({
  who: z.string().describe('A hero by its name, or a speaker by the name in the configuration.'),
  kind: z.enum(['hero', 'speaker']).describe('A part that is played, or a model that plays parts.'),
  why: z.string().describe('The reason, in words.'),
  isPartly: z.boolean().describe('It had been heard before.'),
});

const ReportStage = z.object({
  id: z.enum(STAGE_IDS).describe('The stage.'),
  name: z.string().describe('The stage, for people.'),
  isCompleted: z.boolean().describe('It is over; not that everybody spoke in it.'),
  summedUpBy: z.array(z.string()).describe('Who said at its end what it had brought.'),
});

const ReportEvidence = z.object({
  file: z.string().describe('Path inside the repository.'),
  line: Line.describe('Where its quote stands; where it was said to stand, if it was not found.'),
  quote: z.string().describe('The text it is about. Characters that cannot be seen are named, as ‹U+202E›.'),
  check: z.enum(QUOTE_CHECKS).describe('Whether the quote stands in the file.'),
});

const ReportOption = z.object({
  id: z.string().describe('The same in the whole run: `i3`.'),
  rank: z.int().positive().nullable().describe('Its place by points, from 1; null before anybody has ranked.'),
  points: z.number().nonnegative().describe('Borda points of all ballots; halves are possible.'),
  firstPlaces: Count.describe('Ballots that have it first.'),
  title: z.string().describe('The idea in a few words.'),
  text: z.string().describe('The idea, of several lines.'),
  proposedBy: z.array(z.string()).describe('Who had it, the first one first; each without having seen the others’.'),
  supportedBy: z.array(Word).describe('Who speaks for it.'),
  challengedBy: z.array(Word).describe('Who speaks against it.'),
  builtOn: z.array(Word).describe('Who had something to add.'),
  evidence: z.array(ReportEvidence).describe('What it refers to in the repository.'),
});
export type ReportOption = z.infer<typeof ReportOption>;

const ReportBrainstorm = z.object({
  question: z.string().nullable().describe('What is asked, as the Oracle framed it; null where it did not.'),
  criteria: z.array(z.string()).describe('What an answer is measured by.'),
  constraints: z.array(z.string()).describe('What an answer has to keep to.'),
  gaps: z.array(z.string()).describe('What the first round had left out, by the Oracle.'),
  options: z.array(ReportOption).describe('By rank; before anybody has ranked, as posted.'),
  ballots: z
    .array(
      z.object({
        by: z.string().describe('Who ranked.'),
        ranking: z.array(z.string()).describe('Ids of ideas, the best first; what is not named counts as last.'),
      }),
    )
    .describe('Who ranked how.'),
  dissent: z
    .array(
      z.object({
        by: z.string().describe('Who does not agree.'),
        about: z.string().nullable().describe('The id of the idea; null where it is about the whole.'),
        why: z.string().describe('Why, in its own words.'),
      }),
    )
    .describe('What speaks against the idea that came first, and what the Oracle kept beside that.'),
  nextSteps: z.array(z.string()).describe('What the Oracle would do next.'),
});
export type ReportBrainstorm = z.infer<typeof ReportBrainstorm>;

/** The same state gives the same report. */
export const CouncilReport = z.object({
  version: z.literal(1).describe('The version of this format.'),
  run: z.string().describe('The id of the run.'),
  activity: z.enum(ACTIVITIES).nullable().describe('What it was for; null where there was nothing to play.'),
  process: z.enum(PROCESS_IDS).nullable().describe('What was played; null where there was nothing to play.'),
  input: z
    .object({
      problem: z.string().nullable().describe('What was asked; null for a review.'),
      repo: z.string().nullable().describe('A path or an address; null without a repository.'),
    })
    .describe('What it was given.'),
  begunAt: Moment.describe('In UTC.'),
  endedAt: Moment.nullable().describe('In UTC; null while it has not ended.'),
  outcome: z
    .enum(['finished', 'stopped', 'paused', 'unfinished'])
    .describe('Unfinished while it is under way; paused while it waits for a person.'),
  headline: z.string().describe('What came of it in one sentence.'),
  isHeadlineByRule: z
    .boolean()
    .describe('The Oracle did not present the report: headline and order are by severity and support.'),
  brainstorm: ReportBrainstorm.nullable().describe('Ideas and how they were ranked; null for a review.'),
  findings: z.array(ReportFinding).describe('In the order of the Oracle; what it left out after that, by severity.'),
  unproved: z.array(ReportFinding).describe('Whose quote was not found, or whose file could not be read.'),
  praise: z
    .object({
      findings: z.array(ReportFinding).describe('What is done well, with the place where it stands.'),
      words: z.array(z.string()).describe('What the Oracle praises beside that.'),
    })
    .describe('What is good.'),
  synthesis: z
    .object({ by: z.string().describe('The hero who wrote it.'), text: z.string().describe('Of several lines.') })
    .nullable()
    .describe('All findings put together; null where nobody did.'),
  heard: z.array(HeardMember).describe('Of whom something was kept, in the order of coming.'),
  notHeard: z.array(Unheard).describe('Who was not heard, or not to the end.'),
  secrets: z.array(z.string()).optional().describe('Files not read because they may hold secrets; 200 at most.'),
  stages: z.array(ReportStage).describe('The stages of the process, in their order.'),
  fallbacks: z
    .array(
      z.object({
        speaker: z.string().describe('The name in the configuration.'),
        from: z.string().describe('Its own model.'),
        to: z.string().describe('The model that took over.'),
        hasAnswered: z.boolean().describe('It was the last to answer under that name.'),
      }),
    )
    .describe('Models that took over from a speaker’s own.'),
  retries: Count.describe('Times the same model was asked again after it failed.'),
  cost: z
    .object({
      spent: z.number().nonnegative().describe('US dollars; without the turns whose price is not known.'),
      cap: z.number().nonnegative().nullable().describe('US dollars at which it pauses; null for no cap.'),
      unpricedTurns: Count.describe('Turns whose price is not known.'),
      tokens: z
        .object({ input: Count.describe('Tokens in.'), output: Count.describe('Tokens out.') })
        .describe('Of all turns.'),
    })
    .describe('What it cost.'),
  isDefaultParty: z.boolean().describe('The Oracle could not choose: the default party was sent.'),
  isLessGrounded: z
    .boolean()
    .describe('The source of knowledge that the user names gave nothing in time, once at least.'),
});
export type CouncilReport = z.infer<typeof CouncilReport>;
