/** The example of the configuration that the documentation shows, with every key. */
export const PUBLISHED = `{
  "$schema": "https://example.invalid/model-fallback.schema.json",
  "enabled": true,
  "defaults": {
    "policy": "swift",                       // swift | steady | patient | council
    "fallbackOn": ["rate_limit", "quota_exceeded", "5xx", "timeout", "overloaded"],
    "cooldownMs": 300000,                     // unusable after a rate limit
    "quotaCooldownMs": 3600000, "restMs": 60000,
    "retryOriginalAfterMs": 900000,           /* preferred again */
    "maxFallbackDepth": 3,
    "maxRetries": 3,
    "retryBudget": { "perSession": 30, "warnAt": 20 },
    "backoff": { "baseMs": 1000, "capMs": 30000, "jitter": 0.2 },
    "circuitBreaker": { "failureThreshold": 3, "windowMs": 3600000, "cooldownMs": 3600000, "growth": 1 },
    "networkBreaker": { "failureThreshold": 5, "cooldownMs": 300000 },
    "firstTokenTimeoutMs": 60000, "stallTimeoutMs": 120000,
    "vendorLock": false, "maxPriceRatio": null, "panicProbe": false, "onExhausted": "error", "backupModel": null
  },
  "policies": { "mine": { "extends": "swift", "rows": { "server_error": ["retry:1", "switch"] } } },
  "agents": {
    "build":  { "fallbackModels": ["anthropic/claude-sonnet-4-20250514", "google/gemini-3-pro", "openai/gpt-4o"] },
    "oracle": {
      "policy": "steady",
      "tiers": [
        { "name": "premium", "models": ["openrouter/anthropic/claude-3.5-sonnet", "openrouter/openai/gpt-4"] },
        { "name": "local", "models": ["free/openrouter/free", "lmstudio-local/*"] },
      ]
    },
    "*": { "fallbackModels": ["anthropic/claude-sonnet-4-20250514", "google/gemini-3-flash"] }
  },
  "patterns": ["usage cap reached", { "phrase": "额度已用尽", "kind": "quota" }],
  "logging": true,
  "logPath": "~/.local/share/opencode/logs/model-fallback.log",
  "triage": {
    "enabled": true, "exportFormat": ["json"], "exportPath": "~/card.json", "report": "end-of-session",
    "scorecard": { "trackMetrics": true, "exportFormat": ["json"], "exportPath": "~/c.json", "generateReport": true, "reportInterval": "end-of-session" }
  },
}`;
