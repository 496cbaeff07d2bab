import alibaba from '../../../resources/providers/alibaba.json';
import anthropic from '../../../resources/providers/anthropic.json';
import azure from '../../../resources/providers/azure.json';
import bedrock from '../../../resources/providers/bedrock.json';
import chutes from '../../../resources/providers/chutes.json';
import deepseek from '../../../resources/providers/deepseek.json';
import general from '../../../resources/providers/default.json';
import fireworks from '../../../resources/providers/fireworks.json';
import copilot from '../../../resources/providers/github-copilot.json';
import google from '../../../resources/providers/google.json';
import groq from '../../../resources/providers/groq.json';
import lmstudio from '../../../resources/providers/lmstudio.json';
import mistral from '../../../resources/providers/mistral.json';
import moonshot from '../../../resources/providers/moonshot.json';
import nvidia from '../../../resources/providers/nvidia.json';
import ollama from '../../../resources/providers/ollama.json';
import openai from '../../../resources/providers/openai.json';
import opencode from '../../../resources/providers/opencode.json';
import openrouter from '../../../resources/providers/openrouter.json';
import together from '../../../resources/providers/together.json';
import vertex from '../../../resources/providers/vertex.json';
import xai from '../../../resources/providers/xai.json';
import zai from '../../../resources/providers/zai.json';
import type { ProviderMap } from '../../engine/tools';
import { shippedMapOf } from './providers';

/** Imported, because the app, the panel and the plugin ship as single files. */
const SHIPPED: readonly unknown[] = [
  alibaba,
  anthropic,
  azure,
  bedrock,
  chutes,
  copilot,
  deepseek,
  fireworks,
  general,
  google,
  groq,
  lmstudio,
  mistral,
  moonshot,
  nvidia,
  ollama,
  openai,
  opencode,
  openrouter,
  together,
  vertex,
  xai,
  zai,
];

let made: readonly ProviderMap[] | null = null;

export function builtInProviderMaps(): readonly ProviderMap[] {
  made ??= SHIPPED.map(shippedMapOf);
  return made;
}
