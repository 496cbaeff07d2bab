import type { Wire } from '../scripted-steps';

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const GOOGLE_STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function errorBody(wire: Wire, status: number, message: string): unknown {
  const isRequests = status < 500;
  switch (wire) {
    case 'anthropic': {
      const type = ANTHROPIC_TYPES[status] ?? (isRequests ? 'invalid_request_error' : 'api_error');
      return { type: 'error', error: { type, message } };
    }
    case 'google': {
      const name = GOOGLE_STATUSES[status] ?? (isRequests ? 'INVALID_ARGUMENT' : 'INTERNAL');
      return { error: { code: status, message, status: name } };
    }
    case 'openrouter':
      return { error: { code: status, message } };
    case 'openai-compatible':
    case 'openai-responses':
      return {
        error: { message, type: isRequests ? 'invalid_request_error' : 'server_error', param: null, code: null },
      };
  }
}
