export function lookAtGlobals(): ReadonlyMap<string, string>;
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[];
