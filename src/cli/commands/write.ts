import type { Outcome } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { editFile, type WritePlan, type WriteRequest, type Written } from '../../node/config/config-write';
import { applyTogether } from '../../node/config/write-together';
import { paintDiff, painter } from '../paint';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';

export type WriteOptions = JsonOption & Readonly<{ dryRun?: boolean; yes?: boolean }>;

/** Runs after approval, before the write. */
type Prepare = () => Promise<Outcome>;
const NOTHING_TO_PREPARE: Prepare = async () => ({ ok: true });

type WrittenFile = Readonly<{ changed: boolean; path: string; receipt: string | null; diff: string }>;
type Answer = (files: readonly WrittenFile[]) => unknown;

const oneFile: Answer = ([file]) => ({ ok: true, ...file });
const everyFile: Answer = (files) => ({ ok: true, changed: files.some(({ changed }) => changed), files });

export const confirmAndWrite = (
  parts: CliParts,
  options: WriteOptions,
  plan: WritePlan,
  prepare: Prepare = NOTHING_TO_PREPARE,
): Promise<number> => confirmed(parts, options, { plans: [plan], prepare, answer: oneFile });

export const confirmAndWriteWith = (
  parts: CliParts,
  options: WriteOptions,
  plan: WritePlan,
  beside: Readonly<Record<string, unknown>>,
): Promise<number> =>
  confirmed(parts, options, {
    plans: [plan],
    prepare: NOTHING_TO_PREPARE,
    answer: ([file]) => ({ ok: true, ...file, ...beside }),
  });

/** Writes all or none. */
export const confirmAndWriteAll = (
  parts: CliParts,
  options: WriteOptions,
  plans: readonly WritePlan[],
  prepare: Prepare = NOTHING_TO_PREPARE,
): Promise<number> => confirmed(parts, options, { plans, prepare, answer: everyFile });

type Wanted = Readonly<{ plans: readonly WritePlan[]; prepare: Prepare; answer: Answer }>;

async function confirmed(parts: CliParts, options: WriteOptions, wanted: Wanted): Promise<number> {
  const { plans, prepare, answer } = wanted;
  const changing = plans.filter(({ diff }) => diff !== '');
  const diff = changing.map((plan) => plan.diff).join('\n');
  if (options.dryRun) {
    const files = plans.map((plan) => fileOf(plan, null));
    show(parts, options, answer(files), () => paintDiff(diff, painter(parts.hasColour)) || files.map(alike).join('\n'));
    return EXIT.done;
  }
  const refusal = options.yes || changing.length === 0 ? null : await refusalTo(parts, options, { changing, diff });
  if (refusal !== null) return refuse(parts, options, refusal);
  const prepared = await prepare();
  if (!prepared.ok) return refuse(parts, options, prepared.reason, EXIT.failed);
  return await write(parts, options, { plans, answer, isShown: !options.yes });
}

/** The user has already approved the difference. */
export const writeShown = (parts: CliParts, plan: WritePlan): Promise<number> =>
  write(parts, {}, { plans: [plan], answer: oneFile, isShown: true });

type Agreed = Pick<Wanted, 'plans' | 'answer'> & Readonly<{ isShown: boolean }>;

async function write(parts: CliParts, options: JsonOption, { plans, answer, isShown }: Agreed): Promise<number> {
  const written = await applyTogether(plans, stateHome(parts.env));
  if (!written.ok) return refuseWrite(parts, options, written);
  const files = plans.map((plan, at) => fileOf(plan, written.receipts[at]?.id ?? null));
  report(parts, options, { files, answer, isShown });
  return EXIT.done;
}

/** The reason for not writing; null after approval on the terminal. */
export async function refusalTo(
  parts: CliParts,
  { json }: WriteOptions,
  { changing, diff }: Readonly<{ changing: readonly Pick<WritePlan, 'path'>[]; diff: string }>,
): Promise<string | null> {
  const paths = changing.map(({ path }) => path).join(' and ');
  if (!parts.isTerminal || json)
    return `${paths} would be changed. Nothing was changed. Check with --dry-run, then add --yes.`;
  parts.print(paintDiff(diff, painter(parts.hasColour)));
  return (await parts.ask(`Change ${paths}?`)) ? null : 'Nothing was changed.';
}

export async function editAndShow(parts: CliParts, options: JsonOption, request: WriteRequest): Promise<number> {
  const written = await editFile(request, stateHome(parts.env));
  if (!written.ok) return refuseWrite(parts, options, written);
  const file = fileOf({ path: request.path, diff: written.diff ?? '' }, written.receipt?.id ?? null);
  report(parts, options, { files: [file], answer: oneFile, isShown: false });
  return EXIT.done;
}

const fileOf = ({ path, diff }: Pick<WritePlan, 'path' | 'diff'>, receipt: string | null): WrittenFile => ({
  changed: receipt !== null,
  path,
  receipt,
  diff,
});

const refuseWrite = (parts: CliParts, options: JsonOption, { reason, code }: Extract<Written, { ok: false }>): number =>
  refuse(parts, options, reason, code === 'failed' ? EXIT.failed : EXIT.refused);

const alike = ({ path }: Pick<WrittenFile, 'path'>): string => `${path} already has this. Nothing was changed.`;

function report(
  parts: CliParts,
  options: JsonOption,
  { files, answer, isShown }: Readonly<{ files: readonly WrittenFile[]; answer: Answer; isShown: boolean }>,
): void {
  show(parts, options, answer(files), () =>
    files
      .flatMap(({ path, receipt, diff }) => {
        if (receipt === null) return [alike({ path })];
        const done = `Changed ${path}. To undo: understudy config undo ${receipt}`;
        return isShown ? [done] : [paintDiff(diff, painter(parts.hasColour)), done];
      })
      .join('\n\n'),
  );
}
