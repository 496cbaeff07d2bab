/** Countries; the European Union counts as one. */
export const REGIONS = ['US', 'EU', 'CN', 'CA', 'IL', 'JP'] as const;
export type Region = (typeof REGIONS)[number];

/** The address states the region, by the vendor or an authority. */
export type VendorBase = Readonly<{ region: Region; source: string }>;

/** Generative services registered in China, with place and company. */
const CHINESE_REGISTER = 'https://www.cac.gov.cn/2024-04/02/c_1713729983803145.htm';

const listedInTheUs = (companyId: number) => `https://www.sec.gov/edgar/browse/?CIK=${companyId}`;

/**
 * Region by the vendor's provider name in OpenCode: the base of the company that makes the models, not of its
 * incorporation, listing or servers. Unknown regions are not guessed.
 */
export const VENDOR_BASES: ReadonlyMap<string, VendorBase> = new Map<string, VendorBase>([
  ['ai21', { region: 'IL', source: 'https://www.ai21.com/privacy-policy/' }],
  ['alibaba', { region: 'CN', source: 'https://www.alibabagroup.com/en/about/faqs' }],
  ['amazon', { region: 'US', source: listedInTheUs(1_018_724) }],
  ['anthropic', { region: 'US', source: 'https://www.anthropic.com/legal/privacy' }],
  ['baidu', { region: 'CN', source: 'https://ir.baidu.com/shareholder-services/investor-faqs' }],
  ['bytedance', { region: 'CN', source: CHINESE_REGISTER }],
  ['cohere', { region: 'CA', source: 'https://cohere.com/saas-agreement' }],
  ['deepseek', { region: 'CN', source: 'https://cdn.deepseek.com/policies/en-US/deepseek-privacy-policy.html' }],
  ['google', { region: 'US', source: 'https://policies.google.com/terms' }],
  ['ibm', { region: 'US', source: listedInTheUs(51_143) }],
  ['meta', { region: 'US', source: listedInTheUs(1_326_801) }],
  ['microsoft', { region: 'US', source: 'https://www.microsoft.com/en-us/about/office-locations' }],
  ['minimax', { region: 'CN', source: CHINESE_REGISTER }],
  ['mistral', { region: 'EU', source: 'https://legal.mistral.ai/legal-notice' }],
  ['moonshotai', { region: 'CN', source: 'https://www.moonshot.cn/about' }],
  ['nvidia', { region: 'US', source: listedInTheUs(1_045_810) }],
  ['openai', { region: 'US', source: 'https://openai.com/policies/eu-terms-of-use/' }],
  ['perplexity', { region: 'US', source: 'https://www.perplexity.ai/hub/legal/terms-of-service' }],
  ['sakana', { region: 'JP', source: 'https://sakana.ai/company-info/' }],
  ['stepfun', { region: 'CN', source: CHINESE_REGISTER }],
  ['tencent', { region: 'CN', source: CHINESE_REGISTER }],
  ['xai', { region: 'US', source: 'https://x.ai/about' }],
  ['xiaomi', { region: 'CN', source: 'https://ir.mi.com/investor-resources/ir-contacts/' }],
  ['zai', { region: 'CN', source: 'https://www.zhipuai.cn/en/contact' }],
]);

/** As models.dev, routers and model hubs write them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['ai21labs', 'ai21'],
  ['qwen', 'alibaba'],
  ['bytedance-seed', 'bytedance'],
  ['cohereforai', 'cohere'],
  ['coherelabs', 'cohere'],
  ['deepseek-ai', 'deepseek'],
  ['ibm-granite', 'ibm'],
  ['meta-llama', 'meta'],
  ['minimaxai', 'minimax'],
  ['mistralai', 'mistral'],
  ['moonshot', 'moonshotai'],
  ['sakanaai', 'sakana'],
  ['stepfun-ai', 'stepfun'],
  ['x-ai', 'xai'],
  ['xiaomimimo', 'xiaomi'],
  ['z-ai', 'zai'],
  ['zai-org', 'zai'],
  ['zhipu', 'zai'],
  ['zhipuai', 'zai'],
]);

/** Unifies a vendor's names, so that it does not count twice. */
export function vendorNamed(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES.get(lower) ?? lower;
}

export const regionOf = (vendor: string): Region | null => VENDOR_BASES.get(vendorNamed(vendor))?.region ?? null;
