import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Step } from './config';
import { Refused } from './setup';

/** A key and the very value that was shown, as one name: a yes to it is a yes to nothing else. */
const Id = z.string().regex(/^[0-9a-f]{64}$/);
const Ids = z.array(Id).min(1).max(200);
/** The real path of a project, whatever link leads there: what a yes is bound to. */
const Project = z.string().min(1).max(4096);

/** A phrase that names a failure; null for what it leaves open. */
const WantedPhrase = z.object({
  phrase: z.string(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  provider: z.string().nullable(),
  agent: z.string().nullable(),
});

/** A limit as somebody would have it: a number or a yes, rows of a policy, phrases that name failures, or a chain. */
export const Wanted = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plain'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  z.object({
    type: z.literal('rows'),
    rows: z.array(z.object({ kind: z.enum(FAILURE_KINDS), steps: z.array(Step) })),
  }),
  /** Each once, with what it makes of a failure, and whose. `count` is of all; the first of them are here. */
  z.object({ type: z.literal('phrases'), phrases: z.array(WantedPhrase), count: z.int().nonnegative() }),
  /** A chain by which another model would lead. `count` is of all; the first of them are here. */
  z.object({ type: z.literal('models'), models: z.array(z.string()), count: z.int().nonnegative() }),
]);
export type Wanted = z.infer<typeof Wanted>;

/** What a project would loosen of the user's own limits: theirs beside the user's, which stands. */
const Asked = z.object({ id: Id, key: z.string(), theirs: Wanted, own: Wanted });
const Allowed = z.object({ id: Id, key: z.string(), theirs: Wanted, isAsked: z.boolean() });

const ProjectTrust = z.object({
  project: Project,
  /** As OpenCode has opened it; null where it has not. */
  directory: Project.nullable(),
  /** `late`: its files are slow to read, and more may come. `gone`: there is no such folder any more. */
  state: z.enum(['open', 'late', 'closed', 'gone']),
  asked: z.array(Asked),
  allowed: z.array(Allowed),
});
export type ProjectTrust = z.infer<typeof ProjectTrust>;

const Done = z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]);

/** What the panel may ask of the user's yes to what projects loosen. */
export const trustQueries = {
  /** Projects that ask for something, or were allowed something, by path. */
  'trust.get': { input: z.null(), output: z.object({ projects: z.array(ProjectTrust) }) },
  /** A yes to exactly what was shown; refused whole where the project asks for something else by then. */
  'trust.allow': { input: z.object({ directory: Project, project: Project, ids: Ids }), output: Done },
  /** Takes a yes back, also of a project that is gone. What is no longer allowed is no fault. */
  'trust.revoke': { input: z.object({ project: Project, ids: Ids }), output: Done },
} as const;
