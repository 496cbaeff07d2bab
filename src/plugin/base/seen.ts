import type { RequestsSeen } from '../../contract/requests-seen';
import { type ModelId, providerOf } from '../../engine';
import { stateHome } from '../../node/base/state-home';
import { keepRequestsSeen } from '../../node/setup/host-abilities';
import { counting } from './counting';

export function noteSeen({ seen }: Readonly<{ seen: Set<string> }>, model: ModelId, by: RequestsSeen): void {
  const provider = providerOf(model);
  const key = `${provider} ${by}`;
  if (seen.has(key)) return;
  seen.add(key);
  void counting('requests.seen', () => keepRequestsSeen(stateHome(), provider, by));
}
