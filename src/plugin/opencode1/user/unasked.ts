import { tellUnlisted } from '../../user/unasked';
import type { Instance } from '../memory/instance';
import { refOf } from '../memory/model-ref';
import type { UserMessage } from '../memory/types';

export function tellMissing(instance: Instance, { id, sessionID, agent, model }: UserMessage): void {
  const { models } = instance.listed;
  const name = refOf(model);
  if (models.length === 0 || models.includes(name)) return;
  tellUnlisted(instance, { session: sessionID, turn: id, agent, model: name });
}
