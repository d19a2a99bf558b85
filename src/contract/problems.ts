/** Everything that can be wrong with a contract file, with a code that stays the same between versions. */

export const PROBLEM_CODES = {
  'file-missing': 'the file is not there',
  'file-unreadable': 'the file cannot be read, or is not JSON in UTF-8',
  'repeated-member': 'a member is there twice, so readers may see different values',
  'file-version': 'the file is of a version that this Usher does not know',
  'file-shape': 'a field is missing, of the wrong type or unknown',
  'origin-not-human': '`origin` is not `human`',
  'signed-by-empty': '`signed_by` is empty',
  'signed-by-model': '`signed_by` names a model',
  'privileges-empty': '`privileges` is empty',
  'privilege-unknown': 'a privilege is not in the closed list',
  'command-shell': 'the command is a shell, or starts one',
  'additional-properties': 'a schema says `additionalProperties: true`',
  'required-empty': '`required: []`: leave the key out where nothing is required',
  'hash-mismatch': '`schema_hash` or `wire_hash` is not the hash of what the record says',
  'name-unsafe': 'a name holds characters that cannot be seen, or that look like others',
  'name-look-alike': 'two names look the same',
  'name-twice': 'two records have the same server and name',
  'effects-exceed-privileges': 'a declared effect is not covered by the privileges',
  'preset-only-visible': 'a parameter is both in the schema and preset-only',
  'server-unpinned': 'the server is named without a digest that pins it',
  'unsigned': 'nobody signed the file',
  'signature-invalid': 'a signature is not over these bytes, or cannot be read',
  'signer-unknown': 'a key that signed is not in the signers file',
  'signer-expired': 'a key that signed was not valid at this time',
  'signer-revoked': 'a key that signed is revoked',
  'signer-mismatch': '`signed_by` is not a person whose key signed the file',
  'too-few-signers': 'what the file widens needs more people',
  'signers-missing': 'the signers file is not there or lists nobody',
  'signers-changed': 'the signers file, or the list of revoked keys, is not the one of the base',
  'base-missing': 'the base that was named does not hold, or is not there',
  'signers-invalid': 'a line of the signers file cannot be read',
  'file-symlink': 'the file, or a folder above it, is a symbolic link',
  'file-writable': 'the running user may write the file',
  'file-mode': 'the file is writable by its group or by everybody',
  'folder-writable': 'a folder above the file is writable by its group or by everybody',
  'file-system': 'the file is on a remote or temporary file system',
  'file-changed': 'the file is not the one that was loaded',
  'review-folder': 'the file is in a review folder, which holds drafts',
  'serial-rollback': 'the file is older than the one that was accepted before',
} as const
export type ProblemCode = keyof typeof PROBLEM_CODES

export interface Problem {
  readonly code: ProblemCode
  /** The tool's name, or null for the file as a whole. */
  readonly tool: string | null
  readonly message: string
}

export const problem = (code: ProblemCode, tool: string | null, message: string): Problem => ({ code, tool, message })
