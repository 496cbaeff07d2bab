import type { Advice, Rate } from '../engine/scorecard';

const percent = ({ value }: Rate): string => (value === null ? 'no data' : `${Math.round(100 * value)} %`);

export function adviceSentence(advice: Advice): string {
  switch (advice.code) {
    case 'key.rejected':
      return `Renew the key of ${advice.provider}: it was rejected ${advice.n} times`;
    case 'model.missing':
      return `Remove ${advice.model} from its chains: its provider did not recognize it ${advice.n} times`;
    case 'chain.reorder':
      return `Move ${advice.model} above ${advice.above}: ${percent(advice.rate)} against ${percent(advice.aboveRate)}`;
    case 'provider.prefer':
      return `Prefer ${advice.provider} to ${advice.over}: ${percent(advice.rate)} against ${percent(advice.overRate)}, on ${advice.models} models`;
    case 'breaker.often':
      return `Move ${advice.model} down: its circuit opened ${advice.n} times`;
  }
}
