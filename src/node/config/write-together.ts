import { type Receipt, receiptId } from './config-journal';
import { applyWrite, planUndo, type WritePlan, type Written } from './config-write';

/** A receipt is null for a plan without a change. */
export type WrittenTogether =
  | Readonly<{ ok: true; receipts: readonly (Receipt | null)[] }>
  | Extract<Written, { ok: false }>;

/** All or none: undoes earlier writes by their receipts. */
export async function applyTogether(
  plans: readonly WritePlan[],
  home: string,
  apply: typeof applyWrite = applyWrite,
): Promise<WrittenTogether> {
  const receipts: (Receipt | null)[] = [];
  const group = plans.length > 1 ? { group: receiptId(Date.now()) } : {};
  for (const plan of plans) {
    const written = await apply({ ...plan, ...group }, home);
    if (!written.ok) {
      const left = await takeBack(receipts, home, plan.actor);
      return left === '' ? written : { ...written, code: 'failed', reason: `${written.reason} ${left}` };
    }
    receipts.push(written.receipt);
  }
  return { ok: true, receipts };
}

/** @returns sentences about writes that could not be undone. */
async function takeBack(receipts: readonly (Receipt | null)[], home: string, actor: string): Promise<string> {
  const left: string[] = [];
  for (const receipt of receipts.toReversed()) {
    if (receipt === null) continue;
    const planned = await planUndo(receipt.id, home, actor);
    const undone = planned.ok ? await applyWrite(planned.plan, home) : planned;
    if (!undone.ok) left.push(`${receipt.path} stays changed: ${undone.reason}`);
  }
  return left.join(' ');
}
