import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Step } from './config';
import { Refused } from './setup';

/** A key with its exact value: approvals cover nothing else. */
const Id = z.string().regex(/^[0-9a-f]{64}$/);
const Ids = z.array(Id).min(1).max(200);
/** Real path, links resolved: approvals belong to it. */
const Project = z.string().min(1).max(4096);

const WantedPhrase = z.object({
  phrase: z.string(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  provider: z.string().nullable(),
  agent: z.string().nullable(),
});

export const Wanted = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plain'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  z.object({
    type: z.literal('rows'),
    rows: z.array(z.object({ kind: z.enum(FAILURE_KINDS), steps: z.array(Step) })),
  }),
  /** Only the first of `count` are listed. */
  z.object({ type: z.literal('phrases'), phrases: z.array(WantedPhrase), count: z.int().nonnegative() }),
  /** With another primary; only the first of `count`. */
  z.object({ type: z.literal('models'), models: z.array(z.string()), count: z.int().nonnegative() }),
]);
export type Wanted = z.infer<typeof Wanted>;

/** The user's value, `own`, stays in force. */
const Asked = z.object({ id: Id, key: z.string(), theirs: Wanted, own: Wanted });
const Allowed = z.object({ id: Id, key: z.string(), theirs: Wanted, isAsked: z.boolean() });

const ProjectTrust = z.object({
  project: Project,
  /** As opened in OpenCode; null if not open. */
  directory: Project.nullable(),
  /** `late`: slow files, more may follow. `gone`: no folder. */
  state: z.enum(['open', 'late', 'closed', 'gone']),
  asked: z.array(Asked),
  allowed: z.array(Allowed),
});
export type ProjectTrust = z.infer<typeof ProjectTrust>;

const Done = z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]);

export const trustQueries = {
  'trust.get': { input: z.null(), output: z.object({ projects: z.array(ProjectTrust) }) },
  /** Rejected as a whole if the project has changed its request. */
  'trust.allow': { input: z.object({ directory: Project, project: Project, ids: Ids }), output: Done },
  'trust.revoke': { input: z.object({ project: Project, ids: Ids }), output: Done },
} as const;
