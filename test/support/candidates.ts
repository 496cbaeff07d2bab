import type { Worthy } from '../../src/features/ranking/rules/chain/tiers';

export const worthy = (model: string, vendor: string, worth: number | null, more: Partial<Worthy> = {}): Worthy => ({
  ...{ model, vendor, worth, account: model.slice(0, model.indexOf('/')), region: null, place: 'hosted' },
  ...{ price: null, record: null, values: {}, live: null, isPresent: false, isSilent: false },
  ...more,
});
