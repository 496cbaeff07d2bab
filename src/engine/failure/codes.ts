import type { FailureKind } from '../base/kinds';
import { recently } from '../base/recent';
import { kindOfSpecificPhrase, matching, type Phrase } from './phrases';

/** Codes and error names that are no phrases, or mean something else as one. */
const CODES: readonly Phrase[] = [
  [/^(?:token|request) quota|^free ?usage/, 'rate_limit'],
  [
    /:(?:perday|nocredits)$|^(?:service|account)?quota ?exceeded|^userlimit|^budget exceeded|hard limit|^credits ?error/,
    'quota',
  ],
  [/^model ?not ?ready/, 'overloaded'],
  [/^unauthenticated|^auth ?error|^expired ?token|^unrecognizedclient/, 'auth'],
  [/^permission (?:error|denied)|^access ?denied/, 'permission'],
  [
    /^(?:resource )?not found error|^(?:deployment|resource)notfound|^model ?error$|^unsupported api/,
    'model_not_found',
  ],
  [/^model loading failed|^generation failed|^out of memory|^no providers$/, 'server_error'],
  [/^(?:inference |model)?timeout/, 'timeout'],
  [
    /^e(?:conn(?:refused|reset|aborted)|notfound|ai again|timedout|pipe|(?:host|net)unreach)$|^connection(?:refused|closed)|^failedtoopen|^und err/,
    'network_transient',
  ],
  [/cert|^unable to verify/, 'network_permanent'],
];

/** As general as a status: other evidence comes first. */
const WEAK_CODES: readonly Phrase[] = [
  [/^(?:server|api) error|^internal|unavailable/, 'server_error'],
  [/^invalid (?:request|argument|input)|^failed precondition|^request too large/, 'invalid_request'],
  [/^not found$/, 'model_not_found'],
];

/** Exceptions to the kind of their class of statuses. */
const STATUSES: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'quota',
  403: 'permission',
  404: 'model_not_found',
  407: 'network_permanent',
  408: 'timeout',
  410: 'model_not_found',
  429: 'rate_limit',
  524: 'timeout',
  529: 'overloaded',
};

export const kindOfCode = recently((code) => matching(CODES, code) ?? kindOfSpecificPhrase(code));

export const kindOfWeakCode = (code: string): FailureKind | null => matching(WEAK_CODES, code);

export const kindOfStatus = (status: number): FailureKind =>
  STATUSES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request');
