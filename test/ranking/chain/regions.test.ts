import { describe, expect, it } from 'vitest';
import { offeredFacts } from '../../../src/core/base/offers';
import { REGIONS, regionOf, VENDOR_BASES, vendorNamed } from '../../../src/features/ranking/rules/chain/regions';

describe('given the table of vendors', () => {
  it.each([...VENDOR_BASES])(
    'when %s is in it, then with a region and an https address that says so',
    (vendor, base) => {
      const { protocol, username, pathname } = new URL(base.source);
      expect({ protocol, username }).toEqual({ protocol: 'https:', username: '' });
      expect(pathname.length).toBeGreaterThan(1);
      expect(REGIONS).toContain(base.region);
      expect(vendorNamed(vendor)).toBe(vendor);
    },
  );

  it('when each region is looked for, then a vendor is based there', () => {
    const found = new Set([...VENDOR_BASES.values()].map(({ region }) => region));
    expect([...found].toSorted()).toEqual([...REGIONS].toSorted());
  });
});

describe('given a vendor by a name', () => {
  it.each([
    ['anthropic', 'US'],
    ['mistral', 'EU'],
    ['mistralai', 'EU'],
    ['zai', 'CN'],
    ['z-ai', 'CN'],
    ['zhipuai', 'CN'],
    ['meta-llama', 'US'],
    ['qwen', 'CN'],
    ['Qwen', 'CN'],
    ['x-ai', 'US'],
    ['moonshot', 'CN'],
    ['cohere', 'CA'],
    ['MiniMaxAI', 'CN'],
    // Not known: a provider of others’ models, one whose own pages differ, and what is no name of a vendor.
    ['openrouter', null],
    ['black-forest-labs', null],
    ['', null],
    ['__proto__', null],
    ['constructor', null],
  ])('when it is %j, then it is based in %j', (name, region) => {
    expect(regionOf(name)).toBe(region);
  });

  it.each([
    'claude-opus-4-6',
    'gpt-5.4',
    'gemini-3-pro',
    'grok-4',
    'devstral-2512',
    'deepseek-v4',
    'qwen3-max',
    'kimi-k2.6',
    'glm-5',
    'llama-4',
    'minimax-m2',
    'command-a',
  ])('when it is the one that OpenCode’s list shows for %s, then its region is known', (model) => {
    expect(regionOf(offeredFacts(model, {}).vendor ?? '')).not.toBeNull();
  });
});
