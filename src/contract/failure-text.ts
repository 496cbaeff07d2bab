/** Predicate of the path, with the remedy. */
const DISK_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'is not accessible with your permissions; change them, or choose another folder',
  EPERM: 'is not accessible with your permissions; change them, or choose another folder',
  EROFS: 'is on a read-only disk; make the disk writable, or choose another folder',
  ENOSPC: 'is on a full disk; free some space',
  EDQUOT: 'is over your disk quota; free some space',
  EIO: 'is on a disk that reports an error; check the disk and its connection',
  ESTALE: 'is on a network drive that has lost its connection; connect the drive again',
  EBUSY: 'is in use by another program; close that program and try again',
  ENOENT: 'does not exist; create it, or choose another folder',
  ENOTDIR: 'has a file where a folder is required; move that file away, or choose another folder',
  EEXIST: 'already exists; move it away, or choose another name',
  EMFILE: 'cannot be opened because too many files are open; close other programs and try again',
};
type Issue = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** Calls with the same codes that involve no file. */
const NO_DISK = /^(?:connect|spawn|kill)/;

/**
 * Formats an error as one line with path, reason, remedy and code. @param path used if the error names none or a
 * temporary one.
 */
export function failureText(error: unknown, path?: string): string {
  // Small programs lack the schema library.
  const [issue] = (error as Readonly<{ issues?: readonly Issue[] }> | null)?.issues ?? [];
  if (issue !== undefined) return `Invalid value for "${issue.path.join('.')}": ${issue.message}.`;
  if (!(error instanceof Error)) return String(error);
  const {
    code = '',
    syscall,
    path: place = 'The file',
  } = error as Error & Readonly<Record<string, string | undefined>>;
  const fault = Object.hasOwn(DISK_FAULTS, code) ? DISK_FAULTS[code] : undefined;
  if (fault === undefined || syscall === undefined || NO_DISK.test(syscall)) return error.message;
  return `${path ?? place} ${fault} (${code})`;
}
