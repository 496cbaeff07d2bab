import { tellUnasked } from '../../unasked';
import type { Instance } from '../memory/instance';
import { refOf } from '../memory/model-ref';
import type { AssistantInfo, UserMessage } from '../memory/types';

/** A model that OpenCode does not have ends a turn before anything is asked: told first, the turn goes to another. */
export function tellMissing(instance: Instance, { id, sessionID, agent, model }: UserMessage): void {
  const { models } = instance.listed;
  const name = refOf(model);
  if (models.length === 0 || models.includes(name)) return;
  const message = instance.unstartable.get(name) ?? 'OpenCode has no such model.';
  tellUnasked(instance, { session: sessionID, turn: id, agent, model: name, kind: 'model_not_found', message });
}

/** Without a key some SDKs fail before anything is sent: from the next message on another model answers. */
export function tellKeyless(instance: Instance, info: AssistantInfo): void {
  if (info.error?.name !== 'ProviderAuthError') return;
  const { sessionID: session, parentID: turn, agent = '' } = info;
  const message = 'OpenCode has no key for this provider.';
  tellUnasked(instance, { session, turn, agent, model: refOf(info), kind: 'auth', message });
}
