import { latestModels } from '../../../node/base/kept-models';

export async function explained(home: string, reason: string): Promise<string> {
  if (reason.includes('understudy install') || (await latestModels(home)) !== null) return reason;
  return `${reason}\nOpenCode has not reported its models yet. It does so when it runs with the companion, which understudy install adds.`;
}
