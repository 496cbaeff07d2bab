/** Configurations as designs for OpenCode print them: each key and value is theirs. */
export const FOUR_MODELS = `// opencode.json
{
  "agents": {
    "oracle": {
      "currentModel": "openrouter/claude-3.5-sonnet",
      "models": [
        "openrouter/claude-3.5-sonnet",
        "openrouter/gpt-4",
        "openrouter/gemini-pro",
        "openrouter/mistral-large"
      ],
      "fallback": {
        "enabled": true,
        "maxRetries": 3,
        "circuitBreaker": {
          "failureThreshold": 3,
          "cooldownMs": 3600000
        }
      }
    }
  }
}
`;

export const TWELVE_MODELS = `// opencode.json
{
  "agents": {
    "oracle": {
      "currentModel": "openrouter/claude-3.5-sonnet",
      "models": [
        // premium
        "openrouter/claude-3.5-sonnet",
        "openrouter/claude-3-opus",
        "openrouter/gpt-4",

        // standard
        "openrouter/gemini-pro",
        "openrouter/mistral-large",
        "openrouter/llama-3.3-70b",

        // alternative
        "openrouter/qwen-2.5-72b",
        "openrouter/deepseek-chat",
        "openrouter/nous-hermes-2",

        // local
        "free/openrouter/free",
        "lmstudio-local/llama-3.2-1b",
        "lmstudio-local/qwen-0.5b"
      ],
      "fallback": {
        "enabled": true,
        "maxRetries": 3,
        "circuitBreaker": {
          "failureThreshold": 3,
          "cooldownMs": 3600000
        },
        "extendedChain": {
          "enabled": true,
          "tiers": [
            {"name": "premium", "models": ["claude-3.5-sonnet", "claude-3-opus", "gpt-4"]},
            {"name": "standard", "models": ["gemini-pro", "mistral-large", "llama-3.3-70b"]},
            {"name": "alternative", "models": ["qwen-2.5-72b", "deepseek-chat", "nous-hermes-2"]},
            {"name": "local", "models": ["free/openrouter/free", "lmstudio-local/*"]}
          ]
        }
      }
    }
  }
}
`;

export const TRIAGE = `{
  "fallback": {
    "triage": {
      "enabled": true,
      "scorecard": {
        "trackMetrics": [
          "totalCalls",
          "successes",
          "failures",
          "successRate",
          "avgResponseTimeMs",
          "circuitBreakerActivations",
          "failureReasons"
        ],
        "exportFormat": "json",
        "exportPath": "~/.local/share/opencode/oracle-triage-scorecard.json",
        "generateReport": true,
        "reportInterval": "end-of-session"
      }
    }
  }
}
`;

/** What issue 7602 of anomalyco/opencode asks for, word for word: its example for one agent. */
export const ISSUE_7602 = `{
  "agents": {
    "build": {
      "model": {
        "fallback": ["claude-sonnet", "gpt-4o-mini"]
      }
    }
  }
}
`;
