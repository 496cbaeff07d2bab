import type { Speaker } from '../base/settings';
import type { MemberId, SpeakerName } from '../base/types';

/**
 * Alternates vendors.
 * @param taken members of each speaker; a late member gets the speaker with the fewest.
 * @throws RangeError without speakers.
 */
export function deal(
  members: readonly MemberId[],
  speakers: readonly Pick<Speaker, 'name' | 'vendor'>[],
  taken: Readonly<Record<SpeakerName, number>> = {},
): Readonly<Record<MemberId, SpeakerName>> {
  const order = byVendorsInTurn(speakers);
  if (order.length === 0) throw new RangeError('There are no speakers to assign.');
  const counts = new Map(order.map((name) => [name, taken[name] ?? 0]));
  const dealt: Record<MemberId, SpeakerName> = {};
  for (const member of members) {
    const least = Math.min(...counts.values());
    const next = order.find((name) => counts.get(name) === least) ?? '';
    counts.set(next, least + 1);
    dealt[member] = next;
  }
  return dealt;
}

function byVendorsInTurn(speakers: readonly Pick<Speaker, 'name' | 'vendor'>[]): readonly SpeakerName[] {
  const vendors = [...new Set(speakers.map(({ vendor }) => vendor))];
  const rows = vendors.map((vendor) => speakers.filter((speaker) => speaker.vendor === vendor).map(({ name }) => name));
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row.slice(at, at + 1))).flat();
}
